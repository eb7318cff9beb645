import type { SqlItem } from '@svc/core/storage';
import { auditLookupSchema, auditSchema } from './audit-statements.js';
import { reactionSchema, reactionSegmentsSchema } from './reaction-schema.js';
import { scheduledItem } from './schedule-schema.js';
import { processSchema } from './sqlite-processes.js';
import { subjectKeySchema } from './sqlite-subject-keys.js';
import { hostSchema } from './sqlite-hosts.js';
import { sealSchema } from './sqlite-seals.js';
import { snapshotSchema } from './sqlite-snapshots.js';

/** What the name of a table means in steps of earlier versions. */
const ofName = `
        UPDATE svc_perspectives SET
          perspective = substr(name, 1, instr(name || '~', '~') - 1),
          role = CASE WHEN name LIKE '%~~~%' THEN 'retained' WHEN name LIKE '%~~%' THEN 'migrating'
            WHEN name LIKE '%~%' THEN 'rebuilding' ELSE 'serving' END
        WHERE name = NEW.name;`;

/** The parts of the schema, in the order in which they are created. A change is a new step. A released step never changes. */
export const schema: readonly SqlItem[] = [
  {
    kind: 'sql',
    key: 'infrastructure/events',
    creates: 'svc_events',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_events (
        sequence       INTEGER PRIMARY KEY,
        id             TEXT NOT NULL UNIQUE,
        stream_id      TEXT NOT NULL,
        position       INTEGER NOT NULL,
        type           TEXT NOT NULL,
        body           TEXT NOT NULL,
        timestamp      INTEGER NOT NULL,
        correlation_id TEXT NOT NULL,
        causation_id   TEXT,
        scope          TEXT,
        metadata       TEXT NOT NULL,
        UNIQUE (stream_id, position)
      ) STRICT;

      CREATE TRIGGER IF NOT EXISTS svc_events_are_not_changed BEFORE UPDATE ON svc_events
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never changed'); END;

      CREATE TRIGGER IF NOT EXISTS svc_events_are_not_deleted BEFORE DELETE ON svc_events
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never deleted'); END;

      -- INSERT OR REPLACE deletes without asking the trigger above.
      CREATE TRIGGER IF NOT EXISTS svc_events_are_not_replaced BEFORE INSERT ON svc_events
      WHEN EXISTS (
        SELECT 1 FROM svc_events
        WHERE sequence = NEW.sequence OR id = NEW.id OR (stream_id = NEW.stream_id AND position = NEW.position)
      )
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never replaced'); END;`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/outbox',
    creates: 'svc_outbox',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_outbox (
        lane        TEXT NOT NULL,
        sequence    INTEGER NOT NULL,
        id          TEXT NOT NULL UNIQUE,
        destination TEXT NOT NULL,
        message     TEXT, -- null when the event is the message, or the note says what there is to say beside it
        note        TEXT,
        event_id    TEXT,
        PRIMARY KEY (lane, sequence)
      ) STRICT, WITHOUT ROWID;`,
      `
      -- What system events were queued as, of those that were appended under new ids.
      CREATE TABLE IF NOT EXISTS svc_renewed (
        id TEXT PRIMARY KEY
      ) STRICT, WITHOUT ROWID;`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/leases',
    creates: 'svc_leases',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_leases (
        lane       TEXT PRIMARY KEY,
        holder     TEXT NOT NULL,
        process    TEXT NOT NULL, -- the machine and the number of the process, to see when it is gone
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/inbox',
    creates: 'svc_inbox',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_inbox (
        id          TEXT PRIMARY KEY,
        received_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;`,
      'CREATE INDEX IF NOT EXISTS svc_inbox_age ON svc_inbox (received_at);',
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/idempotency',
    creates: 'svc_idempotency',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_idempotency (
        id           TEXT PRIMARY KEY,
        request_hash TEXT NOT NULL,
        message_id   TEXT NOT NULL,
        result       TEXT NOT NULL,
        kept_at      INTEGER NOT NULL
      ) STRICT;

      CREATE INDEX IF NOT EXISTS svc_idempotency_age ON svc_idempotency (kept_at);`,
      'ALTER TABLE svc_idempotency ADD COLUMN last_event_id TEXT; -- the last event of the command',
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/dead-letters',
    creates: 'svc_dead_letters',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_dead_letters (
        id         TEXT PRIMARY KEY,
        direction  TEXT NOT NULL,
        cause      TEXT NOT NULL,
        message_id TEXT NOT NULL,
        record     TEXT NOT NULL
      ) STRICT;`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/perspectives',
    creates: 'svc_perspectives',
    // The tables of each perspective are created separately, because the perspectives are not known here.
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_perspectives (
        name       TEXT PRIMARY KEY,
        sequence   INTEGER NOT NULL, -- of the last event it has taken; -1: none
        revision   INTEGER NOT NULL, -- changes with everything that is kept of it
        definition TEXT NOT NULL     -- its indexed properties
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE IF NOT EXISTS svc_perspectives_stopped (
        perspective   TEXT NOT NULL,
        stream_id     TEXT NOT NULL,
        event_id      TEXT NOT NULL,
        position      INTEGER NOT NULL,
        error_name    TEXT NOT NULL,
        error_message TEXT NOT NULL,
        PRIMARY KEY (perspective, stream_id)
      ) STRICT, WITHOUT ROWID;`,
      `
      -- Rewinds of streams that were begun and are not done.
      CREATE TABLE IF NOT EXISTS svc_rewinds (
        lane      TEXT NOT NULL, -- of the hosts that work on them
        stream_id TEXT NOT NULL,
        rewind    TEXT NOT NULL,
        PRIMARY KEY (lane, stream_id)
      ) STRICT, WITHOUT ROWID;`,
      'ALTER TABLE svc_perspectives_stopped ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1;',
      `
      ALTER TABLE svc_perspectives ADD COLUMN perspective TEXT; -- whose tables they are
      ALTER TABLE svc_perspectives ADD COLUMN role TEXT;        -- serving, rebuilding, migrating or retained

      -- Processes of earlier versions state both in the name, and may still write while this one starts.
      CREATE TRIGGER svc_perspectives_recorded AFTER INSERT ON svc_perspectives WHEN NEW.role IS NULL
      BEGIN ${ofName} END;

      CREATE TRIGGER svc_perspectives_renamed AFTER UPDATE OF name ON svc_perspectives WHEN NEW.role IS OLD.role
      BEGIN ${ofName} END;

      -- Fills both columns of the rows that are there.
      UPDATE svc_perspectives SET name = name;`,
      `
      ALTER TABLE svc_perspectives ADD COLUMN generation TEXT;                    -- tables that replace these have another one
      ALTER TABLE svc_perspectives ADD COLUMN changed INTEGER NOT NULL DEFAULT 0; -- the revision after the last commit that changed a model

      CREATE TRIGGER svc_perspectives_created AFTER INSERT ON svc_perspectives WHEN NEW.generation IS NULL
      BEGIN UPDATE svc_perspectives SET generation = lower(hex(randomblob(16))) WHERE name = NEW.name; END;

      UPDATE svc_perspectives SET generation = lower(hex(randomblob(16)));`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/operations',
    creates: 'svc_operations',
    steps: [
      `
      CREATE TABLE IF NOT EXISTS svc_operations (
        id           TEXT PRIMARY KEY,
        kind         TEXT NOT NULL,
        target       TEXT,
        arguments    TEXT NOT NULL,
        requested_by TEXT NOT NULL,
        requested_at INTEGER NOT NULL,
        wait_until   INTEGER NOT NULL, -- no host takes it later than that
        alone        TEXT,             -- of those that are open and have the same, there is one
        state        TEXT NOT NULL DEFAULT 'waiting',
        holder       TEXT,             -- the host that runs it
        held_until   INTEGER,
        attempts     INTEGER NOT NULL DEFAULT 0,
        progress     TEXT,
        result       TEXT,
        error        TEXT,
        started_at   INTEGER,
        finished_at  INTEGER
      ) STRICT;

      CREATE INDEX IF NOT EXISTS svc_operations_open ON svc_operations (id) WHERE finished_at IS NULL;
      CREATE UNIQUE INDEX IF NOT EXISTS svc_operations_alone ON svc_operations (alone) WHERE finished_at IS NULL;
      CREATE INDEX IF NOT EXISTS svc_operations_age ON svc_operations (requested_at);`,
    ],
  },
  snapshotSchema,
  {
    kind: 'sql',
    key: 'infrastructure/archives',
    creates: 'svc_archives',
    steps: [
      `
      CREATE TABLE svc_archives (
        number         INTEGER PRIMARY KEY,
        name           TEXT NOT NULL UNIQUE,
        sha256         TEXT NOT NULL,
        events         INTEGER NOT NULL,
        bytes          INTEGER NOT NULL,
        first_sequence INTEGER NOT NULL,
        last_sequence  INTEGER NOT NULL,
        archived_at    INTEGER NOT NULL
      ) STRICT;

      -- The number of the file that has the body, of events that are archived. Their body is empty here.
      ALTER TABLE svc_events ADD COLUMN archive INTEGER;

      DROP TRIGGER svc_events_are_not_changed;
      CREATE TRIGGER svc_events_are_not_changed BEFORE UPDATE ON svc_events
      WHEN NOT (OLD.archive IS NULL AND NEW.archive IS NOT NULL AND NEW.archive IN (SELECT number FROM svc_archives) AND NEW.body = ''
          AND NEW.sequence IS OLD.sequence
          AND NEW.id IS OLD.id
          AND NEW.stream_id IS OLD.stream_id
          AND NEW.position IS OLD.position
          AND NEW.type IS OLD.type
          AND NEW.timestamp IS OLD.timestamp
          AND NEW.correlation_id IS OLD.correlation_id
          AND NEW.causation_id IS OLD.causation_id
          AND NEW.scope IS OLD.scope
          AND NEW.metadata IS OLD.metadata)
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never changed'); END;`,
    ],
  },
  reactionSchema,
  reactionSegmentsSchema,
  scheduledItem,
  processSchema,
  auditSchema,
  auditLookupSchema,
  subjectKeySchema,
  sealSchema,
  hostSchema,
];
