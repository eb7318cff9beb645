/** The connections of a host: which there are, when they are lost, and how they end. */
import { postgres, type PostgresOptions, type PostgresStorage } from '@svc/postgres';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
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

it('listens for a service that comes to a storage that was open before', async () => {
  const storage = storageWith({ pollMs: 1_000_000 });
  await storage.open();
  let raised = 0;
  storage.onOutgoing(() => raised++);
  await expect(storage.ping(), 'over the connection that listens').resolves.toBeUndefined();
  const before = raised;
  await database.query(`NOTIFY svc_outbox, 'everybody'`);
  await expect.poll(() => raised, patiently).toBeGreaterThan(before);
});

it('polls for a service that comes to a storage that was open before', async () => {
  const storage = storageWith({ pollMs: 5 });
  await storage.open();
  let raised = 0;
  storage.onOutgoing(() => raised++);
  await expect.poll(() => raised, patiently).toBeGreaterThan(3);
});
