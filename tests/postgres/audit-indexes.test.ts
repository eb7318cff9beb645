import { newId, runAsHost, createService } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from './test-database.js';

const keys = ['infrastructure/audit-indexes', 'infrastructure/audit-lookup-indexes'];
const names = ['time', 'correlation', 'user', 'resource', 'message', 'type'];
const indexes = names.map((name) => `svc_events_audit_${name}`);

let database: TestDatabase;
let opened: PostgresStorage[];

beforeEach(async () => {
  database = await createDatabase();
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((storage) => storage.close()));
  await database.remove();
});

async function open(): Promise<PostgresStorage> {
  const storage = postgres({ url: database.url });
  opened.push(storage);
  await storage.open();
  return storage;
}

async function append(storage: PostgresStorage, type = 'test.Happened'): Promise<void> {
  await storage.commit(commitRecord({ events: [pendingRecord(newId(), { type, scope: { userId: 'ann' } })] }));
}

/** A log with events, as a version without audit queries has left it. */
async function oldLog(): Promise<void> {
  const storage = await open();
  await append(storage);
  await database.query(
    `DROP INDEX ${indexes.join(', ')}; DELETE FROM svc_schema_migrations WHERE key IN ('${keys.join("','")}')`,
  );
}

async function validIndexes(): Promise<string[]> {
  const { rows } = await database.query(`
    SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indisvalid AND relname LIKE 'svc_events_audit_%' ORDER BY relname`);
  return (rows as { name: string }[]).map(({ name }) => name);
}

it('builds the indexes of a long log in the background, while hosts append and queries say that they are not ready', async () => {
  await oldLog();
  const other = new pg.Client(database.url);
  await other.connect();
  try {
    // The build waits for every transaction that writes to the log.
    await other.query('BEGIN; LOCK TABLE svc_events IN ROW EXCLUSIVE MODE');
    const storage = await open();
    expect(storage.migrations.state.inBackground).toEqual(keys.slice(0, 1));
    await append(storage, 'test.DuringBuild');
    expect(await storage.audit.isReady('all')).toBe(false);
    const service = createService({
      messages: [],
      receptors: [],
      endpoints: [],
      openapi: { paths: {}, components: { schemas: {} } },
    }).useStorage(storage);
    service.start();
    await service.ready();
    await expect(runAsHost(() => service.audit.query())).rejects.toMatchObject({ code: 'SVC_AUDIT_NOT_READY' });
    await other.query('COMMIT');
    await storage.migrations.idle();
    expect(await validIndexes()).toEqual(indexes.toSorted());
    expect(await storage.audit.isReady('all')).toBe(true);
    await expect(runAsHost(() => service.audit.query())).resolves.toEqual({ entries: [], next: null });
    await service.stop();
  } finally {
    await other.end();
  }
});

it('builds each index once if several hosts start', async () => {
  await oldLog();
  const storages = await Promise.all([open(), open(), open()]);
  await Promise.all(storages.map(({ migrations }) => migrations.idle()));
  expect(storages.map(({ migrations }) => migrations.state)).toEqual(
    storages.map(() => ({ isWaiting: false, inBackground: [], failed: [] })),
  );
  expect(await validIndexes()).toEqual(indexes.toSorted());
});

it('replaces an index that a failed attempt has left', async () => {
  await oldLog();
  await database.query(`CREATE INDEX svc_events_audit_user ON svc_events (timestamp)`);
  await database.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'svc_events_audit_user'::regclass`);
  const { migrations } = await open();
  await migrations.idle();
  expect(await validIndexes()).toEqual(indexes.toSorted());
  const { rows } = await database.query(`SELECT pg_get_indexdef('svc_events_audit_user'::regclass) AS text`);
  expect((rows as { text: string }[])[0]!.text).toContain('userId');
});

it('answers queries that need no index by message while that is built', async () => {
  const storage = await open();
  await append(storage);
  await storage.close();
  await database.query(`
    DROP INDEX svc_events_audit_message, svc_events_audit_type; DELETE FROM svc_schema_migrations WHERE key = '${keys[1]}'`);
  const other = new pg.Client(database.url);
  await other.connect();
  try {
    await other.query('BEGIN; LOCK TABLE svc_events IN ROW EXCLUSIVE MODE');
    const { audit, migrations } = await open();
    const ready = async (): Promise<boolean[]> =>
      await Promise.all((['all', 'user', 'message', 'type'] as const).map((kind) => audit.isReady(kind)));
    expect(await ready()).toEqual([true, true, false, false]);
    await other.query('COMMIT');
    await migrations.idle();
    expect(await ready()).toEqual([true, true, true, true]);
  } finally {
    await other.end();
  }
});
