import { newId, SystemEventStream } from '@svc/core';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeparatedDatabase, type TwoRoles } from './two-roles.js';

let database: TwoRoles;
let storage: PostgresStorage;
let before: unknown;

const pending = newId();
const audited = newId();

beforeAll(async () => {
  database = await createSeparatedDatabase();
  storage = postgres({ url: database.url, separateRoles: true });
  await storage.open();
  const event = pendingRecord(newId(), { id: audited });
  const message = { ...pendingRecord(newId(), { id: pending, body: '{"who":"ann"}' }) };
  const outgoing = [
    { id: pending, lane: 'system', destination: 'audit', message, note: null, eventId: null },
    { id: newId(), lane: 'system', destination: 'audit', message: null, note: '{"auditLevel":0}', eventId: audited },
  ] as const;
  await storage.commit(commitRecord({ events: [event], outgoing }));
  before = await stored();
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

/** Everything that must stay as it is. */
async function stored(): Promise<unknown> {
  const tables = ['svc_events', 'svc_archives', 'svc_outbox', 'svc_roles'];
  const rows = tables.map(
    (table) => `(SELECT json_agg(kept ORDER BY kept::text) FROM public.${table} kept) AS ${table}`,
  );
  return (await database.owner.query(`SELECT ${rows.join(', ')}`)).rows;
}

const columns = 'id, stream_id, position, type, body, timestamp, correlation_id, metadata';
const values = (id: string, stream: string, body: string): string =>
  `'${id}', '${stream}', 0, 'test.Happened', '${body}', now(), gen_random_uuid(), '{}'`;
const temporary = 'CREATE TEMP TABLE svc_events (LIKE public.svc_events)';

const attacks: Readonly<Record<string, readonly string[]>> = {
  'UPDATE of events': [
    `UPDATE svc_events SET body = '{}'`,
    'UPDATE svc_events SET body = NULL, archive = 1',
    `INSERT INTO svc_events SELECT * FROM svc_events ON CONFLICT (id) DO UPDATE SET body = '{}'`,
    'SELECT * FROM svc_events FOR UPDATE',
    `MERGE INTO svc_events e USING svc_events o ON e.id = o.id WHEN MATCHED THEN UPDATE SET body = '{}'`,
  ],
  'DELETE of events': [
    'DELETE FROM svc_events',
    'WITH gone AS (DELETE FROM svc_events RETURNING 1) SELECT * FROM gone',
  ],
  TRUNCATE: ['TRUNCATE svc_events', 'TRUNCATE svc_outbox', 'TRUNCATE svc_archives', 'TRUNCATE svc_schema_migrations'],
  ALTER: [
    'ALTER TABLE svc_events DROP COLUMN body',
    'ALTER TABLE svc_events RENAME TO old_events',
    'ALTER TABLE svc_events SET SCHEMA svc_models',
    'ALTER TABLE svc_events OWNER TO CURRENT_USER',
    'ALTER TABLE svc_events ADD COLUMN extra text',
    `ALTER TABLE svc_events ALTER COLUMN body TYPE json USING '{}'::json`,
    'ALTER TABLE svc_events ENABLE ROW LEVEL SECURITY',
    'ALTER SCHEMA public RENAME TO other',
    'ALTER SCHEMA public OWNER TO CURRENT_USER',
    'ALTER SEQUENCE svc_events_sequence RESTART',
    `SELECT setval('svc_events_sequence', 1)`,
    'ALTER FUNCTION svc_deliver_system_events(integer) RESET search_path',
  ],
  DROP: [
    'DROP TABLE svc_events CASCADE',
    'DROP TABLE svc_outbox',
    'DROP SCHEMA public CASCADE',
    'DROP FUNCTION svc_refuse_change() CASCADE',
    'DROP INDEX svc_events_order',
    'DROP TRIGGER svc_events_are_append_only ON svc_events',
    'DROP OWNED BY CURRENT_USER, pg_database_owner',
  ],
  'DISABLE TRIGGER, and adding to the log': [
    'ALTER TABLE svc_events DISABLE TRIGGER ALL',
    'ALTER TABLE svc_events DISABLE TRIGGER svc_events_are_append_only',
    'ALTER TABLE svc_outbox DISABLE TRIGGER svc_outbox_is_delivered',
    'CREATE TRIGGER own BEFORE INSERT ON svc_events FOR EACH ROW EXECUTE FUNCTION svc_refuse_change()',
    'CREATE TABLE svc_models.child () INHERITS (public.svc_events)',
    'CREATE INDEX own ON svc_events (type)',
    'CREATE POLICY own ON svc_events USING (false)',
    'CREATE RULE own AS ON INSERT TO svc_events DO INSTEAD NOTHING',
  ],
  session_replication_role: [
    'SET session_replication_role = replica',
    `SELECT set_config('session_replication_role', 'replica', false)`,
    'ALTER ROLE CURRENT_USER SET session_replication_role = replica',
  ],
  'removing a pending audit record': [
    'DELETE FROM svc_outbox',
    `DELETE FROM svc_outbox WHERE lane = 'system'`,
    `UPDATE svc_outbox SET destination = 'elsewhere'`,
    `UPDATE svc_outbox SET lane = 'transport'`,
    `UPDATE svc_outbox SET message = '{}'`,
    'UPDATE svc_outbox SET destination = destination WHERE false',
    `INSERT INTO svc_renewed VALUES ('${pending}'); DELETE FROM svc_outbox WHERE id = '${pending}'`,
    // An event of the same id with another content, and one in another stream.
    `INSERT INTO svc_events (${columns}) VALUES (${values(pending, SystemEventStream.streamId, '{}')}); DELETE FROM svc_outbox WHERE id = '${pending}'`,
    `INSERT INTO svc_events (${columns}) VALUES (${values(pending, newId(), '{"who":"ann"}')}); DELETE FROM svc_outbox WHERE id = '${pending}'`,
    // A table that looks like the log, before it in the search path.
    `${temporary}; INSERT INTO pg_temp.svc_events SELECT * FROM public.svc_events; INSERT INTO pg_temp.svc_events (${columns}, sequence, transaction_id) VALUES (${values(pending, SystemEventStream.streamId, '{"who":"ann"}')}, 9, '9'); DELETE FROM svc_outbox WHERE id = '${pending}'`,
    `CREATE TABLE svc_models.svc_events (LIKE public.svc_events); SET search_path = svc_models, public; INSERT INTO svc_events (${columns}, sequence, transaction_id) VALUES (${values(pending, SystemEventStream.streamId, '{"who":"ann"}')}, 9, '9'); DELETE FROM svc_outbox WHERE id = '${pending}'`,
  ],
  'an event that is not at the end of the log': [
    `INSERT INTO svc_events (transaction_id, ${columns}) VALUES ('3', ${values(newId(), newId(), '{}')})`,
    `INSERT INTO svc_events (transaction_id, ${columns}) VALUES ('9223372036854775807', ${values(newId(), newId(), '{}')})`,
    ...[
      ['xid8', 'xid8'],
      ['name', 'name'],
      ['int8', 'int8'],
    ].map(
      ([left, right]) =>
        `CREATE FUNCTION svc_models.always(${left}, ${right}) RETURNS boolean LANGUAGE sql AS 'SELECT true';
        CREATE OPERATOR svc_models.= (LEFTARG = ${left}, RIGHTARG = ${right}, FUNCTION = svc_models.always);
        CREATE FUNCTION svc_models.pg_current_xact_id() RETURNS xid8 LANGUAGE sql AS $$ SELECT '3'::xid8 $$;
        SET search_path = svc_models, pg_catalog, public;
        INSERT INTO public.svc_events (transaction_id, ${columns}) VALUES ('3', ${values(newId(), newId(), '{}')})`,
    ),
    `SET svc.append_transaction_id = '3'; INSERT INTO svc_events (${columns}) VALUES (${values(newId(), newId(), '{}')})`,
    `SELECT nextval('svc_events_sequence'); INSERT INTO svc_events (sequence, ${columns}) VALUES (9007199254740993, ${values(newId(), newId(), '{}')})`,
    `SELECT nextval('svc_events_sequence'); INSERT INTO svc_events (sequence, ${columns}) VALUES (-1, ${values(newId(), newId(), '{}')})`,
    `INSERT INTO svc_events (archive, ${columns}) VALUES (1, ${values(newId(), newId(), '{}')})`,
    `INSERT INTO svc_archives VALUES (1, 'f', '', 1, 1, 0, 0)`,
  ],
  'taking rights': [
    'GRANT ALL ON svc_events TO CURRENT_USER; DELETE FROM svc_events',
    'GRANT pg_write_all_data TO CURRENT_USER',
    'ALTER ROLE CURRENT_USER SUPERUSER',
    'ALTER ROLE CURRENT_USER CREATEROLE',
    'CREATE ROLE other SUPERUSER',
    'SET ROLE pg_database_owner',
    `COPY svc_events TO PROGRAM 'cat'`,
    `COPY svc_events FROM '/etc/hostname'`,
    'CREATE FUNCTION public.svc_transaction_id(bigint) RETURNS xid8 LANGUAGE sql AS $$ SELECT NULL $$',
    'CREATE TABLE public.other (id int)',
    'CREATE EXTENSION dblink',
    `UPDATE svc_roles SET runtime = 'other'`,
    `UPDATE svc_schema_migrations SET hash = NULL WHERE key = 'infrastructure/events'`,
    'LOCK TABLE svc_events IN ACCESS EXCLUSIVE MODE',
  ],
};

describe('the runtime role', () => {
  describe.each(Object.entries(attacks))('is refused %s', (_what, statements) => {
    it.each(statements)('%s', async (sql) => {
      await expect(database.asRuntime(`BEGIN; ${sql}; COMMIT`)).rejects.toThrow(
        /permission denied|at or near "MERGE"|must be owner|is refused|must (?:have admin|be able|be superuser|be member)|Only roles with|non-superuser|cannot drop objects/,
      );
      expect(await stored()).toEqual(before);
    });
  });

  it('cannot set the role of the owner', async () => {
    const owner = new URL(database.owner.url).username;
    await expect(database.asRuntime(`SET ROLE ${owner}`)).rejects.toThrow('permission denied');
  });

  it('has no way to change history, which the health check reports', async () => {
    expect(storage.connection.access?.()).toEqual({ roles: 'separate', waysToChangeHistory: [] });
    const owner = postgres({ url: database.owner.url });
    await owner.open();
    expect(owner.connection.access?.()?.waysToChangeHistory).toContain('it owns svc_events');
    await owner.close();
  });

  it('moves pending audit records to the system stream, where it cannot change them', async () => {
    await storage.systemDelivery.deliver(10);
    expect((await database.owner.query('SELECT * FROM svc_outbox')).rows).toEqual([]);
    const stream = await collect(storage.readStream(SystemEventStream.streamId));
    expect(stream.map(({ id, body }) => [id, body])[0]).toEqual([pending, '{"who":"ann"}']);
    expect(stream).toHaveLength(2);
  });
});
