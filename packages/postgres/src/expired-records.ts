import type { Expiry } from '@svc/core/storage';
import { forgetRenewed } from './event-order.js';
import { forgetOperationsStatement } from './postgres-operations.js';
import type { Reader } from './reader.js';
import { forgetKeysStatement, forgetReceivedStatement } from './storage-statements.js';

const forgetRenewedStatement = `${forgetRenewed('$1')} RETURNING id`;

/** Deletes expired records, at most `limit` of each kind, and returns their number. */
export async function forgetExpired(
  reader: Reader,
  { receivedMs, idempotencyKeysMs, operationsMs }: Expiry,
  limit: number,
): Promise<number> {
  const received = await reader.rows('svc-forget-received', forgetReceivedStatement, [receivedMs, limit]);
  const keys = await reader.rows('svc-forget-keys', forgetKeysStatement, [idempotencyKeysMs, limit]);
  const asked = await reader.rows('svc-forget-operations', forgetOperationsStatement, [operationsMs, limit]);
  // Without a name, so that it is planned for the present size of the table: it has a row for each renewed id of an hour.
  const renewed = await reader.rows(null, forgetRenewedStatement, [limit]);
  return received.length + keys.length + asked.length + renewed.length;
}
