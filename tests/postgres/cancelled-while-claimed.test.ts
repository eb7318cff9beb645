/** Commands that are cancelled while another host claims them: the claim changes their rows during the commit. */
import { newId } from '@svc/core';
import { commitRecord } from '@svc/core/testing';
import type { ScheduleChanges } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.reset();
});
afterAll(() => database.remove());

// Which plan PostgreSQL chooses depends on statistics, on the server's version, and on how often the statement has run.
it.each([
  ['its own choice', []],
  ['nested loops', ['hashjoin', 'mergejoin']],
  ['nested loops and sorting', ['hashjoin', 'mergejoin', 'hashagg']],
  ['indexes', ['seqscan']],
  ['merge joins', ['hashjoin', 'seqscan', 'indexscan']],
])('a commit removes all of them, with a plan of %s', async (_plan, disabled) => {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`ALTER DATABASE ${name} SET plan_cache_mode = force_generic_plan`);
  for (const method of disabled) await database.query(`ALTER DATABASE ${name} SET enable_${method} = off`);
  const storage = postgres({ url: database.url });
  const claiming = new pg.Client(database.url);
  try {
    await Promise.all([storage.open(), claiming.connect()]);
    const keys = ['a', 'b', 'c', 'd'];
    const added = keys.map(scheduled);
    await storage.commit(commitRecord({ schedules: { settled: null, cancelled: [], added } }));

    await claiming.query('BEGIN');
    await claiming.query("UPDATE svc_scheduled SET claimable_at = now() + interval '1 s', holder = $1", [newId()]);
    const cancelled = keys.map((key) => ({ tenant: '', key }));
    const committed = storage.commit(commitRecord({ schedules: { settled: null, cancelled, added: [] } }));
    await expect.poll(() => database.query(waiting).then(({ rows }) => rows.length)).toBe(1);
    await claiming.query('COMMIT');
    await committed;
    expect((await database.query('SELECT key FROM svc_scheduled')).rows).toEqual([]);
  } finally {
    await Promise.all([storage.close(), claiming.end()]);
    await database.query('DELETE FROM svc_scheduled');
    for (const method of disabled) await database.query(`ALTER DATABASE ${name} RESET enable_${method}`);
  }
});

function scheduled(key: string): ScheduleChanges['added'][number] {
  const id = newId();
  const message = { id, type: 'reminders.Remind', body: '{}', timestamp: 0, correlationId: id };
  return { message: { ...message, causationId: null, scope: null, metadata: {} }, key, due: { at: 0 } };
}

const waiting = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
