import { SystemEventStream } from '@svc/core';
import { waitingAfterLast } from './standings.js';

const columns = `
  own.name, own.sequence, own.term, own.paused::text AS paused, own.started_after,
  (extract(epoch FROM own.started_at) * 1000)::bigint AS started_at`;

/** Records nothing if the reaction may not start in a log with events of the application ($3 false), and there are any. */
export const registerStatement = `
  INSERT INTO svc_reactions (name, sequence, term, started_after)
  SELECT $1, $2::bigint, 0, $2::bigint
  WHERE $3::boolean OR NOT EXISTS (
    SELECT FROM svc_events WHERE stream_id <> '${SystemEventStream.streamId}' AND type NOT LIKE 'svc.%' ORDER BY sequence LIMIT 1)
  ON CONFLICT (name) DO NOTHING`;

export const lastEventStatement =
  'SELECT sequence, transaction_id FROM svc_events ORDER BY transaction_id DESC, sequence DESC LIMIT 1';

export const findReactionStatement = `SELECT ${columns} FROM svc_reactions own WHERE name = $1`;

export const reactionStandingsStatement = `
  SELECT ${columns}, waiting.events, waiting.oldest,
    (SELECT count(*) FROM svc_reaction_streams WHERE reaction = own.name AND retry_at IS NOT NULL) AS waiting,
    (SELECT count(*) FROM svc_reaction_streams WHERE reaction = own.name AND retry_at IS NULL) AS parked
  FROM svc_reactions own LEFT JOIN svc_events last ON last.sequence = own.sequence
  ${waitingAfterLast('$1')}
  ORDER BY own.name`;

/** Waits for commits of earlier terms, which hold a weaker lock. An update alone would not. */
const held = 'held AS MATERIALIZED (SELECT name FROM svc_reactions WHERE name = $1 FOR UPDATE)';

export const beginStatement = `
  WITH ${held}
  UPDATE svc_reactions own SET term = term + 1 FROM held WHERE own.name = held.name RETURNING ${columns}`;

export const reactedStatement = `
  SELECT coalesce(json_agg(event_id), '[]')::text AS reacted,
    EXISTS (SELECT FROM svc_reaction_streams WHERE reaction = $1)::text AS has_failed
  FROM svc_reacted WHERE reaction = $1`;

const forget = (reactions: string, events: string): string =>
  `DELETE FROM svc_reacted USING ${reactions} WHERE reaction = ${reactions}.name AND event_id = ANY(${events}::uuid[])`;

export const advanceStatement = `
  WITH moved AS (UPDATE svc_reactions SET sequence = $3 WHERE name = $1 AND term = $2 RETURNING name),
  forgotten AS (${forget('moved', '$4')})
  SELECT name FROM moved`;

const inTerm = 'own AS MATERIALIZED (SELECT name FROM svc_reactions WHERE name = $1 AND term = $2 FOR KEY SHARE)';

export const suspendStatement = `
  WITH ${inTerm},
  forgotten AS (${forget('own', '$10')})
  INSERT INTO svc_reaction_streams
    (reaction, stream_id, position, event_id, attempts, retry_at, error_name, error_message)
  SELECT name, $3::uuid, $4::bigint, $5::uuid, $6::int,
    clock_timestamp() + $7::double precision * interval '1 millisecond', $8, $9
  FROM own
  ON CONFLICT (reaction, stream_id) DO UPDATE SET
    position = excluded.position, event_id = excluded.event_id, attempts = excluded.attempts,
    retry_at = excluded.retry_at, error_name = excluded.error_name, error_message = excluded.error_message
  RETURNING reaction`;

export const resumeStatement = `
  WITH ${inTerm},
  forgotten AS (${forget('own', '$4')}),
  resumed AS (DELETE FROM svc_reaction_streams USING own WHERE reaction = own.name AND stream_id = $3)
  SELECT name FROM own`;

export const findFailedStatement =
  'SELECT stream_id FROM svc_reaction_streams WHERE reaction = $1 AND stream_id = ANY($2::uuid[])';

const streamColumns = `
  stream_id, position, event_id, attempts, error_name, error_message,
  ceil(extract(epoch FROM retry_at - clock_timestamp()) * 1000) AS retry_in_ms`;

export const dueStatement = `
  SELECT ${streamColumns} FROM svc_reaction_streams
  WHERE reaction = $1 AND retry_at IS NOT NULL ORDER BY retry_at LIMIT $2`;

export const readFailedStatement = `
  SELECT ${streamColumns} FROM svc_reaction_streams
  WHERE reaction = $1 AND stream_id > $2 ORDER BY stream_id LIMIT $3`;

export const pauseStatement = `
  WITH ${held}
  UPDATE svc_reactions own SET term = term + 1, paused = $2 FROM held WHERE own.name = held.name RETURNING own.name`;

const newTerm = `
  WITH ${held},
  changed AS (UPDATE svc_reactions own SET term = term + 1 FROM held WHERE own.name = held.name RETURNING own.name)`;

export const retryStatement = `
  ${newTerm}
  UPDATE svc_reaction_streams SET attempts = 0, retry_at = clock_timestamp() FROM changed
  WHERE reaction = changed.name AND ($2::uuid IS NULL OR stream_id = $2) RETURNING stream_id`;

export const skipStatement = `
  ${newTerm}
  UPDATE svc_reaction_streams SET position = position + 1, attempts = 0, retry_at = clock_timestamp() FROM changed
  WHERE reaction = changed.name AND stream_id = $2 AND position = $3 RETURNING stream_id`;
