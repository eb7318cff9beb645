import type { SqlItem } from '@svc/core/storage';

/** The places of perspectives, and what is stored in addition to their models. */
export const perspectivesSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/perspectives',
  creates: 'svc_perspectives',
  // The tables of each perspective are created separately, because the perspectives are not known here.
  steps: [
    `
      CREATE TABLE svc_perspectives (
        name       text COLLATE "C" PRIMARY KEY,
        sequence   bigint NOT NULL, -- of the last event it has taken; -1: none
        revision   bigint NOT NULL, -- changes with everything that is kept of it
        definition text NOT NULL    -- its indexed properties
      );

      CREATE TABLE svc_perspectives_stopped (
        perspective   text COLLATE "C" NOT NULL,
        stream_id     uuid NOT NULL,
        event_id      uuid NOT NULL,
        position      bigint NOT NULL,
        error_name    text NOT NULL,
        error_message text NOT NULL,
        PRIMARY KEY (perspective, stream_id)
      );`,
    `
      -- Rewinds of streams that were begun and are not done.
      CREATE TABLE IF NOT EXISTS svc_rewinds (
        lane      text COLLATE "C" NOT NULL, -- of the hosts that work on them
        stream_id uuid NOT NULL,
        rewind    json NOT NULL,
        PRIMARY KEY (lane, stream_id)
      );`,
    'ALTER TABLE svc_perspectives_stopped ADD COLUMN IF NOT EXISTS attempts integer NOT NULL DEFAULT 1;',
    `
      ALTER TABLE svc_perspectives
        ADD COLUMN perspective text COLLATE "C", -- whose tables they are
        ADD COLUMN role text;                    -- serving, rebuilding, migrating or retained

      -- Hosts of earlier versions state both in the name, and may still write while this one starts.
      CREATE FUNCTION svc_perspective_of_name() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.perspective := split_part(NEW.name, '~', 1);
        NEW.role := CASE WHEN NEW.name LIKE '%~~~%' THEN 'retained' WHEN NEW.name LIKE '%~~%' THEN 'migrating'
          WHEN NEW.name LIKE '%~%' THEN 'rebuilding' ELSE 'serving' END;
        RETURN NEW;
      END $$;

      CREATE TRIGGER svc_perspectives_recorded BEFORE INSERT ON svc_perspectives
      FOR EACH ROW WHEN (NEW.role IS NULL) EXECUTE FUNCTION svc_perspective_of_name();

      CREATE TRIGGER svc_perspectives_renamed BEFORE UPDATE OF name ON svc_perspectives
      FOR EACH ROW WHEN (NEW.role IS NOT DISTINCT FROM OLD.role) EXECUTE FUNCTION svc_perspective_of_name();

      -- Fills both columns of the rows that are there.
      UPDATE svc_perspectives SET name = name;`,
    `
      ALTER TABLE svc_perspectives
        ADD COLUMN segments integer NOT NULL DEFAULT 1, -- how many hosts can process it at the same time
        ADD COLUMN copied bigint; -- while a migration copies its models: the last revision of a model in a segment

      -- The progress of the segments of tables. While there are any, that of the tables does not change.
      CREATE TABLE svc_segments (
        name     text COLLATE "C" NOT NULL REFERENCES svc_perspectives ON UPDATE CASCADE ON DELETE CASCADE,
        segment  integer NOT NULL,
        sequence bigint NOT NULL,
        revision bigint NOT NULL,
        PRIMARY KEY (name, segment)
      );

      CREATE TABLE svc_segments_stopped (
        name          text COLLATE "C" NOT NULL,
        segment       integer NOT NULL,
        stream_id     uuid NOT NULL,
        event_id      uuid NOT NULL,
        position      bigint NOT NULL,
        error_name    text NOT NULL,
        error_message text NOT NULL,
        attempts      integer NOT NULL,
        PRIMARY KEY (name, segment, stream_id),
        FOREIGN KEY (name, segment) REFERENCES svc_segments ON UPDATE CASCADE ON DELETE CASCADE
      );

      -- Hosts of earlier versions do not know segments, and must not commit to the tables.
      CREATE FUNCTION svc_perspective_is_divided() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'Several hosts process % in segments. Stop this host, which has an earlier version of svc.', OLD.name;
      END $$;

      CREATE TRIGGER svc_perspectives_divided BEFORE UPDATE ON svc_perspectives
      FOR EACH ROW WHEN (OLD.segments > 1 AND NEW.segments > 1
        AND (NEW.sequence <> OLD.sequence OR NEW.revision <> OLD.revision))
      EXECUTE FUNCTION svc_perspective_is_divided();`,
    `
      ALTER TABLE svc_perspectives
        ADD COLUMN generation text NOT NULL DEFAULT gen_random_uuid()::text, -- tables that replace these have another one
        ADD COLUMN changed bigint NOT NULL DEFAULT 0; -- the revision after the last commit that changed a model`,
  ],
};
