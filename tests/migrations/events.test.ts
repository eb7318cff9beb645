/** What the system stream says of migrations, whatever becomes of them, on both databases. */
import { createService, SystemEventStream, type Service } from '@svc/core';
import type { MigratingStorage, MigrationItem, MigrationOptions } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { idAhead } from '../clocks/id-ahead.js';
import { batchesOf, emittedEvents, everythingEmitted, expectSequence, type EmittedEvent } from './batch-sequence.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import {
  customer,
  firstStep,
  insertOrders,
  note,
  orders,
  secondStep,
  sqlItem,
  tableItem,
  total,
} from './trial-tables.js';

const databases = useDatabases();

const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };
const failing = `${secondStep}; ALTER TABLE nowhere ADD COLUMN x text`;

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  function started(storage: MigratingStorage): Service {
    const service = createService(registry)
      .useStorage(storage)
      .addSystemEvents()
      .reportTo(() => {})
      .start();
    onTestFinished(() => service.stop());
    return service;
  }

  /** Starts a service, waits for everything that it migrates, and stops it. */
  async function migrate(items: readonly MigrationItem[], options?: MigrationOptions): Promise<void> {
    const storage = database.storage(items, options);
    const service = started(storage);
    await service.ready();
    await storage.migrations.idle();
    await service.idle();
    await service.stop();
  }

  /** The batches that the stream has got since it was last asked. */
  let seen = 0;
  beforeEach(() => void (seen = 0));
  async function newBatches(): Promise<EmittedEvent[][]> {
    const batches = batchesOf(await emittedEvents(database));
    return batches.slice(seen, (seen = batches.length));
  }
  const itemsOf = (batch: readonly EmittedEvent[], key: string): EmittedEvent[] =>
    batch.filter(({ migrationKey }) => migrationKey === key);

  it('migration failures are reported by MigrationItemFailed: also when an infrastructure item fails and no service starts', async () => {
    await migrate([sqlItem(firstStep)]);
    await newBatches();
    const broken = started(database.storage([sqlItem(firstStep, failing)]));
    await expect(broken.ready()).rejects.toMatchObject({ code: 'SVC_MIGRATION_FAILED' });
    const [batch, ...more] = await newBatches();
    expect(more).toEqual([]);
    expectSequence(batch!);
    expect(itemsOf(batch!, 'infrastructure/trial')).toMatchObject([
      { type: 'ItemStarted', strategy: 'DirectDdl' },
      { type: 'ItemFailed', status: -1, failureReason: 1, error: expect.stringContaining('nowhere') as string },
    ]);
    expect(batch!.at(-1)).toMatchObject({ type: 'BatchCompleted', failed: 1 });
    await broken.stop();

    await migrate([sqlItem(firstStep, secondStep)]);
    const [fixed, ...others] = await newBatches();
    expect(others).toEqual([]);
    expectSequence(fixed!);
    expect(fixed!.at(-1)).toMatchObject({ updated: 1, failed: 0 });
  });

  it('migration failures are reported by MigrationItemFailed: also when the system stream has ids of a clock ahead', async () => {
    await migrate([sqlItem(firstStep)]);
    await newBatches();
    const ahead = database.storage([sqlItem(firstStep)]);
    await ahead.open();
    const id = idAhead(20_000);
    await ahead.commit(commitRecord({ events: [pendingRecord(SystemEventStream.streamId, { id })] }));
    await ahead.close();
    const broken = started(database.storage([sqlItem(firstStep, failing)]));
    await expect(broken.ready()).rejects.toMatchObject({ code: 'SVC_MIGRATION_FAILED' });
    await broken.stop();
    const [batch] = await newBatches();
    expect(itemsOf(batch!, 'infrastructure/trial')).toMatchObject([{ type: 'ItemStarted' }, { type: 'ItemFailed' }]);
  });

  it('migration failures are reported by MigrationItemFailed: the next start emits once what one start cannot store', async () => {
    await migrate([sqlItem(firstStep)]);
    await newBatches();
    await rejectAppends(kind, database);
    const broken = started(database.storage([sqlItem(firstStep, failing)]));
    await expect(broken.ready()).rejects.toMatchObject({ code: 'SVC_MIGRATION_FAILED' });
    await broken.stop();
    expect(await newBatches()).toEqual([]);
    await allowAppends(kind, database);

    await migrate([sqlItem(firstStep, secondStep)]);
    const batches = await newBatches();
    for (const batch of batches) expectSequence(batch);
    expect(batches.map((batch) => itemsOf(batch, 'infrastructure/trial').at(-1))).toMatchObject([
      { type: 'ItemFailed', failureReason: 1 },
      { type: 'ItemCompleted', status: 2 },
    ]);
    await migrate([sqlItem(firstStep, secondStep)]);
    expect(await newBatches()).toEqual([]);
  });

  it('MigrationItemStarted, then Completed or Failed, then MigrationBatchCompleted: one streamId for the whole batch, background items included', async () => {
    const other = { ...tableItem({ ...orders(), table: 'svc_per_others' }), key: 'perspective/Others' };
    await migrate([tableItem(orders()), other]);
    await insertOrders(database, 60);
    await database.query(`INSERT INTO svc_per_others SELECT * FROM svc_per_orders`);
    await database.query(`UPDATE svc_per_others SET body = '{"sum":{"total":"many"}}' WHERE revision = 60`);
    await newBatches();
    const wrong = { ...other, definition: { ...orders([total]), table: 'svc_per_others' } };
    await migrate([sqlItem(firstStep), tableItem(orders([customer])), wrong], { batchSize: 5 });
    const [batch, ...more] = await newBatches();
    expect(more).toEqual([]);
    expectSequence(batch!);
    expect(itemsOf(batch!, 'perspective/Orders')).toMatchObject([
      { type: 'ItemStarted', strategy: 'ColumnCopy', oldHash: expect.stringMatching(/^sha256:/) as string },
      { type: 'ItemCompleted', status: 2, statusDescription: expect.stringContaining('60 rows copied') as string },
    ]);
    expect(itemsOf(batch!, 'perspective/Others')).toMatchObject([
      { type: 'ItemStarted', strategy: 'ColumnCopy' },
      { type: 'ItemFailed', status: -1, failureReason: 3 },
    ]);
    expect(batch!.at(-1)).toMatchObject({ type: 'BatchCompleted', applied: 1, updated: 1, failed: 1 });
  });

  it('completes the batch after the last background item, and a host that starts before that begins no other batch', async () => {
    await migrate([tableItem(orders())]);
    await insertOrders(database, 300);
    await newBatches();
    const items = [tableItem(orders([customer]))];
    const first = database.storage(items, { batchSize: 1 });
    await started(first).ready();
    const second = database.storage(items, { batchSize: 50 });
    await started(second).ready();
    expect(second.migrations.state.inBackground).toEqual(['perspective/Orders']);
    await expect
      .poll(async () => (await emittedEvents(database)).at(-1))
      .toMatchObject({ type: 'ItemStarted', migrationKey: 'perspective/Orders' });
    await Promise.all([first.migrations.idle(), second.migrations.idle()]);
    await everythingEmitted(database);
    const [batch, ...more] = await newBatches();
    expect(more).toEqual([]);
    expectSequence(batch!);
  });

  it('completes a table in the batch that started it when a newer program migrates it to another target', async () => {
    await migrate([tableItem(orders())]);
    await insertOrders(database, 300);
    await newBatches();
    const older = database.storage([tableItem(orders([customer]))], { batchSize: 1 });
    await started(older).ready();
    expect(older.migrations.state.inBackground).toEqual(['perspective/Orders']);
    await migrate([tableItem(orders([customer, note]))]);
    await older.migrations.idle();
    await everythingEmitted(database);
    const batches = await newBatches();
    for (const batch of batches) expectSequence(batch);
    expect(batches.map((batch) => itemsOf(batch, 'perspective/Orders').at(-1))).toMatchObject([
      { type: 'ItemFailed', failureReason: 0, error: expect.stringContaining('taken over') as string },
      { type: 'ItemCompleted', status: 2 },
    ]);
  });

  it('reports MigratingInBackground (4) for a table that the batch of another program completes', async () => {
    await migrate([tableItem(orders())]);
    await insertOrders(database, 300);
    await newBatches();
    const older = database.storage([tableItem(orders([customer]))], { batchSize: 1 });
    await started(older).ready();
    await migrate([sqlItem(firstStep), tableItem(orders([customer]))]);
    await older.migrations.idle();
    await everythingEmitted(database);
    const batches = await newBatches();
    for (const batch of batches) expectSequence(batch);
    expect(batches.map((batch) => itemsOf(batch, 'perspective/Orders').at(-1))).toMatchObject([
      { type: 'ItemCompleted', status: 2 },
      { type: 'ItemCompleted', status: 4 },
    ]);
  });

  it('emits nothing for a service without system events, and leaves nothing to emit', async () => {
    const service = createService(registry)
      .useStorage(database.storage([sqlItem(firstStep)]))
      .start();
    await service.ready();
    await service.stop();
    await migrate([sqlItem(firstStep)]);
    expect(await newBatches()).toEqual([]);
  });
});

