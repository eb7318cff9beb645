/** Every reason why a migration fails, from a real cause to the event in the system stream, on both databases. */
import { createService, MigrationFailureReason } from '@svc/core';
import type { MigrationItem, MigrationOptions } from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchesOf, emittedEvents, everythingEmitted, expectSequence } from './batch-sequence.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { customer, firstStep, insertOrders, orders, secondStep, sqlItem, tableItem, total } from './trial-tables.js';

const databases = useDatabases();

const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };

interface Cause {
  /** What the program before had. */
  readonly before: MigrationItem;
  readonly item: MigrationItem;
  readonly options?: MigrationOptions;
  /** What makes it fail. Returns what ends that. */
  readonly provoke?: (database: TrialDatabase) => Promise<() => Promise<unknown>>;
}

const nothing = (): Promise<void> => Promise.resolve();
const table = tableItem(orders());
const wrongRow = (body: string) => async (database: TrialDatabase) => {
  await database.query(`INSERT INTO svc_per_orders (key, body, revision) VALUES ('wrong', '${body}', 301)`);
  return nothing;
};

const causes: Readonly<Record<keyof typeof MigrationFailureReason, (kind: string) => Cause>> = {
  Unknown: () => ({
    before: sqlItem(firstStep),
    item: sqlItem('CREATE TABLE trial (id integer PRIMARY KEY, other text)'),
  }),
  SqlError: () => ({ before: sqlItem(firstStep), item: sqlItem(firstStep, 'ALTER TABLE nowhere ADD COLUMN x text') }),
  Timeout: (kind) => {
    // The lock of a SQLite file is let go of before the failure is recorded, which it would prevent as well.
    const options = { lockTimeoutMs: 50, lockWaitMs: kind === 'sqlite' ? 500 : 150, batchSize: 1 };
    if (kind === 'postgres') {
      const provoke = (database: TrialDatabase) => database.lock('trial');
      return { before: sqlItem(firstStep), item: sqlItem(firstStep, secondStep), options, provoke };
    }
    const provoke = async (database: TrialDatabase) => {
      void lockOnceCopying(database, 750);
      return await Promise.resolve(nothing);
    };
    return { before: table, item: tableItem(orders([customer])), options, provoke };
  },
  ColumnTypeMismatch: () => ({
    before: table,
    item: tableItem(orders([total])),
    provoke: wrongRow('{"sum":{"total":"many"}}'),
  }),
  DataCopyFailed: () => ({
    before: table,
    item: tableItem(orders([{ ...total, required: true }])),
    provoke: wrongRow('{"sum":{}}'),
  }),
  // What has the name of the backup cannot be dropped as a table.
  SwapFailed: () => ({
    before: table,
    item: tableItem(orders([customer])),
    provoke: async (database) => {
      await database.query('CREATE VIEW svc_per_orders__backup AS SELECT 1 AS id');
      return () => database.query('DROP VIEW svc_per_orders__backup');
    },
  }),
};

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  /** Starts a service, which may not come up, and stops it once everything has ended. */
  async function start(item: MigrationItem, options?: MigrationOptions): Promise<void> {
    const storage = database.storage([item], options);
    const service = createService(registry)
      .useStorage(storage)
      .addSystemEvents()
      .reportTo(() => {})
      .start();
    const isUp = await service.ready().then(
      () => true,
      () => false,
    );
    await storage.migrations.idle();
    if (isUp) await everythingEmitted(database);
    await service.stop();
  }

  it.each(Object.entries(MigrationFailureReason))(
    'MigrationFailureReason.%s is reported by MigrationItemFailed with a status of Failed (-1)',
    async (name, failureReason) => {
      const { before, item, options, provoke } = causes[name as keyof typeof causes](kind);
      await start(before);
      if (before.kind === 'table') await insertOrders(database, 300);
      const end = (await provoke?.(database)) ?? nothing;
      await start(item, options);
      await end();
      const [, batch] = batchesOf(await emittedEvents(database));
      expectSequence(batch!);
      const failed = { migrationKey: item.key, status: -1, failureReason, error: expect.any(String) as string };
      expect(batch!.find(({ type }) => type === 'ItemFailed')).toMatchObject(failed);
      expect(batch!.at(-1)).toMatchObject({ failed: 1 });
      const [record] = await database.query(`SELECT * FROM svc_schema_migrations WHERE key = '${item.key}'`);
      expect(record).toMatchObject({ status: -1, failure_reason: failureReason });
    },
  );
});

/** Holds the file as soon as rows are copied, for so long. */
async function lockOnceCopying(database: TrialDatabase, ms: number): Promise<void> {
  const progress = "SELECT progress FROM svc_schema_migrations WHERE key = 'perspective/Orders'";
  await expect
    .poll(async () => String((await database.query(progress))[0]?.['progress']), { interval: 5, timeout: 10_000 })
    .toContain('"phase":"copy"');
  const unlock = await database.lock('svc_per_orders');
  setTimeout(() => void unlock(), ms);
}
