/** Rule 5 of the deployment practice: new behaviour ships disabled, a flag releases it, and disabling the flag is the rollback. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, newId, SystemEventStream, type Service } from '@svc/core';
import { FeatureFlags } from '@svc/flags';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlaceOrder, shopRegistry } from '../system-events/shop.js';
import { waitFor } from './wait-for.js';

let folder: string;
let file: string;
let flags: FeatureFlags;
let service: Service;

const write = (text: string): void => writeFileSync(file, text);
const definition = (name: string, isOn: boolean, state = 'ENABLED'): string =>
  JSON.stringify({
    flags: { [name]: { state, variants: { on: true, off: false }, defaultVariant: isOn ? 'on' : 'off' } },
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-flags-'));
  file = join(folder, 'flags.json');
  write(definition('express-delivery', false));
  flags = await FeatureFlags.of(file);
  const registry = shopRegistry(async (_command, context) => ({
    delivery: (await flags.isOn('express-delivery', context)) ? 'express' : 'ordinary',
  }));
  service = createService(registry).useStorage(new InMemoryStorage()).addSystemEventAuditing().start();
});
afterEach(async () => {
  await service.stop();
  await flags.close();
  rmSync(folder, { recursive: true, force: true });
});

const order = async (): Promise<unknown> => {
  const { delivery } = (await service.dispatcher.invoke(new PlaceOrder())) as { delivery: string };
  return delivery;
};

async function lastAudit(): Promise<unknown> {
  await service.idle();
  let metadata: unknown;
  for await (const { envelope } of service.eventStore.readStream(SystemEventStream.streamId)) {
    if (envelope.type === 'svc.CommandAudited') ({ metadata } = envelope);
  }
  return metadata;
}

describe('feature flags', () => {
  it('ship disabled, are released and rolled back by the flag, without a restart', async () => {
    expect(await order()).toBe('ordinary');
    write(definition('express-delivery', true));
    await waitFor(async () => (await order()) === 'express', 'the flag is on');
    write(definition('express-delivery', false));
    await waitFor(async () => (await order()) === 'ordinary', 'the flag is off again');
  });

  it('are in the metadata of the audit record', async () => {
    await order();
    expect(await lastAudit()).toEqual({ 'flag.express-delivery': false });
    write(definition('express-delivery', true));
    await waitFor(async () => (await order()) === 'express', 'the flag is on');
    expect(await lastAudit()).toEqual({ 'flag.express-delivery': true });
  });

  it.each([
    ['an unknown flag', definition('another', true)],
    ['a disabled flag', definition('express-delivery', true, 'DISABLED')],
    [
      'a flag of another type',
      '{"flags":{"express-delivery":{"state":"ENABLED","variants":{"on":"yes"},"defaultVariant":"on"}}}',
    ],
  ])('are off for %s', async (_what, text) => {
    write(definition('express-delivery', true));
    await waitFor(async () => (await order()) === 'express', 'the flag is on');
    write(text);
    expect(await waitFor(async () => (await order()) === 'ordinary', 'the flag is off')).toBe(true);
  });

  it('stay unchanged while the file is invalid, and are updated when a valid file replaces it', async () => {
    write(definition('express-delivery', true));
    await waitFor(async () => (await order()) === 'express', 'the flag is on');
    let complaint: string | undefined;
    flags.client.addHandler('PROVIDER_STALE' as never, (details: { message?: string } | undefined) => {
      complaint = details?.message;
    });
    write('{ "flags": ');
    await waitFor(() => complaint, 'it reports the mistake');
    expect(await order()).toBe('express');
    writeFileSync(`${file}.new`, definition('express-delivery', false));
    renameSync(`${file}.new`, file);
    await waitFor(async () => (await order()) === 'ordinary', 'the new file counts');
  });

  it('fail at start with an invalid file', async () => {
    await expect(FeatureFlags.of(join(folder, `${newId()}.json`))).rejects.toThrow('ENOENT');
  });
});