describe('on postgres', () => {
  it('resumes a batch under its streamId after an outage of the database, and retries failed items in another batch', async () => {
    const database = await databases['postgres']!();
    onTestFinished(() => database.remove());
    await database.query('CREATE VIEW svc_per_orders AS SELECT 1 AS id');
    await database.query('CREATE TABLE connections_end (id integer)');
    const dying = `DO $$ BEGIN IF to_regclass('connections_end') IS NOT NULL THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; END $$`;
    const items = [tableItem(orders()), sqlItem(`${firstStep}; ${dying}`)];
    const storage = database.storage(items);
    await expect(storage.open()).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
    await storage.close();
    await database.query('DROP TABLE connections_end; DROP VIEW svc_per_orders');
    const next = database.storage(items);
    const service = createService(registry).useStorage(next).addSystemEvents().start();
    onTestFinished(() => service.stop());
    await service.ready();
    await service.idle();
    const batches = batchesOf(await emittedEvents(database));
    for (const batch of batches) expectSequence(batch);
    expect(batches.map((batch) => batch.at(-1))).toMatchObject([
      { failed: 1, skipped: 0 },
      { applied: 1, failed: 0 },
    ]);
  });
});

/** The database stores no events any more. */
async function rejectAppends(kind: string, database: TrialDatabase): Promise<void> {
  await database.query(
    kind === 'sqlite'
      ? `CREATE TRIGGER no_appends BEFORE INSERT ON svc_events BEGIN SELECT RAISE(ABORT, 'no appends'); END`
      : `CREATE FUNCTION no_appends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no appends'; END $$;
         CREATE TRIGGER no_appends BEFORE INSERT ON svc_events FOR EACH ROW EXECUTE FUNCTION no_appends()`,
  );
}

async function allowAppends(kind: string, database: TrialDatabase): Promise<void> {
  await database.query(kind === 'sqlite' ? 'DROP TRIGGER no_appends' : 'DROP FUNCTION no_appends CASCADE');
}
