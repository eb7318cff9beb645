import { reactionSegments, type SqlItem } from '@svc/core/storage';

const segments = Array.from({ length: reactionSegments }, (_, segment) => segment);

/** The tables of reactions. */
export const reactionSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/reactions',
  creates: 'svc_reactions',
  steps: [
    `
    CREATE TABLE svc_reactions (
      name          TEXT PRIMARY KEY,
      sequence      INTEGER NOT NULL, -- of the last event that is processed or belongs to a failed stream; -1: none
      term          INTEGER NOT NULL, -- changes with the host that runs it, and with every change of an operator
      paused        INTEGER NOT NULL,
      started_at    INTEGER NOT NULL,
      started_after INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The events after the place that are processed.
    CREATE TABLE svc_reacted (
      reaction TEXT NOT NULL,
      event_id TEXT NOT NULL,
      PRIMARY KEY (reaction, event_id)
    ) STRICT, WITHOUT ROWID;

    -- The streams whose events wait because the reaction failed at one of them.
    CREATE TABLE svc_reaction_streams (
      reaction      TEXT NOT NULL,
      stream_id     TEXT NOT NULL,
      position      INTEGER NOT NULL, -- of the event to continue with
      event_id      TEXT NOT NULL,
      attempts      INTEGER NOT NULL,
      retry_at      INTEGER,          -- null: it is parked
      error_name    TEXT NOT NULL,
      error_message TEXT NOT NULL,
      PRIMARY KEY (reaction, stream_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX svc_reaction_streams_due ON svc_reaction_streams (reaction, retry_at) WHERE retry_at IS NOT NULL;`,
  ],
};

/** The progress of reactions, which had one place and one term before, in columns that are no longer used. */
export const reactionSegmentsSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/reaction-segments',
  creates: 'svc_reaction_segments',
  steps: [
    `
    -- The progress of a reaction, one row for each part of its streams.
    CREATE TABLE svc_reaction_segments (
      reaction TEXT NOT NULL,
      segment  INTEGER NOT NULL, -- the last digit of the stream ids, modulo the number of segments
      sequence INTEGER NOT NULL, -- of the last event that is processed or belongs to a failed stream; -1: none
      term     INTEGER NOT NULL, -- changes with the host that runs it, and with every change of an operator
      PRIMARY KEY (reaction, segment)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO svc_reaction_segments (reaction, segment, sequence, term)
    SELECT name, value, sequence, term FROM svc_reactions, json_each('${JSON.stringify(segments)}');

    ALTER TABLE svc_reaction_streams ADD COLUMN segment INTEGER NOT NULL DEFAULT 0;
    UPDATE svc_reaction_streams
    SET segment = (instr('0123456789abcdef', substr(stream_id, -1)) - 1) % ${reactionSegments};`,
  ],
};
