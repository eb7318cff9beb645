import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { commitRecord } from './records.js';
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
];
