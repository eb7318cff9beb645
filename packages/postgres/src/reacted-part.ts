import type { CommitPart } from './commit-part.js';

/**
 * The part of the commit statement for events that reactions have processed. It locks the reactions, so that no other term begins before the commit has ended. The lock does not conflict with `advance`, which changes no
 * key.
 */
export const reactedPart: CommitPart = {
  name: 'reacted',
  lists: ['reacted'],
  sql: (reacted) => ({
    rows: `,
reacted AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${reacted}::jsonb) AS event (record int, reaction text, term bigint, id uuid)
),
reactions AS MATERIALIZED (
  SELECT name, term FROM svc_reactions WHERE name IN (SELECT reaction FROM reacted) ORDER BY name FOR KEY SHARE
)`,
    refusals: `
UNION ALL
  SELECT record, 'settled', reacted.id, '' FROM reacted
  JOIN svc_reacted stored ON stored.reaction = reacted.reaction AND stored.event_id = reacted.id
UNION ALL
  SELECT record, 'term', reacted.id, reaction FROM reacted
  WHERE (reaction, term) NOT IN (SELECT name, term FROM reactions)`,
    writes: `,
inserted_reacted AS (
  INSERT INTO svc_reacted (reaction, event_id)
  SELECT reaction, id FROM reacted WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY reaction, id
)`,
  }),
};
