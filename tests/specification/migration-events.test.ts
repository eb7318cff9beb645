/** The fields of the migration events: of a first start, and of one that updates an item, skips others and fails with one. */
import {
  createService,
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
} from '@svc/core';
import type { MigrationItem, MigrationRecord } from '@svc/core/storage';
import { libraryVersion } from '@svc/core/hosting';
import { describe, expect } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { firstStep, orders, secondStep, sqlItem, tableItem } from '../migrations/trial-tables.js';
import { records } from '../system-events/shop.js';
import { anyUuid, millisecondsOf, testRows, whileRunning, type Rows } from './recorded.js';

const [trial, table, broken] = ['infrastructure/trial', 'perspective/Orders', 'perspective/Broken'];
const brokenTable = tableItem(orders([], { table: 'svc_per_broken' }), { key: broken });

/** What one start recorded. */
interface Start {
  readonly batchStarted: MigrationBatchStarted;
  readonly started: ReadonlyMap<string, MigrationItemStarted>;
  readonly completed: ReadonlyMap<string, MigrationItemCompleted>;
  readonly failed: ReadonlyMap<string, MigrationItemFailed>;
  readonly batchCompleted: MigrationBatchCompleted;
  /** What is in `svc_schema_migrations` after it. */
  readonly table: readonly MigrationRecord[];
  readonly tookMs: number;
}

interface Recorded {
  readonly first: Start;
  /** The trial item is updated, the table of the broken one cannot be made, and all others are skipped. */
  readonly second: Start;
}

async function recordOn(database: TrialDatabase): Promise<Recorded> {
  const first = await start(database, [sqlItem(firstStep), tableItem(orders())]);
  // What has the name already is not a table.
  await database.query('CREATE VIEW svc_per_broken AS SELECT 1 AS id');
  const second = await start(database, [sqlItem(firstStep, secondStep), tableItem(orders()), brokenTable]);
  await database.remove();
  return { first, second };
}

const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };

async function start(database: TrialDatabase, items: readonly MigrationItem[]): Promise<Start> {
  const storage = database.storage(items);
  const began = performance.now();
  const service = createService(registry)
    .useStorage(storage)
    .addSystemEvents()
    .reportTo(() => {})
    .start();
  return await whileRunning(service, async () => {
    const tookMs = performance.now() - began;
    await storage.migrations.emitted();
    const { streamId } = (await records(service, MigrationBatchStarted)).at(-1)!;
    const ofBatch = async <T extends { streamId: string }>(type: new () => T): Promise<T[]> =>
      (await records(service, type)).filter((event) => event.streamId === streamId);
    const byKey = async <T extends { streamId: string; migrationKey: string }>(
      type: new () => T,
    ): Promise<ReadonlyMap<string, T>> => new Map((await ofBatch(type)).map((event) => [event.migrationKey, event]));
    const [batchStarted] = await ofBatch(MigrationBatchStarted);
    const [batchCompleted] = await ofBatch(MigrationBatchCompleted);
    return {
      batchStarted: batchStarted!,
      started: await byKey(MigrationItemStarted),
      completed: await byKey(MigrationItemCompleted),
      failed: await byKey(MigrationItemFailed),
      batchCompleted: batchCompleted!,
      table: await storage.migrations.records(),
      tookMs,
    };
  });
}

const keysOf = ({ table: rows }: Start): string[] => rows.map(({ key }) => key).toSorted();
const resultsOf = ({ batchCompleted }: Start) =>
  new Map(batchCompleted.results.map((result) => [result.migrationKey, result]));

