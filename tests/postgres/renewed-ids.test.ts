/** The previous ids of system events that were appended under new ones. */
import { postgres } from '@svc/postgres';
import { expect, it } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((one) => (database = one));

it('forgets the ids of more than an hour ago, as many at once as it is asked for', async () => {
  const storage = postgres({ url: database.url });
  await storage.open();
  const add = (minutes: number, count: number): Promise<unknown> =>
    database.query(`
      INSERT INTO svc_renewed
      SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${minutes * 60_000}), 12, '0') || '7' || lpad(to_hex(i), 19, '8'))::uuid
      FROM generate_series(1, ${count}) AS i`);
  await add(61, 5);
  await add(59, 2);
  const expiry = { receivedMs: 1_000, idempotencyKeysMs: 1_000, operationsMs: 1_000 };
  expect(await storage.forgetExpired(expiry, 3)).toBe(3);
  expect(await storage.forgetExpired(expiry, 3)).toBe(2);
  expect(await storage.forgetExpired(expiry, 3)).toBe(0);
  expect((await database.query('SELECT count(*)::int AS left FROM svc_renewed')).rows).toEqual([{ left: 2 }]);
  await storage.close();
});

it('moves events to the system stream in the same time, whatever the number of these ids', async () => {
  const storage = postgres({ url: database.url, readers: 1 });
  await storage.open();
  // PostgreSQL plans the statement for an empty table, and keeps the plan.
  await database.query('VACUUM ANALYZE svc_renewed');
  const deliver = (): Promise<unknown> => storage.systemDelivery.deliver(1_000);
  for (let i = 0; i < 10; i++) await deliver();
  const before = await readRows();
  await database.query(
    `INSERT INTO svc_renewed SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid FROM generate_series(1, 20000) AS i`,
  );
  await deliver();
  expect((await readRows()) - before).toBeLessThan(1_000);
  await storage.close();
});

/** How many rows of the table statements have read. */
async function readRows(): Promise<number> {
  await database.query('SELECT pg_sleep(1.1)');
  const { rows } = await database.query(
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_user_tables WHERE relname = 'svc_renewed'`,
  );
  return (rows[0] as { read: number }).read;
}
