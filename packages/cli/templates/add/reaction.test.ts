import { messageOf, newId, runAsHost } from '@svc/core';
import { createTestService, wrap } from '@svc/core/testing';
import { expect, test } from 'vitest';
import { registry } from './generated/registry.js';
import { TemplateNameRequested } from './template-name.js';

test('TemplateName appends TemplateNameDone', async () => {
  const service = createTestService(registry).addServiceReactions().start();
  await service.ready();
  const id = newId();
  const requested = wrap('template-service.TemplateNameRequested', messageOf(TemplateNameRequested, { id }));
  await runAsHost(() => service.eventStore.append(id, requested));
  const types = async (): Promise<string[]> => {
    const found: string[] = [];
    await runAsHost(async () => {
      for await (const { envelope } of service.eventStore.readStream(id)) found.push(envelope.type);
    });
    return found;
  };
  await expect.poll(types, { timeout: 10_000 }).toContain('template-service.TemplateNameDone');
  await service.stop();
});
