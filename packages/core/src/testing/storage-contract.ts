import type { Storage } from '../storage/index.js';
import { cancellationCases } from './storage-cancellation-cases.js';
import { concurrencyCases, unwritableCases } from './storage-concurrency-cases.js';
import { deadLetterCases } from './storage-dead-letter-cases.js';
import { eventCases } from './storage-event-cases.js';
import { expiryCases, idempotencyCases, lostKeyCases } from './storage-idempotency-cases.js';
import { identityCases, lostAnswerCases } from './storage-identity-cases.js';
import { leaseCases } from './storage-lease-cases.js';
import { operationCases } from './storage-operation-cases.js';
import { lostOrderAnswerCases, orderCases } from './storage-order-cases.js';
import { outboxCases } from './storage-outbox-cases.js';
import { systemStreamCases } from './storage-system-stream-cases.js';
import { lostTenantAnswerCases, tenantCases } from './storage-tenant-cases.js';

/** Opens a storage on the database of one case, which is empty when the case begins; the caller closes all of them after it. */
export type OpenStorage = () => Promise<Storage>;

/** One thing that every storage promises. `run` throws an assertion error when this one does not keep it. */
export interface StorageCase {
  readonly name: string;
  readonly run: (open: OpenStorage) => Promise<void>;
}

/**
 * What every storage promises, for any test runner: `it.each(storageContract)('$name', ({ run }) => run(open))`, with a new
 * database for each case.
 */
export const storageContract: readonly StorageCase[] = [
  ...eventCases,
  ...concurrencyCases,
  ...cancellationCases,
  ...identityCases,
  ...tenantCases,
  ...orderCases,
  ...outboxCases,
  ...idempotencyCases,
  ...deadLetterCases,
  ...expiryCases,
];

/** The same for databases behind a connection or a file, where the answer to a commit can get lost, and which several hosts share. */
export const databaseContract: readonly StorageCase[] = [
  ...storageContract,
  ...unwritableCases,
  ...lostAnswerCases,
  ...lostKeyCases,
  ...lostTenantAnswerCases,
  ...lostOrderAnswerCases,
  ...leaseCases,
  ...operationCases,
];

/** Beside it, for databases that append to the system stream by themselves (`deliverSystemEvents`). */
export const systemDeliveryContract: readonly StorageCase[] = systemStreamCases;
