import type { CommitPart } from './commit-part.js';

/** The part of the commit statement for results of idempotency keys, dead letters, and the previous ids of messages with a new id. */
export const resultsPart: CommitPart = {
  name: 'results',
  lists: ['keys', 'deadLetters', 'resolved', 'renewed'],
  sql: (keys, deadLetters, resolved, renewed) => ({
    rows: `,
keys AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${keys}::jsonb) AS key (
    record int, id text, request_hash text, message_id uuid, result text, last_event_id uuid)
),
dead_letters AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${deadLetters}::jsonb) AS dead_letter (
    record int, id uuid, direction text, cause text, message_id uuid, letter text)
),
resolved AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${resolved}::jsonb) AS dead_letter (record int, id uuid)
),
renewed AS (
  SELECT * FROM jsonb_to_recordset(${renewed}::jsonb) AS message (record int, id uuid)
),
stored_dead_letters AS MATERIALIZED (
  SELECT id FROM svc_dead_letters WHERE id IN (SELECT id FROM resolved) ORDER BY id FOR UPDATE
)`,
    refusals: `
UNION ALL
  SELECT record, 'known key', stored.message_id, '' FROM keys JOIN svc_idempotency stored USING (id)
UNION ALL
  SELECT record, 'settled', id, '' FROM resolved WHERE id NOT IN (SELECT id FROM stored_dead_letters)`,
    writes: `,
inserted_keys AS (
  INSERT INTO svc_idempotency (id, request_hash, message_id, result, last_event_id)
  SELECT id, request_hash, message_id, result, last_event_id FROM keys
  WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY id
),
inserted_dead_letters AS (
  INSERT INTO svc_dead_letters (id, direction, cause, message_id, record)
  SELECT id, direction, cause, message_id, letter::json FROM dead_letters
  WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY id
),
deleted_dead_letters AS (
  DELETE FROM svc_dead_letters
  WHERE id IN (SELECT id FROM resolved WHERE record NOT IN (SELECT record FROM refusals))
),
inserted_renewed AS (
  INSERT INTO svc_renewed (id)
  SELECT id FROM renewed WHERE record NOT IN (SELECT record FROM refusals)
  ORDER BY id
)`,
  }),
};