const rows: Rows<Recorded> = {
  'StreamId: one for all events of a batch': ({ first, second }) => {
    const ids = [first, second].map(({ batchStarted }) => batchStarted.streamId);
    expect(ids).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(ids[0]).not.toBe(ids[1]);
    for (const { batchCompleted, started } of [first, second])
      expect(batchCompleted.results.map(({ migrationKey }) => migrationKey)).toEqual([...started.keys()]);
    expect([second.completed.size, second.failed.size]).toEqual([second.started.size - 1, 1]);
  },
  'MigrationItemStarted.MigrationKey: the item': ({ first, second }) => {
    expect([...first.started.keys()].toSorted()).toEqual(keysOf(first));
    expect([...second.started.keys()].toSorted()).toEqual(keysOf(second));
  },
  'MigrationItemStarted.Strategy: how it is migrated': ({ second }) =>
    expect(second.started.get(trial)!.strategy).toBe('DirectDdl'),
  'MigrationItemStarted.OldHash: hash before, null for the first time': ({ first, second }) => {
    expect(first.started.get(trial)!.oldHash).toBeNull();
    expect(second.started.get(trial)!.oldHash).toBe(first.started.get(trial)!.newHash);
  },
  'MigrationItemStarted.NewHash: hash afterwards': ({ first, second }) => {
    for (const { started, table: stored } of [first, second])
      expect(started.get(trial)!.newHash).toBe(stored.find(({ key }) => key === trial)!.hash);
    expect(second.started.get(trial)!.newHash).not.toBe(first.started.get(trial)!.newHash);
  },
  'MigrationItemCompleted.MigrationKey: the item': ({ second }) =>
    expect([...second.completed.keys()].toSorted()).toEqual(keysOf(second).filter((key) => key !== broken)),
  'MigrationItemCompleted.Status: what became of it': ({ first, second }) =>
    expect([first.completed.get(trial), second.completed.get(trial), second.completed.get(table)]).toMatchObject([
      { status: 1 },
      { status: 2 },
      { status: 3 },
    ]),
  'MigrationItemCompleted.StatusDescription: the same in words': ({ first, second }) => {
    const described = [first.completed.get(trial), second.completed.get(trial), second.completed.get(table)];
    expect(described.map((event) => event!.statusDescription)).toEqual([
      'Applied for the first time.',
      expect.stringMatching(/^Updated/),
      expect.stringMatching(/unchanged/i),
    ]);
  },
  'MigrationItemCompleted.Duration: how long it took': ({ first }) => {
    const durations = [...first.completed.values()].map(({ duration }) => millisecondsOf(duration));
    const total = durations.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(first.tookMs + durations.length);
  },
  'MigrationItemFailed.MigrationKey: the item': ({ second }) => expect([...second.failed.keys()]).toEqual([broken]),
  'MigrationItemFailed.Status: Failed': ({ second }) => expect(second.failed.get(broken)!.status).toBe(-1),
  'MigrationItemFailed.FailureReason: why it failed': ({ second }) =>
    expect(second.failed.get(broken)!.failureReason).toBe(1),
  'MigrationItemFailed.Error: what failed': ({ second }) =>
    expect(second.failed.get(broken)!.error).toContain('svc_per_broken'),
  'MigrationItemFailed.Duration: how long it took': ({ second }) => {
    const duration = millisecondsOf(second.failed.get(broken)!.duration);
    expect(duration).toBeGreaterThanOrEqual(0);
    expect(duration).toBeLessThanOrEqual(second.tookMs + 1);
  },
  'MigrationBatchStarted.LibraryVersion: the version of the library': ({ first }) =>
    expect(first.batchStarted.libraryVersion).toBe(libraryVersion),
  'MigrationBatchStarted.TotalMigrations: items of the infrastructure': ({ first }) =>
    expect(first.batchStarted.totalMigrations).toBe(keysOf(first).filter((key) => key.startsWith('infra')).length),
  'MigrationBatchStarted.TotalPerspectives: tables of perspectives': ({ first, second }) =>
    expect([first, second].map(({ batchStarted }) => batchStarted.totalPerspectives)).toEqual([1, 2]),
  'MigrationBatchCompleted.LibraryVersion: the version of the library': ({ first }) =>
    expect(first.batchCompleted.libraryVersion).toBe(libraryVersion),
  'MigrationBatchCompleted.Results: one for each item': ({ second }) =>
    expect([...resultsOf(second).keys()].toSorted()).toEqual(keysOf(second)),
  'MigrationBatchCompleted.Applied: how many were applied': ({ first, second }) =>
    expect([first, second].map(({ batchCompleted }) => batchCompleted.applied)).toEqual([keysOf(first).length, 0]),
  'MigrationBatchCompleted.Updated: how many were updated': ({ first, second }) =>
    expect([first, second].map(({ batchCompleted }) => batchCompleted.updated)).toEqual([0, 1]),
  'MigrationBatchCompleted.Skipped: how many were skipped': ({ first, second }) =>
    expect([first, second].map(({ batchCompleted }) => batchCompleted.skipped)).toEqual([0, keysOf(second).length - 2]),
  'MigrationBatchCompleted.Failed: how many failed': ({ first, second }) =>
    expect([first, second].map(({ batchCompleted }) => batchCompleted.failed)).toEqual([0, 1]),
  'MigrationBatchCompleted.TotalDuration: how long all took': ({ first }) => {
    const total = millisecondsOf(first.batchCompleted.totalDuration);
    const items = [...first.completed.values()].map(({ duration }) => millisecondsOf(duration));
    expect(total).toBeGreaterThanOrEqual(Math.max(...items));
    expect(total).toBeLessThanOrEqual(first.tookMs + 1);
  },
  'MigrationBatchItemResult.MigrationKey: the item': ({ first }) =>
    expect([...resultsOf(first).keys()]).toEqual(expect.arrayContaining([trial, table])),
  'MigrationBatchItemResult.Status: what became of it': ({ second }) =>
    expect([trial, table, broken].map((key) => resultsOf(second).get(key)!.status)).toEqual([2, 3, -1]),
  'MigrationBatchItemResult.StatusDescription: the same in words': ({ second }) => {
    for (const [key, event] of second.completed)
      expect(resultsOf(second).get(key)!.statusDescription).toBe(event.statusDescription);
    expect(resultsOf(second).get(broken)!.statusDescription).toContain('svc_per_broken');
  },
};

const databases = useDatabases();

describe.each(Object.keys(databases))('on %s', (kind) => {
  testRows(async () => await recordOn(await databases[kind]!()), rows);
});
