/** What a host reads when it looks for due commands: PostgreSQL counts the rows and the index entries. */
import { newId } from '@svc/core';
import { postgres } from '@svc/postgres';
import { expect, it } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((created) => (database = created));

const count = 5_000;

it.each([
  ['have no receptor', 'Gone', "now() - interval '1 day'"],
  ['are due later', 'Known', "now() + interval '1 day'"],
])('a host does not read the commands that %s', async (_which, type, due) => {
  await database.query(`
    INSERT INTO svc_scheduled (id, tenant, type, message, due_at, claimable_at)
    SELECT gen_random_uuid(), '', '${type}', '{}', ${due}, ${due} FROM generate_series(1, ${count})`);
  await database.query('VACUUM ANALYZE svc_scheduled');
  const [before, others] = [await readRows(), await readSessions()];
  const storage = postgres({ url: database.url });
  const { commands, nextInMs } = await storage.schedule.claim(newId(), ['Known', 'Other'], 32);
  expect([commands, nextInMs === null]).toEqual([[], type === 'Gone']);
  await storage.close();
  // A session reports what it has read before it ends.
  await expect.poll(readSessions).toEqual(others);
  expect((await readRows()) - before).toBeLessThan(count / 10);
});

async function readRows(): Promise<number> {
  const { rows } = await database.query(`
    SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = 'svc_scheduled')
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'svc_scheduled') AS count`);
  return Number((rows[0] as { count: string }).count);
}

async function readSessions(): Promise<unknown> {
  const { rows } = await database.query(`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' ORDER BY pid`);
  return rows;
}
