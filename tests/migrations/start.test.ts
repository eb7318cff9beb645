/** What happens to the schema when a service starts, on both databases. */
import { readFileSync } from 'node:fs';
import { createService, MigrationStatus, newId, SystemEventStream } from '@svc/core';
import type { MigratingStorage, MigrationItem } from '@svc/core/storage';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from './databases.js';
import { withoutLastEvents, withoutRoles } from './earlier-schema.js';
import { firstStep, insertOrders, note, orders, secondStep, sqlItem, tableItem } from './trial-tables.js';

const databases = useDatabases();

const manifest = readFileSync(new URL('../../packages/core/package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };

type EmittedEvent = Record<string, unknown> & { type: string };

/** Starts a service, stops it, and returns what it told of migrations. */
async function start(storage: MigratingStorage): Promise<EmittedEvent[]> {
  const before = await emittedSoFar(storage);
  const service = createService(registry)
    .useStorage(storage)
    .addSystemEvents()
    .reportTo(() => {})
    .start();
  await service.ready();
  await storage.migrations.idle();
  await service.idle();
  const emitted = await emittedSoFar(storage);
  await service.stop();
  return emitted.slice(before.length);
}

async function emittedSoFar(storage: MigratingStorage): Promise<EmittedEvent[]> {
  if ((await storage.migrations.records()).length === 0) return [];
  const events = await collect(storage.readStream(SystemEventStream.streamId));
  return events
    .filter(({ type }) => type.startsWith('svc.Migration'))
    .map(({ type, body }) =>
      Object.assign(JSON.parse(body) as EmittedEvent, { type: type.slice('svc.Migration'.length) }),
    );
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => {
    database = await databases[kind]!();
  });
  afterEach(() => database.remove());

  const open = async (items: readonly MigrationItem[] = []): Promise<MigratingStorage> => {
    const storage = database.storage(items);
    await storage.open();
    return storage;
  };
  const recordOf = async (key: string) =>
    (await database.storage().migrations.records()).find((record) => record.key === key);

  it('Applied (1): a new item is applied, and recorded with its hash and algorithm', async () => {
    await open([sqlItem(firstStep)]);
    expect(await recordOf('infrastructure/trial')).toMatchObject({
      status: MigrationStatus.Applied,
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      strategy: 'DirectDdl',
      failureReason: null,
      libraryVersion: version,
      appliedAt: expect.any(Number) as number,
      durationMs: expect.any(Number) as number,
    });
    const keys = (await database.query('SELECT key, status FROM svc_schema_migrations ORDER BY key')).map(
      ({ key }) => key,
    );
    expect(keys).toEqual(
      expect.arrayContaining(['infrastructure/events', 'infrastructure/inbox', 'infrastructure/outbox']),
    );
    expect(await database.query('SELECT id FROM trial')).toEqual([]);
  });

  it('Updated (2): an item whose hash changed gets only its further steps, and its data stay', async () => {
    await (await open([sqlItem(firstStep)])).close();
    await database.query('INSERT INTO trial (id) VALUES (7)');
    const before = await recordOf('infrastructure/trial');
    await open([sqlItem(firstStep, secondStep)]);
    expect(await database.query('SELECT id, name FROM trial')).toEqual([{ id: 7, name: null }]);
    const after = await recordOf('infrastructure/trial');
    expect(after).toMatchObject({ status: MigrationStatus.Updated, previousHashes: [before!.hash] });
    expect(after!.appliedAt).toBe(before!.appliedAt);
  });

  it('Skipped (3) is recorded per item, skipped because the hash is unchanged, whatever its comments and indentation; nothing is emitted', async () => {
    expect((await start(database.storage([sqlItem(firstStep), tableItem(orders())]))).length).toBeGreaterThan(0);
    const before = await database.storage().migrations.records();
    const again = sqlItem(`-- The same.\n  ${firstStep.replaceAll(' ', '\n  ')}`);
    expect(await start(database.storage([again, tableItem(orders())]))).toEqual([]);
    // When and how each of them was applied stays.
    expect(await database.storage().migrations.records()).toEqual(
      before.map((record) => ({
        ...record,
        status: MigrationStatus.Skipped,
        description: 'Unchanged. Last change: Applied for the first time.',
      })),
    );
    expect(before.map(({ status }) => status)).not.toContain(MigrationStatus.Skipped);
  });

  it('writes nothing for an item that is already recorded as Skipped, and records its next change as Updated', async () => {
    const reported: unknown[] = [];
    const startOnce = async (...steps: string[]): Promise<void> => {
      const service = createService(registry)
        .useStorage(database.storage([sqlItem(...steps)]))
        .reportTo((error) => reported.push(error))
        .start();
      await service.ready();
      await service.stop();
    };
    await startOnce(firstStep);
    await rejectWrites(kind, database);
    // A start that cannot record it comes up all the same, and reports why.
    await startOnce(firstStep);
    expect(String(reported)).toContain('no writes');
    await allowWrites(kind, database);
    await startOnce(firstStep);
    reported.length = 0;
    await rejectWrites(kind, database);
    await startOnce(firstStep);
    expect(reported).toEqual([]);
    await allowWrites(kind, database);
    await startOnce(firstStep, secondStep);
    expect(await recordOf('infrastructure/trial')).toMatchObject({ status: MigrationStatus.Updated });
    await startOnce(firstStep, secondStep);
    expect(await recordOf('infrastructure/trial')).toMatchObject({
      status: MigrationStatus.Skipped,
      description: 'Unchanged. Last change: Updated by 1 step.',
    });
  });

  it('leaves Failed (-1) in the table when an older program skips the item', async () => {
    await (await open([sqlItem(firstStep)])).close();
    const broken = database.storage([sqlItem(firstStep, 'ALTER TABLE nowhere ADD COLUMN x text')]);
    await expect(broken.open()).rejects.toMatchObject({ code: 'SVC_MIGRATION_FAILED' });
    await (await open([sqlItem(firstStep)])).close();
    expect(await recordOf('infrastructure/trial')).toMatchObject({ status: MigrationStatus.Failed, failureReason: 1 });
  });

  it('DirectDdl: a new table is created, and optional columns and indexes are added in place', async () => {
    await (await open([tableItem(orders())])).close();
    await insertOrders(database, 3);
    await open([tableItem(orders([note], { indexes: [['note']] }))]);
    expect(await database.query('SELECT count(*) AS rows FROM svc_per_orders WHERE note IS NULL')).toEqual([
      { rows: kind === 'sqlite' ? 3 : '3' },
    ]);
    expect(await recordOf('perspective/Orders')).toMatchObject({
      status: MigrationStatus.Updated,
      strategy: 'DirectDdl',
    });
  });

  it('emits the sequence of rule 10, with every field, once', async () => {
    const emitted = await start(database.storage([sqlItem(firstStep), tableItem(orders())]));
    const { migrations } = database.storage();
    const keys = (await migrations.records()).map(({ key }) => key);
    const infrastructure = keys.filter((key) => key.startsWith('infrastructure/'));
    const items = emitted.slice(1, -1);
    expect(emitted[0]).toMatchObject({
      type: 'BatchStarted',
      libraryVersion: version,
      totalMigrations: infrastructure.length,
      totalPerspectives: 1,
    });
    expect(items.map(({ type }) => type)).toEqual(keys.flatMap(() => ['ItemStarted', 'ItemCompleted']));
    expect(items[0]).toMatchObject({
      migrationKey: 'infrastructure/events',
      strategy: 'DirectDdl',
      oldHash: null,
      newHash: expect.stringContaining('sha256:') as string,
    });
    expect(items[1]).toMatchObject({
      migrationKey: 'infrastructure/events',
      status: 1,
      statusDescription: 'Applied for the first time.',
      duration: expect.stringMatching(/^PT[\d.]+S$/) as string,
    });
    expect(emitted.at(-1)).toMatchObject({
      type: 'BatchCompleted',
      libraryVersion: version,
      applied: keys.length,
      updated: 0,
      skipped: 0,
      failed: 0,
      totalDuration: expect.stringMatching(/^PT[\d.]+S$/) as string,
    });
    expect(
      (emitted.at(-1)!['results'] as { migrationKey: string }[]).map(({ migrationKey }) => migrationKey).toSorted(),
    ).toEqual(keys);
    expect(new Set(emitted.map(({ streamId }) => streamId)).size).toBe(1);
  });

  it('counts skipped items and updated items', async () => {
    await start(database.storage([sqlItem(firstStep)]));
    const emitted = await start(database.storage([sqlItem(firstStep, secondStep)]));
    const total = (await database.storage().migrations.records()).length;
    expect(emitted.at(-1)).toMatchObject({
      type: 'BatchCompleted',
      updated: 1,
      skipped: total - 1,
      applied: 0,
      failed: 0,
    });
  });

  it('takes over a database without migration records, and changes nothing in it', async () => {
    await (await open([sqlItem(firstStep)])).close();
    await database.query('INSERT INTO trial (id) VALUES (1)');
    await database.query('DROP TABLE svc_schema_migrations');
    // What a later step made was not there either.
    await database.query('DROP INDEX svc_inbox_age');
    await database.query('ALTER TABLE svc_perspectives_stopped DROP COLUMN attempts');
    await database.query(withoutRoles[kind]! + withoutLastEvents);
    await open([sqlItem(firstStep, secondStep)]);
    expect(await database.query('SELECT id, name FROM trial')).toEqual([{ id: 1, name: null }]);
    expect(await recordOf('infrastructure/events')).toMatchObject({
      status: 1,
      description: 'It already existed; recorded.',
    });
  });

  it('SqlError (1): a failed infrastructure item is rolled back, retains its old hash, and ready() reports it; fixed, it is applied', async () => {
    await (await open([sqlItem(firstStep)])).close();
    const before = await recordOf('infrastructure/trial');
    const broken = database.storage([sqlItem(firstStep, `${secondStep}; ALTER TABLE nowhere ADD COLUMN x text`)]);
    const service = createService(registry)
      .useStorage(broken)
      .addSystemEvents()
      .reportTo(() => {})
      .start();
    await expect(service.ready()).rejects.toMatchObject({
      code: 'SVC_MIGRATION_FAILED',
      key: 'infrastructure/trial',
      reason: 1,
      message: expect.stringMatching(/infrastructure\/trial \(SqlError\): .*nowhere/) as string,
    });
    const { entries } = await service.health.run(({ name }) => name === 'svc_migrations');
    expect(entries).toMatchObject([{ status: 'Unhealthy', description: 'Migrations failed: infrastructure/trial.' }]);
    await service.stop();
    expect(await recordOf('infrastructure/trial')).toMatchObject({ status: -1, hash: before!.hash, failureReason: 1 });
    await expect(database.query('SELECT name FROM trial')).rejects.toThrow('name');

    const emitted = await start(database.storage([sqlItem(firstStep, secondStep)]));
    expect(emitted.map(({ type }) => type)).toContain('BatchCompleted');
    expect(await recordOf('infrastructure/trial')).toMatchObject({ status: 2, failureReason: null, error: null });
    expect(await database.query('SELECT name FROM trial')).toEqual([]);
  });

  it('Failed (-1): a table that cannot be created does not prevent the service from starting, and is retried', async () => {
    // What has the name already is not a table.
    await database.query('CREATE VIEW svc_per_orders AS SELECT 1 AS id');
    const broken = tableItem(orders());
    const storage = database.storage([broken]);
    const emitted = await start(storage);
    expect(emitted.find(({ type }) => type === 'ItemFailed')).toMatchObject({
      migrationKey: 'perspective/Orders',
      status: -1,
      failureReason: 1,
      error: expect.any(String) as string,
      duration: expect.any(String) as string,
    });
    expect(emitted.at(-1)).toMatchObject({ type: 'BatchCompleted', failed: 1 });
    expect(storage.migrations.state.failed).toEqual(['perspective/Orders']);
    await database.query('DROP VIEW svc_per_orders');
    expect((await start(database.storage([broken]))).at(-1)).toMatchObject({ failed: 0, applied: 1 });
  });

  it('Timeout (2): a table that another session holds locked is waited for, up to the limit', async () => {
    await (await open([sqlItem(firstStep)])).close();
    const unlock = await database.lock('trial');
    const storage = database.storage([sqlItem(firstStep, secondStep)], { lockTimeoutMs: 30, lockWaitMs: 150 });
    // SQLite's lock is that of the file: not even the failure could be recorded under it, nor a lock taken.
    if (kind === 'postgres') {
      await expect(storage.open()).rejects.toMatchObject({ code: 'SVC_MIGRATION_FAILED', reason: 2 });
      expect(await recordOf('infrastructure/trial')).toMatchObject({ status: -1, failureReason: 2 });
    }
    const patient = database.storage([sqlItem(firstStep, secondStep)], { lockTimeoutMs: 30, lockWaitMs: 10_000 });
    const opening = patient.open();
    setTimeout(() => void unlock(), 200);
    await opening;
    expect(await recordOf('infrastructure/trial')).toMatchObject({ status: 2 });
  });

  it('Unknown (0): steps that were changed after they ran are rejected', async () => {
    await (await open([sqlItem(firstStep)])).close();
    const changed = database.storage([sqlItem('CREATE TABLE trial (id integer PRIMARY KEY, other text)')]);
    await expect(changed.open()).rejects.toMatchObject({
      code: 'SVC_MIGRATION_FAILED',
      reason: 0,
      message: expect.stringContaining('Restore them, and add a new step') as string,
    });
  });

  it('lets one of many hosts that start concurrently migrate, while the others wait', async () => {
    const storages = Array.from({ length: 4 }, () =>
      database.storage([sqlItem(firstStep, secondStep), tableItem(orders())]),
    );
    await Promise.all(storages.map((storage) => storage.open()));
    expect(storages.map(({ migrations }) => migrations.state)).toEqual(
      storages.map(() => ({ isWaiting: false, inBackground: [], failed: [] })),
    );
    const rows = await database.query('SELECT description FROM svc_schema_migrations');
    // A host that came late may have skipped them already.
    for (const { description } of rows)
      expect(description).toMatch(/^(?:Unchanged\. Last change: )?Applied for the first time\.$/);
  });

  it.runIf(kind === 'sqlite')('continues when another process has taken over its lock, once that ends', async () => {
    const taken = `UPDATE svc_migration_locks SET holder = 'another', expires_at = ${Date.now() + 1_000}`;
    const storage = database.storage([sqlItem(firstStep, taken), tableItem(orders())]);
    const waited: boolean[] = [];
    const watching = setInterval(() => void waited.push(storage.migrations.state.isWaiting), 20);
    await storage.open();
    clearInterval(watching);
    expect(waited).toContain(true);
    expect(storage.migrations.state).toEqual({ isWaiting: false, inBackground: [], failed: [] });
    for (const key of ['infrastructure/trial', 'perspective/Orders']) {
      expect(await recordOf(key)).toMatchObject({ status: MigrationStatus.Applied });
    }
  });

  it('is Degraded while another host migrates, and Healthy once that has ended', async () => {
    await (await open()).close();
    const other = database.storage();
    await other.open();
    const hold = kind === 'postgres' ? holdSchemaOnPostgres : holdSchemaOnSqlite;
    const release = await hold(database);
    const storage = database.storage([sqlItem(firstStep)]);
    const service = createService(registry).useStorage(storage).start();
    const status = async (): Promise<unknown> => {
      const { entries } = await service.health.run(({ name }) => name === 'svc_migrations');
      return entries[0]!.status;
    };
    await expect.poll(status, { interval: 20, timeout: 5_000 }).toBe('Degraded');
    await release();
    await service.ready();
    await expect.poll(status, { interval: 20, timeout: 5_000 }).toBe('Healthy');
    await service.stop();
  });

  it('stops while another host migrates, and leaves nothing that waits for it', async () => {
    await (await open()).close();
    const release = await (kind === 'postgres' ? holdSchemaOnPostgres : holdSchemaOnSqlite)(database);
    const storage = database.storage([sqlItem(firstStep)]);
    const service = createService(registry).useStorage(storage).start();
    const stopping = { code: 'SVC_SERVICE_STOPPING' };
    const [ready, committed] = [service.ready(), storage.commit(commitRecord({ events: [pendingRecord(newId())] }))];
    await expect.poll(() => storage.migrations.state.isWaiting, { interval: 20, timeout: 5_000 }).toBe(true);
    const rejected = [ready, committed].map((waiting) => expect(waiting).rejects.toMatchObject(stopping));
    await Promise.all([service.stop(), ...rejected]);
    await release();
    expect(await collect((await open()).readAll())).toEqual([]);
  });

  describe('an older program', () => {
    it('does not change what a newer one has added, and reports it', async () => {
      await (await open([sqlItem(firstStep, secondStep), tableItem(orders([note]))])).close();
      await database.query("UPDATE svc_schema_migrations SET library_version = '9.0.0'");
      const left = "SELECT * FROM svc_schema_migrations WHERE key IN ('infrastructure/trial', 'perspective/Orders')";
      const records = await database.query(left);
      const older = await open([sqlItem(firstStep), tableItem(orders())]);
      expect(records).toHaveLength(2);
      expect(await database.query(left)).toEqual(records);
      const plan = await older.migrations.plan();
      expect(plan.find(({ item }) => item.key === 'infrastructure/trial')?.description).toBe(
        'Skipped: a newer program (library 9.0.0) has changed it.',
      );
    });

    it('of the same library is recognized by the previous hashes', async () => {
      await (await open([tableItem(orders())])).close();
      await (await open([tableItem(orders([note]))])).close();
      const older = await open([tableItem(orders())]);
      expect((await older.migrations.plan()).at(-1)).toMatchObject({
        action: 'skip',
        description: expect.stringContaining('Skipped: a newer program') as string,
      });
      expect(await database.query('SELECT note FROM svc_per_orders')).toEqual([]);
    });

    it.each([
      [
        'needs a newer library',
        "UPDATE svc_schema_migrations SET requires_version = '9.0.0' WHERE key = 'infrastructure/events'",
        'infrastructure/events',
      ],
      [
        'has lost a column that it needs',
        "UPDATE svc_schema_migrations SET library_version = '9.0.0' WHERE key = 'perspective/Orders'",
        'perspective/Orders',
      ],
    ])('rejects a database that %s', async (_what, sql, key) => {
      await (await open([tableItem(orders())])).close();
      await database.query(sql);
      const older = database.storage([tableItem(orders([note]))]);
      await expect(older.open()).rejects.toMatchObject({
        code: 'SVC_SCHEMA_TOO_NEW',
        message: expect.stringContaining(`cannot work with ${key}`) as string,
      });
    });
  });
});

