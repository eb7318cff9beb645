import type { Expiry } from '@svc/core/storage';
import { forgetOperationsStatement } from './postgres-operations.js';
import type { Reader } from './reader.js';
import { forgetKeysStatement, forgetReceivedStatement } from './storage-statements.js';

/** Deletes expired records, at most `limit` of each kind, and returns their number. */
export async function forgetExpired(
  reader: Reader,
  { receivedMs, idempotencyKeysMs, operationsMs }: Expiry,
  limit: number,
): Promise<number> {
  const received = await reader.rows('svc-forget-received', forgetReceivedStatement, [receivedMs, limit]);
  const keys = await reader.rows('svc-forget-keys', forgetKeysStatement, [idempotencyKeysMs, limit]);
  const asked = await reader.rows('svc-forget-operations', forgetOperationsStatement, [operationsMs, limit]);
  return received.length + keys.length + asked.length;
}
