/** What there is to replay, counted without reading it. Events that transactions still hold back from readers are among it. */
import type { LogPlace } from '@svc/core/storage';
import type { Reader } from './reader.js';

/** Both look at every event once: some seconds for a million, and a rebuild of many millions is not to fail for it. */
const longestCountMs = 60 * 60 * 1000;

export async function countEvents(reader: Reader, types: readonly string[], upTo: LogPlace): Promise<number> {
  const values = [types, upTo.transaction ?? 0, upTo.sequence];
  const [row] = await reader.rows('svc-count-events', countStatement, values, longestCountMs);
  return Number(row?.['events'] ?? 0);
}

export async function readStreamEnds(reader: Reader, types: readonly string[]): Promise<readonly LogPlace[]> {
  const [row] = await reader.rows('svc-stream-ends', endsStatement, [types], longestCountMs);
  const [transactions, sequences] = [numbers(row?.['transactions']), numbers(row?.['sequences'])];
  return sequences.map((sequence, i) => ({ sequence, transaction: transactions[i]! }));
}

const countStatement = `
  SELECT count(*) AS events FROM svc_events
  WHERE type = ANY ($1::text[]) AND (transaction_id, sequence) <= ($2::text::xid8, $3::bigint)`;

/** Backwards along the index of streams and positions. In one row: there may be millions of streams. */
const endsStatement = `
  SELECT string_agg(ends.transaction_id::text, ',') AS transactions, string_agg(ends.sequence::text, ',') AS sequences
  FROM (
    SELECT transaction_id, sequence
    FROM (
      SELECT DISTINCT ON (stream_id) transaction_id, sequence FROM svc_events WHERE type = ANY ($1::text[])
      ORDER BY stream_id DESC, position DESC
    ) last
    ORDER BY transaction_id, sequence
  ) ends`;

function numbers(text: string | null | undefined): number[] {
  return text === null || text === undefined ? [] : text.split(',').map(Number);
}
