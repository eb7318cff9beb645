import type { Expiry } from '@svc/core/storage';
import type { Statements } from './statements.js';

/** Deletes expired records, at most `limit` of each kind, and returns their number. */
export function forgetExpired(
  sql: Statements,
  { receivedMs, idempotencyKeysMs, operationsMs }: Expiry,
  limit: number,
): number {
  sql.removeExpiredLeases.run(Date.now());
  const received = sql.forgetReceived.run(Date.now() - receivedMs, limit);
  const keys = sql.forgetOldKeys.run(Date.now() - idempotencyKeysMs, limit);
  const asked = sql.forgetOperations.run(Date.now() - operationsMs, Date.now(), limit);
  return Number(received.changes) + Number(keys.changes) + Number(asked.changes);
}
