import type { CommitPart } from './commit-part.js';

/**
 * The part of the commit statement that changes scheduled commands. Commands that a record removes are locked first, in the order of their ids.
 * The insertion reads what the removal returns, so that a key is free again before it is used. A record does not settle a command that an
 * earlier record of the same batch replaces or cancels; if that one is refused, the command runs again later.
 *
 * A record whose cancelled command was removed before it could be locked is refused as raced: the transaction that removed it may have scheduled
 * another command under the same key, which this statement does not see.
 *
 * The ids are arrays, not subqueries. A claim that commits during the statement makes PostgreSQL check the new version of a row again. With
 * `IN (subquery)` that check finds the first such row of a statement only, and the other commands would stay, although they are cancelled.
 */
export const schedulesPart: CommitPart = {
  name: 'schedules',
  lists: ['settled', 'cancelled', 'scheduled'],
  sql: (settled, cancelled, scheduled) => ({
    rows: `,
settled AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${settled}::jsonb) AS command (record int, id uuid)
),
cancelled AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${cancelled}::jsonb) AS command (record int, tenant text, key text)
),
added AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${scheduled}::jsonb) AS command (
    record int, id uuid, tenant text, key text, type text, message text, at double precision, after_ms double precision,
    alone boolean)
),
found AS MATERIALIZED (
  SELECT cancelled.record, scheduled.id FROM cancelled JOIN svc_scheduled scheduled
    ON scheduled.tenant = cancelled.tenant COLLATE "C" AND scheduled.key = cancelled.key COLLATE "C"
),
removable AS MATERIALIZED (
  SELECT id FROM svc_scheduled
  WHERE id = ANY (ARRAY(SELECT id FROM settled UNION ALL SELECT id FROM found))
  ORDER BY id FOR UPDATE
)`,
    refusals: `
UNION ALL
  SELECT record, 'settled', id, '' FROM settled WHERE id NOT IN (SELECT id FROM removable)
UNION ALL
  SELECT settled.record, 'settled', id, '' FROM settled JOIN found USING (id) WHERE found.record < settled.record
UNION ALL
  SELECT record, 'raced', id, '' FROM found WHERE id NOT IN (SELECT id FROM removable)
UNION ALL
  SELECT record, 'known message', id, '' FROM added JOIN svc_scheduled USING (id) WHERE alone
UNION ALL
  SELECT record, 'known message', id, '' FROM added JOIN svc_renewed USING (id) WHERE alone`,
    writes: `,
removed AS (
  DELETE FROM svc_scheduled WHERE id = ANY (ARRAY(
    SELECT id FROM settled WHERE record NOT IN (SELECT record FROM refusals)
    UNION ALL
    SELECT id FROM found WHERE record NOT IN (SELECT record FROM refusals)))
  RETURNING id
),
inserted_scheduled AS (
  INSERT INTO svc_scheduled (id, tenant, key, type, message, due_at, claimable_at)
  SELECT id, tenant, key, type, message::json, due_at, due_at
  FROM (
    SELECT *, coalesce(to_timestamp(at / 1000), clock_timestamp() + after_ms * interval '1 millisecond') AS due_at
    FROM added
    WHERE record NOT IN (SELECT record FROM refusals) AND (SELECT count(*) FROM removed) >= 0) due
  ORDER BY id
)`,
  }),
};
