import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { lostKeyCases } from './storage-idempotency-cases.js';
import { lostAnswerCases } from './storage-identity-cases.js';
import { lostOrderAnswerCases } from './storage-order-cases.js';
import { lostTenantAnswerCases } from './storage-tenant-cases.js';

/** What the capability `connection` adds: a response can get lost, and a closed storage no longer responds. */
export const connectionCases: readonly StorageCase[] = [
  ...lostAnswerCases,
  ...lostKeyCases,
  ...lostTenantAnswerCases,
  ...lostOrderAnswerCases,
  {
    name: 'answers a ping while it is open, and rejects every call after it is closed',
    async run(open) {
      const storage = await open();
      await storage.connection!.ping();
      await storage.close();
      await storage.close();
      const isClosed = { code: 'SVC_STORAGE_CLOSED' };
      await assert.rejects(() => storage.connection!.ping(), isClosed);
      await assert.rejects(async () => await storage.commit(commitRecord({})), isClosed);
      await assert.rejects(() => storage.findPlace(newId()), isClosed);
    },
  },
  {
    name: 'samples the first and the last event of each type, in the order of the log',
    async run(open) {
      const storage = await open();
      const { connection } = storage;
      if (connection?.sampleEvents === undefined) return;
      assert.deepEqual(await connection.sampleEvents(), []);
      const types = ['test.Often', 'test.Often', 'test.Once', 'test.Often', 'test.Twice', 'test.Twice'];
      const streamId = newId();
      const events = types.map((type) => pendingRecord(streamId, { type }));
      for (const event of events) await storage.commit(commitRecord({ events: [event] }));
      const sampled = [0, 2, 3, 4, 5].map((i) => ({ type: events[i]!.type, id: events[i]!.id }));
      assert.deepEqual(await connection.sampleEvents(), sampled);
    },
  },
];
