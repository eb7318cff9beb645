import { SystemEventStream } from '@svc/core';
import { reactionSegments } from '@svc/core/storage';
import { waitingAfterLast } from './standings.js';

const columns = `
  own.name, own.paused::text AS paused, own.started_after,
  (extract(epoch FROM own.started_at) * 1000)::bigint AS started_at`;

/** Records nothing if the reaction may not start in a log with events of the application ($3 false), and there are any. */
export const registerStatement = `
  WITH added AS (
    INSERT INTO svc_reactions (name, sequence, term, started_after)
    SELECT $1, $2::bigint, 0, $2::bigint
    WHERE $3::boolean OR NOT EXISTS (
      SELECT FROM svc_events WHERE stream_id <> '${SystemEventStream.streamId}' AND type NOT LIKE 'svc.%' ORDER BY sequence LIMIT 1)
    ON CONFLICT (name) DO NOTHING RETURNING name)
  INSERT INTO svc_reaction_segments (reaction, segment, sequence, term)
  SELECT name, segment, $2::bigint, 0 FROM added, generate_series(0, ${reactionSegments - 1}) AS segment`;

export const lastEventStatement =
  'SELECT sequence, transaction_id FROM svc_events ORDER BY transaction_id DESC, sequence DESC LIMIT 1';

export const findReactionStatement = `
  SELECT ${columns}, (
    SELECT json_agg(json_build_object('segment', segment, 'sequence', sequence, 'term', term) ORDER BY segment)
    FROM svc_reaction_segments WHERE reaction = own.name)::text AS segments
  FROM svc_reactions own WHERE name = $1`;

export const reactionStandingsStatement = `
  SELECT ${columns}, furthest.sequence, waiting.events, waiting.oldest,
    (SELECT count(*) FROM svc_reaction_streams WHERE reaction = own.name AND retry_at IS NOT NULL) AS waiting,
    (SELECT count(*) FROM svc_reaction_streams WHERE reaction = own.name AND retry_at IS NULL) AS parked
  FROM svc_reactions own
  CROSS JOIN LATERAL (
    SELECT segment.sequence FROM svc_reaction_segments segment LEFT JOIN svc_events reached USING (sequence)
    WHERE segment.reaction = own.name
    ORDER BY reached.transaction_id NULLS FIRST, segment.sequence LIMIT 1
  ) furthest
  LEFT JOIN svc_events last ON last.sequence = furthest.sequence
  ${waitingAfterLast('$1')}
  ORDER BY own.name`;

/** Waits for commits of earlier terms, which hold a weaker lock. An update alone would not. Always in the same order, so that hosts do not wait for each other. */
const held = (segments: string): string => `held AS MATERIALIZED (
    SELECT reaction, segment FROM svc_reaction_segments WHERE reaction = $1${segments} ORDER BY segment FOR UPDATE)`;

const newTerms = `
  UPDATE svc_reaction_segments own SET term = term + 1 FROM held
  WHERE own.reaction = held.reaction AND own.segment = held.segment`;

export const beginStatement = `
  WITH ${held(' AND segment = ANY($2::int[])')}
  ${newTerms} RETURNING own.segment, own.sequence, own.term`;

/**
 * Replaces the processed events that earlier terms have left with those that are needed: after the place of their segment, or not before the position of
 * their failed stream. Changes nothing in segments in which another term ($3) has begun.
 */
export const leftStatement = `
  WITH own AS MATERIALIZED (
    SELECT segment.segment, segment.sequence, reached.transaction_id
    FROM unnest($2::int[], $3::bigint[]) AS begun (segment, term)
    JOIN svc_reaction_segments segment ON segment.reaction = $1 AND segment.segment = begun.segment AND segment.term = begun.term
    LEFT JOIN svc_events reached ON reached.sequence = segment.sequence
    ORDER BY segment.segment FOR KEY SHARE OF segment),
  stored AS (
    DELETE FROM svc_reacted_rows USING own WHERE reaction = $1 AND svc_reacted_rows.segment = own.segment
    RETURNING own.segment, own.sequence, own.transaction_id, svc_reacted_rows.events),
  needed AS (
    SELECT stored.segment, array_agg(event.id) AS events
    FROM stored CROSS JOIN unnest(stored.events) AS processed (id) JOIN svc_events event ON event.id = processed.id
    LEFT JOIN svc_reaction_streams failed ON failed.reaction = $1 AND failed.stream_id = event.stream_id
    WHERE stored.transaction_id IS NULL OR event.position >= failed.position
      OR (event.transaction_id, event.sequence) > (stored.transaction_id, stored.sequence)
    GROUP BY stored.segment),
  retained AS (
    INSERT INTO svc_reacted_rows (reaction, segment, id, events) SELECT $1, segment, gen_random_uuid(), events FROM needed
    RETURNING segment, id, events)
  SELECT paused::text AS paused,
    (SELECT coalesce(json_agg(json_build_object('segment', segment, 'id', id, 'events', events)), '[]') FROM retained)::text AS reacted,
    EXISTS (SELECT FROM svc_reaction_streams WHERE reaction = $1 AND segment = ANY($2::int[]))::text AS has_failed
  FROM svc_reactions WHERE name = $1`;

