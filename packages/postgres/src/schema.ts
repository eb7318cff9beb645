/** What the database holds, in the order in which it is made. */
export interface SchemaItem {
  readonly key: string;
  /** The table whose existence says that the item has been run. */
  readonly creates: string;
  readonly sql: string;
}

export const schema: readonly SchemaItem[] = [
  {
    key: '0001-events',
    creates: 'svc_events',
    // Bodies are json and not jsonb: what was written is read, to the letter.
    sql: `
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
  },
  {
    key: '0002-outbox',
    creates: 'svc_outbox',
    sql: `
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
  },
  {
    key: '0003-inbox',
    creates: 'svc_inbox',
    sql: `
      CREATE TABLE svc_inbox (
        id          uuid PRIMARY KEY,
        received_at timestamptz NOT NULL DEFAULT now()
      );`,
  },
  {
    key: '0004-leases',
    creates: 'svc_leases',
    sql: `
      CREATE TABLE svc_leases (
        lane       text PRIMARY KEY,
        holder     uuid NOT NULL,
        expires_at timestamptz NOT NULL
      );`,
  },
  {
    key: '0005-perspectives',
    creates: 'svc_perspectives',
    // The tables of the perspectives themselves are made when it is known which there are.
    sql: `
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
  },
];
