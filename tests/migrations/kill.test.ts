import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { changeOrder, customer, insertOrders, keyOf, orders, tableItem, total } from './trial-tables.js';

const databases = useDatabases();

const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
/** More of them take longer: a process that is gone keeps its lock of a SQLite file for two seconds. */
const kills = Number(process.env['SVC_TEST_KILLS'] ?? 2);
const copier = await bundledProgram(new URL('killed-copier.mjs', import.meta.url));
const opened: TrialDatabase[] = [];
afterAll(async () => {
  for (const database of opened) await database.remove();
});

const items = [tableItem(orders([customer, total]))];
const rows = 3_000;

/** Runs a copier until it has copied some more rows, kills it, and returns how many it has copied in all. */
async function copyUntilKilled(kind: string, database: TrialDatabase, pauseMs: number): Promise<number> {
  const before = await copied(database);
  const child = spawn(process.execPath, [copier, kind, database.where, JSON.stringify(items)], { stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    // The copy begins before the host says that it is open.
    const isFar = async (): Promise<boolean> => output !== '' && (await copied(database)) > before;
    await expect.poll(isFar, { interval: 10, timeout: 15_000 }).toBe(true);
    await sleep(pauseMs);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  expect(output).toBe('open\n');
  return await copied(database);
}

async function copied(database: TrialDatabase): Promise<number> {
  const [row] = await database.query("SELECT progress FROM svc_schema_migrations WHERE key = 'perspective/Orders'");
  const progress = row?.['progress'];
  return typeof progress === 'string' ? (JSON.parse(progress) as { rows: number }).rows : 0;
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  it(`resumes a copy where it was killed, and neither loses nor repeats a row (seed ${seed})`, async () => {
    const database = await databases[kind]!();
    opened.push(database);
    const first = database.storage([tableItem(orders())]);
    await first.open();
    await first.close();
    await insertOrders(database, rows);
    let random = seed;
    for (let kill = 0; kill < kills; kill++) {
      random = (random * 48_271) % 2_147_483_647;
      const done = await copyUntilKilled(kind, database, random % 60);
      expect(done, `seed ${seed}, kill ${kill}`).toBeLessThan(rows);
      await changeOrder(database, 1 + kill, 100_000 + kill, rows + 1 + kill);
    }
    const before = await copied(database);
    expect(before).toBeGreaterThan(0);

    const last = database.storage(items);
    await last.open();
    await last.migrations.idle();
    const [record] = await last.migrations
      .records()
      .then((all) => all.filter(({ key }) => key === 'perspective/Orders'));
    expect(record).toMatchObject({ status: 2, strategy: 'ColumnCopy' });
    const found = await database.query('SELECT key, total FROM svc_per_orders ORDER BY key');
    expect(found).toHaveLength(rows);
    for (const [i, row] of found.entries()) {
      expect([row['key'], Number(row['total'])]).toEqual([keyOf(i + 1), i < kills ? 100_000 + i : i + 1]);
    }
  }, 60_000);
});
