import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { EventLog, PerspectiveStorage } from '../../storage/index.js';
import { ProcessedEvents } from './processed-events.js';

const current = new AsyncLocalStorage<string>();

it('reads the progress for all waiting callers outside of the context of each', async () => {
  const seen: unknown[] = [];
  const log = {
    findPlace: () => Promise.resolve({ sequence: 1, tenant: null }),
    placeAt: (sequence: number) => Promise.resolve({ sequence }),
  } as unknown as EventLog;
  const storage = {
    readProgress: () => {
      seen.push(current.getStore());
      return Promise.resolve({ sequence: seen.length > 2 ? 1 : 0 });
    },
  } as unknown as PerspectiveStorage;
  const processed = new ProcessedEvents('Orders', log, storage);
  const reach = {
    tenant: null,
    authorizeSystemRead: () => Promise.resolve(null),
    recordForeign: () => Promise.resolve(),
  };
  await current.run('caller', () => processed.wait({ eventId: newId() }, reach));
  // The first time for the caller alone, which then waits.
  expect(seen).toEqual(['caller', undefined, undefined]);
});
