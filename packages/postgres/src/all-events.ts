import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type StoredRecord } from '@svc/core';
import { findReadingStall } from './reading-stall.js';
import type { Reader } from './reader.js';
import { packedEventColumns, toRecordOfPacked } from './rows.js';
import type { Settings } from './options.js';

const firstPauseMs = 2;
const longestPauseMs = 100;

/**
 * All events behind one of them, in pages. Transactions end in another order than they begin and than they take sequence numbers, so events are
 * read in the order of their transactions, and only those of transactions before which none is still open: nothing can come in front.
 *
 * What was kept before the call is read. When an open transaction holds some of it back, whichever database of the cluster it is in,
 * this waits for a moment, then says so and ends.
 */
export async function* readAllEvents(
  reader: Reader,
  afterSequence: number,
  pageSize: number,
  { stallMs, onStall }: Settings,
): AsyncIterable<readonly StoredRecord[]> {
  let { cursor, target } = await beginning(reader, afterSequence);
  const end = performance.now() + stallMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const isOpen = target === null || (await hasPassed(reader, target));
    for (;;) {
      const rows = await reader.rows('svc-read-all', pageStatement, [cursor.transactionId, cursor.sequence, pageSize]);
      if (rows.length > 0) {
        const records = rows.map(toRecordOfPacked);
        const { transaction, sequence } = records.at(-1)!;
        cursor = { transactionId: String(transaction), sequence };
        yield records;
      }
      if (rows.length < pageSize) break;
    }
    if (isOpen) return;
    if (performance.now() > end) break;
    await sleep(pause);
  }
  const stall = await findReadingStall(reader);
  if (stall !== null) onStall(stall);
}

interface Cursor {
  readonly transactionId: string;
  readonly sequence: number;
}

const pageStatement = `
  SELECT ${packedEventColumns} FROM svc_events event
  WHERE transaction_id < pg_snapshot_xmin(pg_current_snapshot()) AND (transaction_id, sequence) > ($1::xid8, $2::bigint)
  ORDER BY transaction_id, sequence LIMIT $3`;

const beginningStatement = `
  SELECT (SELECT transaction_id FROM svc_events WHERE sequence = $1) AS after,
    (SELECT transaction_id FROM svc_events ORDER BY transaction_id DESC LIMIT 1) AS target`;

/** Where to begin, and the last transaction that has kept something by now. */
async function beginning(reader: Reader, afterSequence: number): Promise<{ cursor: Cursor; target: string | null }> {
  const [row] = await reader.rows('svc-read-all-beginning', beginningStatement, [afterSequence]);
  const target = row?.['target'] ?? null;
  if (afterSequence < 0) return { cursor: { transactionId: '0', sequence: -1 }, target };
  const after = row?.['after'];
  if (typeof after !== 'string') {
    throw new ServiceError(
      'SVC_UNKNOWN_EVENT',
      `There is no event with the sequence number ${afterSequence} to read on from. Take that of an event that was read.`,
    );
  }
  return { cursor: { transactionId: after, sequence: afterSequence }, target };
}

async function hasPassed(reader: Reader, target: string): Promise<boolean> {
  const sql = 'SELECT $1::xid8 < pg_snapshot_xmin(pg_current_snapshot()) AS passed';
  const [row] = await reader.rows('svc-read-all-gate', sql, [target]);
  return row?.['passed'] === 't';
}
