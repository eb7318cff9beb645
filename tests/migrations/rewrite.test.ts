/** Tables that are rewritten in the background, on both databases. */
import { MigrationStatus } from '@svc/core';
import {
  type ColumnDefinition,
  type MigratingStorage,
  type MigrationItem,
  type MigrationOptions,
} from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type Row, type TrialDatabase } from './databases.js';
import { changeOrder, customer, insertOrders, keyOf, orders, tableItem, total } from './trial-tables.js';

const databases = useDatabases();

const small: MigrationOptions = { batchSize: 20 };

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => {
    database = await databases[kind]!();
    await (await open([tableItem(orders())])).close();
  });
  afterEach(() => database.remove());

  async function open(items: readonly MigrationItem[], options = small): Promise<MigratingStorage> {
    const storage = database.storage(items, options);
    await storage.open();
    return storage;
  }
  /** Opens, and waits for the end of what is done in the background. */
  async function migrate(items: readonly MigrationItem[], options = small): Promise<MigratingStorage> {
    const storage = await open(items, options);
    await storage.migrations.idle();
    return storage;
  }
  async function record(): Promise<Row> {
    const [row] = await database.query("SELECT * FROM svc_schema_migrations WHERE key = 'perspective/Orders'");
    return row!;
  }
  const count = async (table: string): Promise<number> =>
    Number((await database.query(`SELECT count(*) AS rows FROM ${table}`))[0]!['rows']);
  const filled = async (): Promise<Row[]> =>
    (await database.query('SELECT key, customer, total FROM svc_per_orders ORDER BY key')).map((row) =>
      Object.assign(row, { total: Number(row['total']) }),
    );

  it('MigratingInBackground (4), ColumnCopy: the old table serves until every row has its new columns, then the two are swapped', async () => {
    await insertOrders(database, 400);
    const storage = await open([tableItem(orders([customer, total], { indexes: [['customer']] }))], { batchSize: 1 });
    expect(storage.migrations.state.inBackground).toEqual(['perspective/Orders']);
    expect(await record()).toMatchObject({ status: MigrationStatus.MigratingInBackground, strategy: 'ColumnCopy' });
    await changeOrder(database, 3, 3_000, 600);
    await changeOrder(database, 500, 5_000, 601);
    // It is in the new table already.
    await expect.poll(async () => rowsSoFar(await record()), { interval: 2 }).toBeGreaterThan(10);
    await database.query(`DELETE FROM svc_per_orders WHERE key = '${keyOf(7)}'`);
    await storage.migrations.idle();

    const rows = await filled();
    expect(rows).toHaveLength(400);
    expect(rows[0]).toEqual({ key: keyOf(1), customer: 'c1', total: 1 });
    expect(rows.find(({ key }) => key === keyOf(3))).toEqual({ key: keyOf(3), customer: 'changed', total: 3_000 });
    expect(rows.find(({ key }) => key === keyOf(500))).toEqual({ key: keyOf(500), customer: 'changed', total: 5_000 });
    expect(rows.find(({ key }) => key === keyOf(7))).toBeUndefined();
    expect(await record()).toMatchObject({
      status: MigrationStatus.Updated,
      strategy: 'ColumnCopy',
      progress: null,
      target_hash: null,
    });
    expect(await count('svc_per_orders__backup')).toBe(400);
    await expect(count('svc_per_orders__next')).rejects.toThrow('svc_per_orders__next');
    expect(storage.migrations.state).toEqual({ isWaiting: false, inBackground: [], failed: [] });
  });

  it('loses no write during the copy', async () => {
    await insertOrders(database, 400);
    const storage = await open([tableItem(orders([customer, total]))], { batchSize: 10 });
    let revision = 1_000;
    let writes = 0;
    const expected = new Map<string, number>();
    while (storage.migrations.state.inBackground.length > 0 && writes < 2_000) {
      const i = 1 + ((writes * 37) % 450);
      await changeOrder(database, i, revision, revision);
      expected.set(keyOf(i), revision++);
      writes++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(writes).toBeGreaterThan(0);
    // On a busy machine, the writes can end first.
    await storage.migrations.idle();
    const rows = await database.query('SELECT key, body, revision FROM svc_per_orders');
    const stored = new Map(rows.map(({ key, revision: at }) => [key, Number(at)]));
    for (const [key, at] of expected) expect([key, stored.get(key)]).toEqual([key, at]);
    // The last of them may have come after the swap: then they are in the new table, whose columns the service fills from then on.
    const isFilled = new Map((await filled()).map(({ key, customer: who }) => [key as string, who !== null]));
    const [before, after] = [true, false].map((is) => [...expected].filter(([key]) => isFilled.get(key) === is));
    const isNew = ([key]: [string, number]): boolean => key > keyOf(400);
    const lastBefore = Math.max(0, ...before!.filter(isNew).map(([, at]) => at));
    for (const [, at] of after!) expect(at).toBeGreaterThan(lastBefore);
  });

  it('yields to requests during the copy', async () => {
    await insertOrders(database, 2_000);
    const storage = database.storage([tableItem(orders([customer]))], { batchSize: 100 });
    let turns = 0;
    // Before it opens: a fast database may have copied most rows by then.
    const counting = setInterval(() => (turns += storage.migrations.state.inBackground.length), 0);
    await storage.open();
    await storage.migrations.idle();
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  it.each([
    ['ColumnTypeMismatch (3): a value that does not fit its column', 3, `'{"sum":{"total":"many"}}'`, total],
    ['DataCopyFailed (4): a row that lacks what is required', 4, `'{"sum":{}}'`, { ...total, required: true }],
  ])(
    '%s fails the copy; the old table continues to serve, and the next start retries',
    async (_what, reason, body, column: ColumnDefinition) => {
      await insertOrders(database, 30);
      const before = await record();
      await database.query(`INSERT INTO svc_per_orders (key, body, revision) VALUES ('wrong', ${body}, 31)`);
      const storage = await migrate([tableItem(orders([column]))]);
      expect(storage.migrations.state.failed).toEqual(['perspective/Orders']);
      expect(await record()).toMatchObject({
        status: -1,
        failure_reason: reason,
        hash: before['hash'],
        strategy: 'ColumnCopy',
      });
      expect(await count('svc_per_orders')).toBe(31);
      await expect(count('svc_per_orders__next')).rejects.toThrow('svc_per_orders__next');
      await storage.close();

      await database.query(`UPDATE svc_per_orders SET body = '{"sum":{"total":5}}', revision = 32 WHERE key = 'wrong'`);
      await migrate([tableItem(orders([column]))]);
      expect(await record()).toMatchObject({ status: 2, failure_reason: null });
      expect(await database.query("SELECT key FROM svc_per_orders WHERE total = 5 AND key = 'wrong'")).toHaveLength(1);
    },
  );

  it('DataCopyFailed (4): rows that must be rebuilt from events, of an item without a replay', async () => {
    await migrate([tableItem(orders([], { version: '2' }))]);
    const error = expect.stringContaining('the item has no replay') as string;
    expect(await record()).toMatchObject({ status: -1, failure_reason: 4, strategy: 'EventReplay', error });
  });

  it('restarts when the models that it copies were rebuilt during the copy', async () => {
    await insertOrders(database, 400);
    const storage = await open([tableItem(orders([total]))], { batchSize: 1 });
    await expect.poll(async () => rowsSoFar(await record()), { interval: 2 }).toBeGreaterThan(10);
    // As a rebuild does: revisions are lower than those that were copied.
    await database.query('DROP TABLE svc_per_orders__next');
    await storage.migrations.idle();
    expect(await record()).toMatchObject({ status: MigrationStatus.Updated });
    const rows = await database.query('SELECT key FROM svc_per_orders WHERE total IS NOT NULL');
    expect(rows).toHaveLength(400);
  });

  it('Timeout (2): a table that stays locked beyond the limit', async () => {
    await insertOrders(database, 1_000);
    const options = { batchSize: 1, lockTimeoutMs: 50, lockWaitMs: 1_000 };
    const storage = database.storage([tableItem(orders([customer]))], options);
    let unlock: () => Promise<void>;
    if (kind === 'sqlite') {
      await storage.open();
      await expect.poll(async () => String((await record())['progress']), { interval: 5 }).toContain('"phase":"copy"');
      unlock = await database.lock('svc_per_orders');
    } else {
      // An earlier attempt left its table behind, and somebody looks at it.
      await database.query('CREATE TABLE svc_per_orders__next (id integer)');
      unlock = await database.lock('svc_per_orders__next');
      await storage.open();
    }
    setTimeout(() => void unlock(), 1_500);
    await storage.migrations.idle();
    expect(await record()).toMatchObject({ status: -1, failure_reason: 2 });
    expect(await count('svc_per_orders')).toBe(1_000);
  });

  it('is taken over by another instance when the first one stops, and completes once', async () => {
    await insertOrders(database, 300);
    const items = [tableItem(orders([customer, total]))];
    const first = await open(items, { batchSize: 5 });
    const second = await open(items, { batchSize: 50 });
    await expect.poll(async () => rowsSoFar(await record()), { interval: 5 }).toBeGreaterThan(10);
    await first.close();
    await second.migrations.idle();
    expect(await record()).toMatchObject({ status: 2 });
    expect((await filled()).every(({ total: sum }, i) => sum === i + 1)).toBe(true);
  });

  it('is taken over by a newer program with another target, and the older one no longer changes it', async () => {
    await insertOrders(database, 300);
    const first = await open([tableItem(orders([customer]))], { batchSize: 1 });
    await expect.poll(async () => String((await record())['progress'])).toContain('"phase":"copy"');
    const newer = await migrate([tableItem(orders([customer, total]))]);
    expect(newer.migrations.state.failed).toEqual([]);
    await first.migrations.idle();
    expect((await filled()).every(({ total: sum }, i) => sum === i + 1)).toBe(true);
    await first.close();
    const older = await open([tableItem(orders([customer]))]);
    expect((await older.migrations.plan()).at(-1)).toMatchObject({ action: 'skip' });
  });

  describe('a rollback', () => {
    it('restores the backup, with everything that was written since', async () => {
      await insertOrders(database, 40);
      const before = await record();
      const storage = await migrate([tableItem(orders([customer]))]);
      await changeOrder(database, 2, 2_000, 100);
      await changeOrder(database, 41, 41, 101);
      await database.query(`DELETE FROM svc_per_orders WHERE key = '${keyOf(9)}'`);
      await storage.migrations.rollBack('perspective/Orders');
      await expect(database.query('SELECT customer FROM svc_per_orders')).rejects.toThrow('customer');
      const rows = await database.query('SELECT key, body FROM svc_per_orders ORDER BY key');
      expect(rows).toHaveLength(40);
      expect(JSON.stringify(rows.find(({ key }) => key === keyOf(2)))).toContain('2000');
      expect(await record()).toMatchObject({ hash: before['hash'], description: 'Rolled back to its backup.' });
      await storage.close();
      // The program before works with it again, and the newer one may try once more.
      expect((await (await open([tableItem(orders())])).migrations.plan()).at(-1)).toMatchObject({ action: 'skip' });
      await migrate([tableItem(orders([customer]))]);
      expect(await record()).toMatchObject({ status: 2 });
    });

    it('is rejected without a backup, and for an item that does not exist', async () => {
      const storage = await migrate([tableItem(orders())]);
      await expect(storage.migrations.rollBack('perspective/Orders')).rejects.toMatchObject({
        code: 'SVC_ROLLBACK_REFUSED',
      });
      await expect(storage.migrations.rollBack('perspective/None')).rejects.toMatchObject({
        code: 'SVC_UNKNOWN_MIGRATION',
      });
    });
  });
});

function rowsSoFar({ progress }: Row): number {
  return typeof progress === 'string' ? (JSON.parse(progress) as { rows: number }).rows : 0;
}