export const advanceStatement = `
  WITH wanted AS (SELECT * FROM jsonb_to_recordset($3::jsonb) AS move (segment int, term bigint, passed uuid[])),
  locked AS MATERIALIZED (
    SELECT segment FROM svc_reaction_segments WHERE reaction = $1 AND segment IN (SELECT segment FROM wanted)
    ORDER BY segment FOR NO KEY UPDATE),
  moved AS (
    UPDATE svc_reaction_segments own SET sequence = $2::bigint FROM wanted JOIN locked USING (segment)
    WHERE own.reaction = $1 AND own.segment = wanted.segment AND own.term = wanted.term
    RETURNING own.segment, wanted.passed),
  forgotten AS (
    DELETE FROM svc_reacted_rows USING moved
    WHERE reaction = $1 AND svc_reacted_rows.segment = moved.segment AND id = ANY(moved.passed))
  SELECT segment FROM moved`;

const inTerm = `own AS MATERIALIZED (
    SELECT reaction, segment FROM svc_reaction_segments WHERE reaction = $1 AND segment = $2 AND term = $3 FOR KEY SHARE)`;

const forget = (rows: string): string => `
    DELETE FROM svc_reacted_rows USING own
    WHERE svc_reacted_rows.reaction = own.reaction AND svc_reacted_rows.segment = own.segment AND id = ANY(${rows}::uuid[])`;

export const suspendStatement = `
  WITH ${inTerm},
  forgotten AS (${forget('$11')})
  INSERT INTO svc_reaction_streams
    (reaction, segment, stream_id, position, event_id, attempts, retry_at, error_name, error_message)
  SELECT reaction, segment, $4::uuid, $5::bigint, $6::uuid, $7::int,
    clock_timestamp() + $8::double precision * interval '1 millisecond', $9, $10
  FROM own
  ON CONFLICT (reaction, stream_id) DO UPDATE SET
    position = excluded.position, event_id = excluded.event_id, attempts = excluded.attempts,
    retry_at = excluded.retry_at, error_name = excluded.error_name, error_message = excluded.error_message
  RETURNING reaction`;

export const resumeStatement = `
  WITH ${inTerm},
  forgotten AS (${forget('$5')}),
  resumed AS (
    DELETE FROM svc_reaction_streams failed USING own WHERE failed.reaction = own.reaction AND failed.stream_id = $4)
  SELECT reaction FROM own`;

export const findFailedStatement =
  'SELECT stream_id FROM svc_reaction_streams WHERE reaction = $1 AND stream_id = ANY($2::uuid[])';

const streamColumns = `
  stream_id, position, event_id, attempts, error_name, error_message,
  ceil(extract(epoch FROM retry_at - clock_timestamp()) * 1000) AS retry_in_ms`;

export const dueStatement = `
  SELECT ${streamColumns} FROM svc_reaction_streams
  WHERE reaction = $1 AND segment = ANY($2::int[]) AND retry_at IS NOT NULL ORDER BY retry_at LIMIT $3`;

export const readFailedStatement = `
  SELECT ${streamColumns} FROM svc_reaction_streams
  WHERE reaction = $1 AND stream_id > $2 ORDER BY stream_id LIMIT $3`;

const newTermsOfAll = `
  WITH ${held('')},
  changed AS (${newTerms} RETURNING own.segment)`;

export const pauseStatement = `
  ${newTermsOfAll}
  UPDATE svc_reactions SET paused = $2 WHERE name = $1 RETURNING name`;

export const retryStatement = `
  ${newTermsOfAll}
  UPDATE svc_reaction_streams failed SET attempts = 0, retry_at = clock_timestamp() FROM changed
  WHERE reaction = $1 AND failed.segment = changed.segment AND ($2::uuid IS NULL OR stream_id = $2) RETURNING stream_id`;

export const skipStatement = `
  ${newTermsOfAll}
  UPDATE svc_reaction_streams failed SET position = position + 1, attempts = 0, retry_at = clock_timestamp() FROM changed
  WHERE reaction = $1 AND failed.segment = changed.segment AND stream_id = $2 AND position = $3 RETURNING stream_id`;