/** Every write to the table of records fails. */
async function rejectWrites(kind: string, database: TrialDatabase): Promise<void> {
  await database.query(
    kind === 'sqlite'
      ? "CREATE TRIGGER no_writes BEFORE UPDATE ON svc_schema_migrations BEGIN SELECT RAISE(ABORT, 'no writes'); END"
      : `CREATE FUNCTION no_writes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no writes'; END $$;
         CREATE TRIGGER no_writes BEFORE UPDATE ON svc_schema_migrations FOR EACH STATEMENT EXECUTE FUNCTION no_writes()`,
  );
}

async function allowWrites(kind: string, database: TrialDatabase): Promise<void> {
  await database.query(kind === 'sqlite' ? 'DROP TRIGGER no_writes' : 'DROP FUNCTION no_writes CASCADE');
}

async function holdSchemaOnPostgres(database: TrialDatabase): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(database.where);
  await client.connect();
  await client.query(
    `SELECT pg_advisory_lock(hashtextextended('svc-migrations:' || current_schema() || ':schema', 0))`,
  );
  return () => client.end();
}

async function holdSchemaOnSqlite(database: TrialDatabase): Promise<() => Promise<void>> {
  await database.query(`INSERT INTO svc_migration_locks VALUES ('schema', 'another', ${Date.now() + 60_000})`);
  return async () => void (await database.query("DELETE FROM svc_migration_locks WHERE holder = 'another'"));
}
