import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from '@svc/core';
import type { MigrationItem } from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { killedDatabases } from '../killed-databases.js';
import { batchesOf, emittedEvents, everythingEmitted, expectSequence } from './batch-sequence.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { customer, firstStep, insertOrders, orders, secondStep, sqlItem, tableItem, total } from './trial-tables.js';

const databases = useDatabases();

const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
/** More of them take longer: a process that is gone keeps its lock of a SQLite file for two seconds. */
const kills = Number(process.env['SVC_TEST_KILLS'] ?? 2);
const starter = await bundledProgram(new URL('killed-starter.mjs', import.meta.url));
const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };

const others = { ...tableItem({ ...orders(), table: 'svc_per_others' }), key: 'perspective/Others' };
const first = [sqlItem(firstStep), tableItem(orders()), others];
const more = Array.from({ length: 4 }, (_, i) => ({
  ...sqlItem(`CREATE TABLE trial${i} (id integer)`),
  key: `infrastructure/trial${i}`,
  creates: `trial${i}`,
}));
const next = [
  sqlItem(firstStep, secondStep),
  ...more,
  tableItem(orders([customer, total])),
  { ...others, definition: { ...orders([total]), table: 'svc_per_others' } },
];

describe.each(killedDatabases(databases, seed))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  async function start(items: readonly MigrationItem[]): Promise<void> {
    const storage = database.storage(items);
    const service = createService(registry).useStorage(storage).addSystemEvents().start();
    await service.ready();
    await storage.migrations.idle();
    await service.idle();
    // The host that was killed may have been the one that delivers: its lease has to run out first.
    await everythingEmitted(database);
    await service.stop();
  }

  /** Starts a host and kills it so many milliseconds after it has begun to migrate. */
  async function startUntilKilled(items: readonly MigrationItem[], ms: number): Promise<void> {
    const child = spawn(process.execPath, [starter, kind, database.where, JSON.stringify(items)], { stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => output, { interval: 2, timeout: 15_000 }).toContain('starting\n');
    await sleep(ms);
    child.kill('SIGKILL');
    await ended;
    expect(output).toMatch(/^starting\n(?:done\n)?$/);
  }

  it.each([
    ['that succeeds', [] as const],
    ['with a table that fails', ['UPDATE svc_per_others SET body = \'{"sum":{"total":"many"}}\' WHERE revision = 90']],
  ])(
    `MigrationItemStarted, then Completed or Failed, then MigrationBatchCompleted, each once, however often a batch %s is killed (seed ${seed})`,
    async (_what, changes) => {
      await start(first);
      await insertOrders(database, 100);
      await database.query('INSERT INTO svc_per_others SELECT * FROM svc_per_orders');
      for (const sql of changes) await database.query(sql);
      let random = seed;
      const delays: number[] = [];
      for (let kill = 0; kill < kills; kill++) {
        random = (random * 48_271) % 2_147_483_647;
        // Early ones are as likely as late ones: little time passes before tables are rewritten.
        const ms = Math.round(300 * (random / 2_147_483_647) ** 2);
        delays.push(ms);
        await startUntilKilled(next, ms);
      }
      await start(next);
      const when = `${delays.join(', ')} ms`;
      const [, ...batches] = batchesOf(await emittedEvents(database));
      for (const batch of batches) expectSequence(batch, `killed after ${when}`);
      // What failed is tried again by every start, in a batch of its own.
      if (changes.length === 0) expect(batches, `seed ${seed}, killed after ${when}`).toHaveLength(1);
      expect(batches[0]!.at(-1), `seed ${seed}, killed after ${when}`).toMatchObject({
        applied: 4,
        updated: 3 - changes.length,
        failed: changes.length,
      });
    },
    120_000,
  );
});
