/** Counts the events to replay without reading them. Includes events that open transactions hold back. */
import type { LogPlace } from '@svc/core/storage';
import type { Reader } from './reader.js';

/** Both statements scan all events, some seconds per million. A rebuild of many millions must not fail because of that. */
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

/** Scans the index of streams and positions backwards. Returns one row, because there may be millions of streams. */
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
