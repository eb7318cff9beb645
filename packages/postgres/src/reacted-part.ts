import type { CommitPart } from './commit-part.js';

const processed = 'unnest(reacted.records, reacted.events) AS processed (record, event)';

const known = `
UNION ALL
  SELECT processed.record, 'settled', processed.event, '' FROM reacted CROSS JOIN ${processed}
  JOIN svc_reacted_rows stored
    ON stored.reaction = reacted.reaction AND stored.segment = reacted.segment AND processed.event = ANY(stored.events)`;

/**
 * The part of the commit statement for events that reactions have processed, a row for each segment. It locks the segments, so that no other term
 * begins before the commit has ended. The lock does not conflict with `advance`, which changes no key.
 *
 * Rows have the ids that the host has given them. If a batch is committed again, its rows violate the primary key, and the batch is committed
 * with the careful part, which finds the events that were processed before (`reacted-rows.ts`).
 */
export const reactedPart = partWith('reacted', '');
export const carefulReactedPart = partWith('reacted-careful', known);

function partWith(name: string, settled: string): CommitPart {
  return {
    name,
    lists: ['reacted'],
    sql: (reacted) => ({
      rows: `,
reacted AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${reacted}::jsonb) AS row (
    reaction text, segment int, term bigint, id uuid, records int[], events uuid[])
),
reactions AS MATERIALIZED (
  SELECT reaction, segment, term FROM svc_reaction_segments
  WHERE (reaction, segment) IN (SELECT reaction, segment FROM reacted) ORDER BY reaction, segment FOR KEY SHARE
)`,
      refusals: `${settled}
UNION ALL
  SELECT processed.record, 'term', processed.event, reaction FROM reacted CROSS JOIN ${processed}
  WHERE (reaction, segment, term) NOT IN (SELECT reaction, segment, term FROM reactions)`,
      writes: `,
inserted_reacted AS (
  INSERT INTO svc_reacted_rows (reaction, segment, id, events)
  SELECT reaction, segment, id, committed.events FROM reacted CROSS JOIN LATERAL (
    SELECT array_agg(processed.event) AS events FROM ${processed}
    WHERE processed.record NOT IN (SELECT record FROM refusals)) committed
  WHERE committed.events IS NOT NULL
)`,
    }),
  };
}
