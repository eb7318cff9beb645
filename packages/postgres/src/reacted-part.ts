import type { CommitPart } from './commit-part.js';

/**
 * The part of the commit statement for events that reactions have processed. It locks their segments, so that no other term begins before the commit has ended. The lock does not conflict with `advance`, which changes no
 * key.
 */
export const reactedPart: CommitPart = {
  name: 'reacted',
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
    refusals: `
UNION ALL
  SELECT record, 'settled', reacted.id, '' FROM reacted
  JOIN svc_reacted stored ON stored.reaction = reacted.reaction AND stored.event_id = reacted.id
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
