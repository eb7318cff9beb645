import { messageOf, newId, runAsHost } from '@svc/core';
import { createTestService, wrap } from '@svc/core/testing';
import { expect, test } from 'vitest';
import { registry } from './generated/registry.js';
import { TemplateNameApproved, TemplateNameStarted } from './template-name.js';

test('TemplateName finishes when it was started and approved', async () => {
  const service = createTestService(registry).addServiceReactions().start();
  await service.ready();
  const id = newId();
  const approved = wrap('template-service.TemplateNameApproved', messageOf(TemplateNameApproved, { id }));
  const started = wrap('template-service.TemplateNameStarted', messageOf(TemplateNameStarted, { id }));
  for (const event of [approved, started]) await runAsHost(() => service.eventStore.append(id, event));
  const types = async (): Promise<string[]> => {
    const found: string[] = [];
    await runAsHost(async () => {
      for await (const { envelope } of service.eventStore.readStream(id)) found.push(envelope.type);
    });
    return found;
  };
  await expect.poll(types, { timeout: 10_000 }).toContain('template-service.TemplateNameFinished');
  await service.stop();
});
