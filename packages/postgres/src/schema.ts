import type { SqlItem } from '@svc/core/storage';
import { auditLookupSchema, auditSchema } from './audit-indexes.js';
import { scheduledItem } from './schedule-schema.js';
import { perspectivesSchema } from './perspectives-schema.js';
import { processSchema } from './postgres-processes.js';
import { hostSchema } from './postgres-hosts.js';
import { subjectKeySchema } from './postgres-subject-keys.js';
import { sealSchema } from './postgres-seals.js';
import { snapshotSchema } from './postgres-snapshots.js';
import { reactionSchema, reactionSegmentsSchema } from './reaction-schema.js';
import { rolesSchema } from './roles/roles-schema.js';
import { appendTransactionIdFunction, transactionIdFunction } from './transaction-ids.js';

/** The parts of the schema, in the order in which they are created. A change is a new step. A released step never changes. */
export const schema: readonly SqlItem[] = [
  {
    kind: 'sql',
    key: 'infrastructure/events',
    creates: 'svc_events',
    // Bodies are json instead of jsonb, so that they are read exactly as written.
    steps: [
      `
      CREATE SEQUENCE svc_events_sequence MINVALUE 0 START 0 CACHE 1;

      CREATE TABLE svc_events (
        sequence       bigint PRIMARY KEY DEFAULT nextval('svc_events_sequence'),
        transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
        id             uuid NOT NULL,
        stream_id      uuid NOT NULL,
        position       bigint NOT NULL,
        type           text NOT NULL,
        body           json NOT NULL,
        timestamp      timestamptz NOT NULL,
        correlation_id uuid NOT NULL,
        causation_id   uuid,
        scope          json,
        metadata       json NOT NULL,
        CONSTRAINT svc_events_id UNIQUE (id),
        CONSTRAINT svc_events_position UNIQUE (stream_id, position)
      );

      ALTER SEQUENCE svc_events_sequence OWNED BY svc_events.sequence;

      -- The order in which all events are read: sequence numbers alone become visible out of order.
      CREATE INDEX svc_events_order ON svc_events (transaction_id, sequence);

      CREATE FUNCTION svc_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP;
      END $$;

      CREATE TRIGGER svc_events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_events
      FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();`,
      `${transactionIdFunction};`,
      `${appendTransactionIdFunction};

      ALTER TABLE svc_events ALTER COLUMN transaction_id SET DEFAULT svc_append_transaction_id();`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/outbox',
    creates: 'svc_outbox',
    steps: [
      `
      CREATE TABLE svc_outbox (
        lane        text NOT NULL,
        sequence    bigint GENERATED ALWAYS AS IDENTITY,
        id          uuid NOT NULL,
        destination text NOT NULL,
        message     json, -- null when the event is the message, or the note says what there is to say beside it
        note        text,
        event_id    uuid,
        PRIMARY KEY (lane, sequence),
        CONSTRAINT svc_outbox_id UNIQUE (id)
      );`,
      `
      -- What system events were queued as, of those that were appended under new ids.
      CREATE TABLE IF NOT EXISTS svc_renewed (
        id uuid PRIMARY KEY
      );`,
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/inbox',
    creates: 'svc_inbox',
    steps: [
      `
      CREATE TABLE svc_inbox (
        id          uuid PRIMARY KEY,
        received_at timestamptz NOT NULL DEFAULT now()
      );`,
      'CREATE INDEX IF NOT EXISTS svc_inbox_age ON svc_inbox (received_at);',
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/leases',
    creates: 'svc_leases',
    steps: [
      `
      CREATE TABLE svc_leases (
        lane       text PRIMARY KEY,
        holder     uuid NOT NULL,
        expires_at timestamptz NOT NULL
      );`,
      'ALTER TABLE svc_leases ADD COLUMN IF NOT EXISTS process text; -- the machine and the number of the process, for operators',
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/idempotency',
    creates: 'svc_idempotency',
    steps: [
      `
      CREATE TABLE svc_idempotency (
        id           text PRIMARY KEY,
        request_hash text NOT NULL,
        message_id   uuid NOT NULL,
        result       text NOT NULL, -- not json: what was answered is answered again, to the letter
        kept_at      timestamptz NOT NULL DEFAULT now()
      );

      CREATE INDEX svc_idempotency_age ON svc_idempotency (kept_at);`,
      'ALTER TABLE svc_idempotency ADD COLUMN IF NOT EXISTS last_event_id uuid; -- the last event of the command',
    ],
  },
  {
    kind: 'sql',
    key: 'infrastructure/dead-letters',
    creates: 'svc_dead_letters',
    steps: [
      `
      CREATE TABLE svc_dead_letters (
        id         uuid PRIMARY KEY,
        direction  text NOT NULL,
        cause      text NOT NULL,
        message_id uuid NOT NULL,
        record     json NOT NULL
      );`,
    ],
  },
  perspectivesSchema,
  {
    kind: 'sql',
    key: 'infrastructure/operations',
    creates: 'svc_operations',
    steps: [
      `
      CREATE TABLE svc_operations (
        id           uuid PRIMARY KEY,
        kind         text NOT NULL,
        target       text,
        arguments    json NOT NULL,
        requested_by text NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        wait_until   timestamptz NOT NULL, -- no host takes it later than that
        alone        text,                 -- of those that are open and have the same, there is one
        state        text NOT NULL DEFAULT 'waiting',
        holder       uuid,                 -- the host that runs it
        held_until   timestamptz,
        attempts     integer NOT NULL DEFAULT 0,
        progress     json,
        result       json,
        error        text,
        started_at   timestamptz,
        finished_at  timestamptz
      );

      CREATE INDEX svc_operations_open ON svc_operations (id) WHERE finished_at IS NULL;
      CREATE UNIQUE INDEX svc_operations_alone ON svc_operations (alone) WHERE finished_at IS NULL;
      CREATE INDEX svc_operations_age ON svc_operations (requested_at);`,
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
        number         integer PRIMARY KEY,
        name           text NOT NULL UNIQUE,
        sha256         text NOT NULL,
        events         integer NOT NULL,
        bytes          bigint NOT NULL,
        first_sequence bigint NOT NULL,
        last_sequence  bigint NOT NULL,
        archived_at    timestamptz NOT NULL DEFAULT now()
      );

      -- The number of the file that has the body, of events that are archived.
      ALTER TABLE svc_events ADD COLUMN archive integer, ALTER COLUMN body DROP NOT NULL,
        ADD CONSTRAINT svc_events_body CHECK (body IS NOT NULL OR archive IS NOT NULL) NOT VALID;

      CREATE FUNCTION svc_only_archive() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        archived svc_events := OLD;
      BEGIN
        archived.body := NULL;
        archived.archive := NEW.archive;
        IF OLD.archive IS NULL AND NEW::text = archived::text
          AND EXISTS (SELECT FROM svc_archives WHERE number = NEW.archive) THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION 'svc_events is append-only: UPDATE is refused';
      END $$;

      DROP TRIGGER svc_events_are_append_only ON svc_events;
      CREATE TRIGGER svc_events_are_append_only BEFORE DELETE OR TRUNCATE ON svc_events
      FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();
      CREATE TRIGGER svc_events_are_only_archived BEFORE UPDATE ON svc_events
      FOR EACH ROW EXECUTE FUNCTION svc_only_archive();`,
    ],
  },
  scheduledItem,
  reactionSchema,
  reactionSegmentsSchema,
  processSchema,
  rolesSchema,
  auditSchema,
  auditLookupSchema,
  subjectKeySchema,
  sealSchema,
  hostSchema,
];
