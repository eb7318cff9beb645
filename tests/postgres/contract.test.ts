import { newId } from '@svc/core';
import { capabilityContracts, collect, commitRecord, contractOf, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOwnedDatabase, type TestDatabase } from './test-database.js';
import { createSeparatedDatabase, type TwoRoles } from './two-roles.js';

let database: TestDatabase;
let opened: PostgresStorage[];

beforeAll(async () => {
  database = await createOwnedDatabase();
});
afterAll(() => database.remove());
beforeEach(() => {
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((storage) => storage.close()));
});

async function open(url = database.url): Promise<PostgresStorage> {
  const storage = postgres({ url });
  opened.push(storage);
  await storage.open();
  return storage;
}

const contract = contractOf(postgres({ url: 'postgres://127.0.0.1/unopened' }));
/** Archiving removes bodies from events, which the runtime role may not do. */
const archiveCases = new Set(capabilityContracts.archive);

describe('the PostgreSQL storage', () => {
  let roles: TwoRoles;

  beforeAll(async () => {
    roles = await createSeparatedDatabase();
  });
  afterAll(() => roles.remove());
  beforeEach(() => roles.clear());

  it.each(contract.filter((one) => !archiveCases.has(one)))('as the runtime role: $name', async ({ run }) => {
    await expect(run(() => open(roles.url))).resolves.toBeUndefined();
  });
});

it.each(capabilityContracts.archive)('as the only role: $name', async ({ run }) => {
  await database.reset();
  await expect(run(open)).resolves.toBeUndefined();
});

it('requires no superuser: its user owns the database and may do nothing else', async () => {
  const may =
    'SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = user';
  const { rows } = await database.query(may);
  expect(new Set(Object.values(rows[0] as object))).toEqual(new Set([false]));
  const extensions = await database.query("SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'");
  expect(extensions.rows).toEqual([]);
});

it('creates its tables once when many hosts start concurrently', async () => {
  await database.clear();
  const storages = await Promise.all(Array.from({ length: 8 }, () => open()));
  await Promise.all(storages.map((storage) => storage.commit(commitRecord({ events: [pendingRecord(newId())] }))));
  expect(await collect(storages[0]!.readAll())).toHaveLength(8);
});

const newFile = "INSERT INTO svc_archives VALUES (1, 'f', '', 1, 1, 0, 0)";

it.each([
  ['changed', "UPDATE svc_events SET body = '{}'"],
  ['archived without a file', 'UPDATE svc_events SET body = NULL, archive = 1'],
  ['changed with a file', `${newFile}; UPDATE svc_events SET body = NULL, archive = 1, type = 'test.Other'`],
  ['emptied without a reference', `${newFile}; UPDATE svc_events SET body = 'null'`],
  ['deleted', 'DELETE FROM svc_events'],
  ['removed at once', 'TRUNCATE svc_events'],
])('lets the database reject that events are %s', async (_what, sql) => {
  await database.reset();
  const storage = await open();
  await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
  await expect(database.query(sql)).rejects.toThrow('svc_events is append-only');
  expect(await collect(storage.readAll())).toHaveLength(1);
});

it('rejects requests once it is closed', async () => {
  const storage = await open();
  await storage.close();
  await expect(storage.commit(commitRecord({}))).rejects.toMatchObject({ code: 'SVC_STORAGE_CLOSED' });
  await expect(collect(storage.readAll())).rejects.toMatchObject({ code: 'SVC_STORAGE_CLOSED' });
});

it('reports that there is no server', async () => {
  const storage = postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  opened.push(storage);
  const unavailable = { code: 'SVC_STORAGE_UNAVAILABLE', outcome: 'none' };
  await expect(storage.open()).rejects.toMatchObject(unavailable);
  await expect(storage.commit(commitRecord({}))).rejects.toMatchObject(unavailable);
});
