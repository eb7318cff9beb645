/** The server tidies up tables while they are in use; a migration that needs one then waits for it, and is in nobody's way. */
import { tableNamesOf, type MigrationOptions } from '@svc/core/storage';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { notes, placed, startProgram } from './notes.js';
import { customer, insertOrders, orders, tableItem } from './trial-tables.js';

const databases = useDatabases();

/** Far less than a vacuum takes to give way: without waiting for it in particular, the migration would fail. */
const hasty: MigrationOptions = { lockTimeoutMs: 50, lockWaitMs: 100 };
const vacuumMs = 600;

interface Case {
  readonly table: string;
  /** Makes what is to be migrated, and returns what migrates it and resolves with the item's record. */
  prepare(database: TrialDatabase): Promise<() => Promise<unknown>>;
}

const record = async (database: TrialDatabase, key: string): Promise<unknown> =>
  (await database.query(`SELECT status, description FROM svc_schema_migrations WHERE key = '${key}'`))[0];

const cases: Readonly<Record<string, Case>> = {
  'the swap of a ColumnCopy': {
    table: 'svc_per_orders',
    async prepare(database) {
      await database.storage([tableItem(orders())]).open();
      await insertOrders(database, 10);
      return async () => {
        const storage = database.storage([tableItem(orders([customer]))], hasty);
        await storage.open();
        await storage.migrations.idle();
        return await record(database, 'perspective/Orders');
      };
    },
  },
  'the swap of an EventReplay': {
    table: tableNamesOf('OrderNotes').models,
    async prepare(database) {
      const older = await startProgram(database.storage(), notes([placed]));
      await place(older.service, 'x');
      await older.service.idle();
      return async () => {
        const newer = await startProgram(database.storage([], hasty), notes([placed], 2));
        await newer.storage.migrations.idle();
        return await record(database, 'perspective/OrderNotes');
      };
    },
  },
  'a rollback': {
    table: 'svc_per_orders',
    async prepare(database) {
      await database.storage([tableItem(orders())]).open();
      await insertOrders(database, 10);
      const storage = database.storage([tableItem(orders([customer]))], hasty);
      await storage.open();
      await storage.migrations.idle();
      return async () => await storage.migrations.rollBack('perspective/Orders');
    },
  },
};

describe('on postgres', () => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases['postgres']!()));
  afterEach(() => database.remove());

  async function connected(): Promise<pg.Client> {
    const client = new pg.Client(database.where);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  it.each(Object.keys(cases))(
    'lets readers pass while %s waits for a vacuum of the table, and succeeds',
    async (name) => {
      const { table, prepare } = cases[name]!;
      const migrate = await prepare(database);
      const [vacuum, observer] = [await connected(), await connected()];
      // The lock of a vacuum, for as long as the test wants.
      await vacuum.query(`BEGIN; LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
      const migrated = migrate();
      const waiting = `SELECT DISTINCT mode FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
      await expect.poll(async () => (await observer.query(waiting)).rows.length, { timeout: 10_000 }).toBe(1);
      const end = performance.now() + vacuumMs;
      while (performance.now() < end)
        await observer.query(`SET statement_timeout = 200; SELECT count(*) FROM ${table}`);
      expect((await observer.query(waiting)).rows).toEqual([{ mode: 'ShareUpdateExclusiveLock' }]);
      await vacuum.query('COMMIT');
      expect(await migrated).toMatchObject({ status: 2 });
    },
  );
});
