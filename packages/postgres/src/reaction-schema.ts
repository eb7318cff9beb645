import { reactionSegments, type SqlItem } from '@svc/core/storage';

/** The tables of reactions. */
export const reactionSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/reactions',
  creates: 'svc_reactions',
  steps: [
    `
      CREATE TABLE svc_reactions (
        name          text COLLATE "C" PRIMARY KEY,
        sequence      bigint NOT NULL, -- of the last event that is processed or belongs to a failed stream; -1: none
        term          bigint NOT NULL, -- changes with the host that runs it, and with every change of an operator
        paused        boolean NOT NULL DEFAULT false,
        started_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
        started_after bigint NOT NULL
      );

      -- The events after the place that are processed.
      CREATE TABLE svc_reacted (
        reaction text COLLATE "C" NOT NULL,
        event_id uuid NOT NULL,
        PRIMARY KEY (reaction, event_id)
      );

      -- The streams whose events wait because the reaction failed at one of them.
      CREATE TABLE svc_reaction_streams (
        reaction      text COLLATE "C" NOT NULL,
        stream_id     uuid NOT NULL,
        position      bigint NOT NULL, -- of the event to continue with
        event_id      uuid NOT NULL,
        attempts      integer NOT NULL,
        retry_at      timestamptz,     -- null: it is parked
        error_name    text NOT NULL,
        error_message text NOT NULL,
        PRIMARY KEY (reaction, stream_id)
      );

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
        reaction text COLLATE "C" NOT NULL,
        segment  integer NOT NULL, -- the last digit of the stream ids, modulo the number of segments
        sequence bigint NOT NULL,  -- of the last event that is processed or belongs to a failed stream; -1: none
        term     bigint NOT NULL,  -- changes with the host that runs it, and with every change of an operator
        PRIMARY KEY (reaction, segment)
      );

      INSERT INTO svc_reaction_segments (reaction, segment, sequence, term)
      SELECT name, segment, sequence, term FROM svc_reactions, generate_series(0, ${reactionSegments - 1}) AS segment;

      ALTER TABLE svc_reaction_streams ADD COLUMN segment integer NOT NULL DEFAULT 0;
      UPDATE svc_reaction_streams
      SET segment = ('x' || right(stream_id::text, 1))::bit(4)::integer % ${reactionSegments};`,
    `
      -- The processed events of a segment, one row for those of a commit. svc_reacted is no longer used.
      CREATE TABLE IF NOT EXISTS svc_reacted_rows (
        reaction text COLLATE "C" NOT NULL,
        segment  integer NOT NULL,
        id       uuid NOT NULL,
        events   uuid[] NOT NULL,
        PRIMARY KEY (reaction, segment, id)
      );

      INSERT INTO svc_reacted_rows (reaction, segment, id, events)
      SELECT reaction, segment, gen_random_uuid(), array_agg(event_id) FROM (
        SELECT reaction, event_id, ('x' || right(stream_id::text, 1))::bit(4)::integer % ${reactionSegments} AS segment
        FROM svc_reacted JOIN svc_events event ON event.id = event_id) processed
      GROUP BY reaction, segment;

      DELETE FROM svc_reacted;`,
  ],
};
