import { SystemEventStream } from '@svc/core';

/** The statements of reactions. */
export const reactionSql = {
  hasDomainEvents: `
    SELECT 1 FROM svc_events WHERE stream_id <> '${SystemEventStream.streamId}' AND type NOT LIKE 'svc.%' LIMIT 1`,
  insertReaction: `
    INSERT INTO svc_reactions (name, sequence, term, paused, started_at, started_after) VALUES (?1, ?2, 0, 0, ?3, ?2)`,
  insertSegment: 'INSERT INTO svc_reaction_segments (reaction, segment, sequence, term) VALUES (?, ?, ?, 0)',
  findReaction: 'SELECT * FROM svc_reactions WHERE name = ?',
  readSegments: 'SELECT segment, sequence, term FROM svc_reaction_segments WHERE reaction = ? ORDER BY segment',
  isInTerm: 'SELECT 1 FROM svc_reaction_segments WHERE reaction = ? AND segment = ? AND term = ?',
  reactionStandings: `
    SELECT own.*,
      (SELECT count(*) FROM (SELECT 1 FROM svc_events WHERE sequence > own.sequence LIMIT ?)) AS behind,
      (SELECT timestamp FROM svc_events WHERE sequence > own.sequence ORDER BY svc_events.sequence LIMIT 1) AS oldest,
      (SELECT count(*) FROM svc_reaction_streams WHERE reaction = own.name AND retry_at IS NOT NULL) AS waiting,
      (SELECT count(*) FROM svc_reaction_streams WHERE reaction = own.name AND retry_at IS NULL) AS parked
    FROM (
      SELECT name, paused, started_at, started_after,
        (SELECT min(sequence) FROM svc_reaction_segments WHERE reaction = name) AS sequence
      FROM svc_reactions
    ) own ORDER BY name`,
  beginTerm: `
    UPDATE svc_reaction_segments SET term = term + 1
    WHERE reaction = ? AND segment IN (SELECT value FROM json_each(?)) RETURNING segment, sequence, term`,
  beginTerms: 'UPDATE svc_reaction_segments SET term = term + 1 WHERE reaction = ?',
  pauseReaction: 'UPDATE svc_reactions SET paused = ? WHERE name = ?',
  advanceSegment: 'UPDATE svc_reaction_segments SET sequence = ? WHERE reaction = ? AND segment = ?',

  isReacted: 'SELECT 1 FROM svc_reacted WHERE reaction = ? AND event_id = ?',
  readReacted: 'SELECT event_id FROM svc_reacted WHERE reaction = ?',
  insertReacted: 'INSERT INTO svc_reacted (reaction, event_id) VALUES (?, ?)',
  forgetReacted: 'DELETE FROM svc_reacted WHERE reaction = ? AND event_id IN (SELECT value FROM json_each(?))',

  suspendStream: `
    INSERT INTO svc_reaction_streams
      (reaction, segment, stream_id, position, event_id, attempts, retry_at, error_name, error_message)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (reaction, stream_id) DO UPDATE SET
      position = excluded.position, event_id = excluded.event_id, attempts = excluded.attempts,
      retry_at = excluded.retry_at, error_name = excluded.error_name, error_message = excluded.error_message`,
  resumeStream: 'DELETE FROM svc_reaction_streams WHERE reaction = ? AND stream_id = ?',
  hasFailedStreams: `
    SELECT 1 FROM svc_reaction_streams
    WHERE reaction = ? AND segment IN (SELECT value FROM json_each(?)) LIMIT 1`,
  findFailedStreams: `
    SELECT stream_id FROM svc_reaction_streams
    WHERE reaction = ? AND stream_id IN (SELECT value FROM json_each(?))`,
  dueStreams: `
    SELECT * FROM svc_reaction_streams
    WHERE reaction = ? AND segment IN (SELECT value FROM json_each(?)) AND retry_at IS NOT NULL
    ORDER BY retry_at LIMIT ?`,
  readFailedStreams: `
    SELECT * FROM svc_reaction_streams WHERE reaction = ? AND stream_id > ? ORDER BY stream_id LIMIT ?`,
  retryStreams: `
    UPDATE svc_reaction_streams SET attempts = 0, retry_at = ?1
    WHERE reaction = ?2 AND (?3 IS NULL OR stream_id = ?3)`,
  skipEvent: `
    UPDATE svc_reaction_streams SET position = position + 1, attempts = 0, retry_at = ?
    WHERE reaction = ? AND stream_id = ?`,
} as const;
