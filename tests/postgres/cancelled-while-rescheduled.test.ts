/** A command that is cancelled by its key while another host settles it, and perhaps schedules the next command under the same key. */
import { newId } from '@svc/core';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { expect, it } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((created) => (database = created));

it.each([
  [
    'and schedules another one under its key',
    `INSERT INTO svc_scheduled SELECT (jsonb_populate_record(settled::svc_scheduled, $1)).* FROM settled`,
  ],
  ['and schedules nothing', 'SELECT $1::jsonb FROM settled'],
])('a commit cancels by a key while another one settles the command %s', async (_what, next) => {
  const storage = postgres({ url: database.url });
  const settling = new pg.Client(database.url);
  try {
    await Promise.all([storage.open(), settling.connect()]);
    const id = newId();
    const message = { id, type: 'reminders.Remind', body: '{}', timestamp: 0, correlationId: id };
    const added = ['poll', 'other'].map((key) => ({
      message: { ...message, id: newId(), causationId: null, scope: null, metadata: {} },
      key,
      due: { at: 0 },
    }));
    await storage.commit(commitRecord({ schedules: { settled: null, cancelled: [], added } }));

    await settling.query('BEGIN');
    await settling.query(`WITH settled AS (DELETE FROM svc_scheduled WHERE key = 'poll' RETURNING *) ${next}`, [
      JSON.stringify({ id: newId() }),
    ]);
    const cancelled = [{ tenant: '', key: 'poll' }];
    const record = commitRecord({
      events: [pendingRecord(newId())],
      schedules: { settled: null, cancelled, added: [] },
    });
    const committed = storage.commit(record);
    await expect.poll(() => database.query(waiting).then(({ rows }) => rows.length)).toBe(1);
    await settling.query('COMMIT');
    await committed;
    expect((await storage.schedule.read(10)).map(({ key }) => key)).toEqual(['other']);
    expect(await collect(storage.readAll())).toHaveLength(1);
  } finally {
    await Promise.all([storage.close(), settling.end()]);
  }
});

const waiting = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
