import type { CommitPart } from './commit-part.js';

const known = `
UNION ALL
  SELECT record, 'settled', reacted.id, '' FROM reacted
  JOIN svc_reacted stored ON stored.reaction = reacted.reaction AND stored.event_id = reacted.id`;

/**
 * The part of the commit statement for events that reactions have processed. It locks their segments, so that no other term begins before the
 * commit has ended. The lock does not conflict with `advance`, which changes no key.
 *
 * An event that was processed before violates the primary key of `svc_reacted` and fails the whole batch, which is then committed with the careful
 * part. It finds such events first, for a tenth of the time of the statement; terms make them rare.
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
  SELECT * FROM jsonb_to_recordset(${reacted}::jsonb) AS event (record int, reaction text, segment int, term bigint, id uuid)
),
reactions AS MATERIALIZED (
  SELECT reaction, segment, term FROM svc_reaction_segments
  WHERE (reaction, segment) IN (SELECT reaction, segment FROM reacted) ORDER BY reaction, segment FOR KEY SHARE
)`,
      refusals: `${settled}
UNION ALL
  SELECT record, 'term', reacted.id, reaction FROM reacted
  WHERE (reaction, segment, term) NOT IN (SELECT reaction, segment, term FROM reactions)`,
      writes: `,
inserted_reacted AS (
  INSERT INTO svc_reacted (reaction, event_id)
  SELECT reaction, id FROM reacted WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY reaction, id
)`,
    }),
  };
}
