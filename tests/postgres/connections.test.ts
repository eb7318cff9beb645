/** The connections of a host: which there are, when they are lost, and how they end. */
import { newId } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresOptions, type PostgresStorage } from '@svc/postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { cuttingProxy, type CuttingProxy } from './cutting-proxy.js';
import { createDatabase, type TestDatabase } from './test-database.js';

const patiently = { timeout: 30_000 };

let database: TestDatabase;
let closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

function storageWith(options: Partial<PostgresOptions>): PostgresStorage {
  const storage = postgres({ url: database.url, ...options });
  closing.push(() => storage.close());
  return storage;
}

/** A storage that listens, over a proxy, with a connection of each kind. */
async function throughProxy(): Promise<{ proxy: CuttingProxy; storage: PostgresStorage }> {
  const proxy = await cuttingProxy(database.url);
  closing.push(() => proxy.close());
  const storage = storageWith({ url: proxy.url, statementTimeoutMs: 300, connectTimeoutMs: 300 });
  storage.notifications.onOutgoing(() => {});
  // A busy machine may need more than these limits, once.
  await vi.waitFor(() => storage.commit(commitRecord({ events: [pendingRecord(newId())] })), patiently);
  await vi.waitFor(() => storage.lastPosition(newId()), patiently);
  await vi.waitFor(() => storage.connection.ping(), patiently);
  return { proxy, storage };
}

it.each([
  ['password', 'rejected the login: password authentication failed. Check the user and the password', '28P01'],
  ['pathname', 'has no database "nothing". Create it with createdb, or correct the name', '3D000'],
] as const)('is rejected with a remedy if its URL has another %s', async (part, message, code) => {
  const url = new URL(database.url);
  url[part] = 'nothing';
  await expect(storageWith({ url: url.href }).open()).rejects.toMatchObject({
    code: 'SVC_STORAGE_MISCONFIGURED',
    message: expect.stringContaining(
      `Cannot open the database: the PostgreSQL server at ${url.host} ${message}`,
    ) as string,
    cause: { code },
  });
});

it('names its host and port if it cannot be reached, and not its user', async () => {
  const failure = await storageWith({ url: 'postgres://ann:hunter2@127.0.0.1:1/orders' })
    .open()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE', address: '127.0.0.1:1' });
  expect(String((failure as Error).cause)).toContain('ECONNREFUSED');
});

it('replaces the listening connection when it was lost silently', async () => {
  const { proxy, storage } = await throughProxy();
  proxy.silence();
  await expect(storage.connection.ping()).rejects.toThrow('timeout');
  const ping = (): Promise<string> =>
    storage.connection.ping().then(
      () => 'answered',
      () => 'silent',
    );
  await expect.poll(ping, patiently).toBe('answered');
});

it('closes although its database is unreachable', async () => {
  const { proxy, storage } = await throughProxy();
  proxy.silenceAll();
  await expect(storage.close()).resolves.toBeUndefined();
});

it('counts rows without a limit, and applies its statement limit to everything else', async () => {
  const filling = storageWith({});
  const event = pendingRecord(newId());
  await filling.commit(commitRecord({ events: [event] }));
  const storage = storageWith({ statementTimeoutMs: 300 });
  await vi.waitFor(() => storage.open(), patiently);
  const slow = new pg.Client(database.url);
  await slow.connect();
  closing.push(() => slow.end());
  await slow.query('BEGIN; LOCK TABLE svc_events');
  const ends = storage.replay.readStreamEnds([event.type]);
  const count = storage.replay.countEvents([event.type], { sequence: 1_000_000, transaction: 1_000_000_000 });
  const waits = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.query(waits)).rowCount, patiently).toBe(2);
  await expect(storage.lastPosition(event.streamId)).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
  await slow.query('ROLLBACK');
  expect((await ends).length).toBeGreaterThan(0);
  expect(await count).toBeGreaterThan(0);
});

it('listens for a service that starts on an open storage', async () => {
  const storage = storageWith({ pollMs: 1_000_000 });
  await storage.open();
  let raised = 0;
  storage.notifications.onOutgoing(() => raised++);
  await expect(storage.connection.ping(), 'over the connection that listens').resolves.toBeUndefined();
  const before = raised;
  await database.query(`NOTIFY svc_outbox, 'everybody'`);
  await expect.poll(() => raised, patiently).toBeGreaterThan(before);
});

it('polls for a service that starts on an open storage', async () => {
  const storage = storageWith({ pollMs: 5 });
  await storage.open();
  let raised = 0;
  storage.notifications.onOutgoing(() => raised++);
  await expect.poll(() => raised, patiently).toBeGreaterThan(3);
});
