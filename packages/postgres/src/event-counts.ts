/** What there is to replay, counted without reading it. Events that transactions still hold back from readers are among it. */
import type { LogPlace } from '@svc/core';
import type { Asking } from './reader.js';

export async function countEvents(asking: Asking, types: readonly string[], upTo: LogPlace): Promise<number> {
  const values = [types, upTo.transaction ?? 0, upTo.sequence];
  const [row] = await asking.rows('svc-count-events', countStatement, values);
  return Number(row?.['events'] ?? 0);
}

export async function readStreamEnds(asking: Asking, types: readonly string[]): Promise<readonly LogPlace[]> {
  const [row] = await asking.rows('svc-stream-ends', endsStatement, [types]);
  const [transactions, sequences] = [numbers(row?.['transactions']), numbers(row?.['sequences'])];
  return sequences.map((sequence, i) => ({ sequence, transaction: transactions[i]! }));
}

const countStatement = `
  SELECT count(*) AS events FROM svc_events
  WHERE type = ANY ($1::text[]) AND (transaction_id, sequence) <= ($2::text::xid8, $3::bigint)`;

/** In one row: there may be millions of streams. */
const endsStatement = `
  SELECT string_agg(ends.transaction_id::text, ',') AS transactions, string_agg(ends.sequence::text, ',') AS sequences
  FROM (
    SELECT event.transaction_id, event.sequence
    FROM (
      SELECT stream_id, max(position) AS position FROM svc_events WHERE type = ANY ($1::text[]) GROUP BY stream_id
    ) last JOIN svc_events event USING (stream_id, position)
    ORDER BY event.transaction_id, event.sequence
  ) ends`;

function numbers(text: string | null | undefined): number[] {
  return text === null || text === undefined ? [] : text.split(',').map(Number);
}
