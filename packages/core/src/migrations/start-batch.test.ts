import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { appliedRecord, rewritingRecord } from './item-records.js';
import {
  allOf,
  changedBatch,
  itemCompleted,
  itemStarted,
  newBatch,
  type BatchChange,
  type BatchStep,
  type MigrationBatch,
} from './migration-batch.js';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { MigrationFailedError } from './migration-failed-error.js';
import type { SqlItem, TableItem } from './migration-item.js';
import { migrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import type { PlannedItem, PlannedRewrite } from './plan.js';
import { carryOut, type BatchOutcome } from './start-batch.js';
import { SupersededError } from './superseded-error.js';

const { Applied, Skipped, Failed, MigratingInBackground } = MigrationStatus;
const { DirectDdl, ColumnCopy } = MigrationStrategy;
const { SqlError, Unknown } = MigrationFailureReason;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  vi.advanceTimersByTime(1_000);
});
afterEach(() => vi.useRealTimers());

const [locked, gone] = [new Error('locked'), new Error('gone')];
const database = {
  isLocked: (error: unknown) => error === locked,
  isGone: (error: unknown) => error === gone,
  classify: () => SqlError,
} as unknown as MigrationDatabase;

const sqlItem = (key: string): SqlItem => ({ kind: 'sql', key, creates: key, steps: [key] });
const tableItem = (key: string): TableItem => ({
  kind: 'table',
  key,
  definition: { table: key, key: 'id', revision: 'id', columns: [{ name: 'id', type: 'text' }] },
});
const base = (item: SqlItem | TableItem) => ({
  item,
  hash: `hash of ${item.key}`,
  stepHashes: [],
  record: null,
  oldHash: null,
  description: `About ${item.key}.`,
});
const skip = (key: string): PlannedItem => ({ ...base(sqlItem(key)), oldHash: 'old', action: 'skip' });
const refuse = (key: string): PlannedItem => ({ ...base(sqlItem(key)), oldHash: 'old', action: 'refuse' });
const apply = (key: string): PlannedItem => ({
  ...base(sqlItem(key)),
  action: 'apply',
  status: Applied,
  sql: [`CREATE ${key}`],
});
const applyTable = (key: string): PlannedItem => ({
  ...base(tableItem(key)),
  action: 'apply',
  status: Applied,
  sql: [`CREATE ${key}`],
});
const rewrite = (key: string): PlannedRewrite => {
  const item = tableItem(key);
  return { ...base(item), item, oldHash: 'old', action: 'rewrite', strategy: ColumnCopy, from: item.definition };
};
/** The same rewrite, which a batch has begun. */
const resumed = (planned: PlannedRewrite, batch: MigrationBatch['streamId']): PlannedRewrite => ({
  ...planned,
  record: rewritingRecord(planned, batch),
});

interface Trial {
  /** The calls of the session, in order. */
  readonly calls: unknown[][];
  readonly batch: () => MigrationBatch;
  readonly outcome: Promise<BatchOutcome>;
}

interface TrialParts extends Partial<Pick<MigrationSession, 'apply' | 'write'>> {
  readonly signal?: AbortSignal;
  /** The other batches that have not ended. */
  readonly open?: readonly string[];
  /** What an earlier process has done in the batch. */
  readonly before?: BatchStep;
}

/** Carries out a plan in a batch with all of its items, or in the given one. */
function trial(
  plan: readonly PlannedItem[],
  { signal, open = [], before, ...failing }: TrialParts = {},
  started = newBatch(plan),
): Trial {
  let batch = before?.(started) ?? started;
  const calls: unknown[][] = [];
  const change = ({ streamId, step }: BatchChange) => {
    expect(streamId).toBe(started.streamId);
    batch = changedBatch(batch, step);
  };
  const session = {
    async apply(...[sql, record, wanted]) {
      calls.push(['apply', sql, record]);
      await failing.apply?.(sql, record, wanted);
      change(wanted);
    },
    async write(...[record, expectedHash, wanted]) {
      calls.push(['write', record, expectedHash]);
      await failing.write?.(record, expectedHash, wanted);
      change(wanted!);
    },
    changeBatch(wanted) {
      calls.push(['changeBatch']);
      return Promise.resolve(change(wanted));
    },
  } as Pick<MigrationSession, 'apply' | 'write' | 'changeBatch'> as MigrationSession;
  const isOpen = (streamId: string) => open.includes(streamId);
  const parts = {
    database,
    settings: migrationSettings(),
    signal: signal ?? new AbortController().signal,
    session,
    isOpen,
  };
  return { calls, batch: () => batch, outcome: carryOut(plan, batch, parts) };
}

const names = ({ calls }: Trial) => calls.map(([name]) => name);
const events = ({ batch }: Trial) => batch().events.map(({ type, body }) => [type.replace('Migration', ''), body]);
const results = ({ batch }: Trial) => batch().items.map(({ key, result }) => [key, result?.status ?? null]);
const failOn = (key: string, error: Error) => (_sql: unknown, record: MigrationRecord) =>
  record.key === key ? Promise.reject(error) : Promise.resolve();

describe('a batch', () => {
  it('stores the steps of skipped items with the next item that changes, and those after it at the end', async () => {
    const run = trial([skip('a'), skip('b'), apply('c'), skip('d')]);
    expect(await run.outcome).toEqual({ rewrites: [], failed: [], hasLeftovers: false });
    expect(names(run)).toEqual(['apply', 'changeBatch']);
    expect(results(run)).toEqual([
      ['a', Skipped],
      ['b', Skipped],
      ['c', Applied],
      ['d', Skipped],
    ]);
    expect(events(run).slice(1, 3)).toMatchObject([
      ['ItemStarted', { migrationKey: 'a', strategy: DirectDdl, oldHash: 'old', newHash: 'hash of a' }],
      ['ItemCompleted', { migrationKey: 'a', status: Skipped, statusDescription: 'About a.' }],
    ]);
    expect(run.batch()).toMatchObject({ isCompleted: true, version: 2 });
  });

  it('stores nothing at the end if the last item has stored everything', async () => {
    const run = trial([skip('a'), apply('b')]);
    await run.outcome;
    expect(names(run)).toEqual(['apply']);
    expect(run.batch()).toMatchObject({ isCompleted: true, version: 1 });
  });

  it('runs the SQL of an item with its record and its end', async () => {
    const planned = apply('a');
    const run = trial([planned], { apply: () => Promise.resolve(void vi.advanceTimersByTime(1_000)) });
    await run.outcome;
    expect(run.calls).toMatchObject([
      ['apply', ['CREATE a'], { key: 'a', hash: 'hash of a', status: Applied, strategy: DirectDdl }],
    ]);
    expect(events(run).slice(1, 3)).toMatchObject([
      ['ItemStarted', { migrationKey: 'a', strategy: DirectDdl, oldHash: null }],
      ['ItemCompleted', { migrationKey: 'a', status: Applied, statusDescription: 'About a.', duration: 'PT1S' }],
    ]);
  });

  it('retries an item while another transaction holds a lock, and records how long that took', async () => {
    const failing = vi.fn<MigrationSession['apply']>().mockRejectedValueOnce(locked).mockResolvedValue();
    const run = trial([apply('a')], { apply: failing });
    await vi.advanceTimersByTimeAsync(500);
    await run.outcome;
    expect(names(run)).toEqual(['apply', 'apply']);
    const [first, second] = run.calls.map(([, , record]) => (record as MigrationRecord).durationMs);
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(second).toBeLessThan(500);
    expect(run.batch()).toMatchObject({ isCompleted: true, version: 1 });
  });
});

describe('a table that is rewritten', () => {
  const planned = rewrite('orders');

  it('is recorded, and does not end with the other items', async () => {
    const run = trial([skip('a'), planned, apply('b')]);
    expect(await run.outcome).toEqual({ rewrites: [planned], failed: [], hasLeftovers: false });
    expect(run.calls.slice(0, 1)).toMatchObject([
      [
        'write',
        { key: 'orders', hash: 'old', status: MigratingInBackground, progress: { batch: run.batch().streamId } },
        'old',
      ],
    ]);
    expect(results(run)).toEqual([
      ['a', Skipped],
      ['orders', null],
      ['b', Applied],
    ]);
    expect(events(run)[3]).toMatchObject([
      'ItemStarted',
      { migrationKey: 'orders', strategy: ColumnCopy, oldHash: 'old' },
    ]);
    expect(run.batch().isCompleted).toBe(false);
  });

  it('ends in the batch that has begun it, if that is open', async () => {
    const other = newId();
    const run = trial([resumed(planned, other)], { open: [other] });
    expect((await run.outcome).rewrites).toHaveLength(1);
    expect(names(run)).toEqual(['changeBatch']);
    expect(events(run)[2]).toMatchObject([
      'ItemCompleted',
      { migrationKey: 'orders', status: MigratingInBackground, statusDescription: 'About orders.' },
    ]);
    expect(run.batch().isCompleted).toBe(true);
  });

  it('ends in this batch if the one that has begun it is no longer open', async () => {
    const other = newId();
    const run = trial([resumed(planned, other)], { open: [newId()] });
    expect((await run.outcome).rewrites).toHaveLength(1);
    expect(run.calls).toMatchObject([
      ['write', { progress: { batch: run.batch().streamId, target: 'hash of orders' } }, 'old'],
    ]);
    expect(run.batch().isCompleted).toBe(false);
  });

  it('is taken over from a version without batches', async () => {
    const { record } = resumed(planned, newId());
    const { batch: _, ...progress } = record!.progress!;
    const run = trial([{ ...planned, record: { ...record!, progress } }]);
    await run.outcome;
    expect(run.calls).toMatchObject([['write', { progress: { batch: run.batch().streamId } }, 'old']]);
  });

  it('begins again from the start if the unfinished rewrite has another target, even in an open batch', async () => {
    const other = newId();
    const unfinished = { ...resumed({ ...planned, hash: 'other' }, other), hash: planned.hash };
    const run = trial([unfinished], { open: [other] });
    await run.outcome;
    expect(run.calls).toMatchObject([['write', { progress: { phase: 'prepare', target: 'hash of orders' } }, 'old']]);
  });

  it('is not recorded again by the process that resumes its batch', async () => {
    const batch = newBatch([planned, skip('a')]);
    const before = itemStarted('orders', ColumnCopy, 'old');
    const run = trial([resumed(planned, batch.streamId), skip('a')], { before, open: [batch.streamId] }, batch);
    expect((await run.outcome).rewrites).toHaveLength(1);
    expect(names(run)).toEqual(['changeBatch']);
    expect(results(run)).toEqual([
      ['orders', null],
      ['a', Skipped],
    ]);
  });
});

describe('a resumed batch', () => {
  const ended = (...keys: readonly string[]) =>
    allOf(...keys.flatMap((key) => [itemStarted(key, DirectDdl, null), itemCompleted(key, Applied, 'Done.')]));

  it('continues with the items that have not ended', async () => {
    const run = trial([skip('a'), apply('b'), apply('c')], {
      before: allOf(ended('a'), itemStarted('b', DirectDdl, null)),
    });
    expect(await run.outcome).toMatchObject({ hasLeftovers: false });
    expect(run.calls.map(([name, sql]) => [name, sql])).toEqual([
      ['apply', ['CREATE b']],
      ['apply', ['CREATE c']],
    ]);
    expect(run.batch().isCompleted).toBe(true);
  });

  it('stores nothing if all items have ended', async () => {
    const run = trial([skip('a'), skip('b')], { before: ended('a', 'b') });
    expect(await run.outcome).toEqual({ rewrites: [], failed: [], hasLeftovers: false });
    expect(run.calls).toEqual([]);
  });

  it('leaves an item that has ended, but must be applied, to another batch', async () => {
    const run = trial([apply('a'), skip('b')], { before: ended('a', 'b') });
    expect(await run.outcome).toMatchObject({ hasLeftovers: true });
    expect(run.calls).toEqual([]);
  });

  it('leaves an item that it does not have to another batch', async () => {
    const run = trial([skip('a'), apply('b')], {}, newBatch([skip('a')]));
    expect(await run.outcome).toMatchObject({ hasLeftovers: true });
    expect(results(run)).toEqual([['a', Skipped]]);
  });

  it('returns a table that has ended in it, and is still being rewritten', async () => {
    const planned = resumed(rewrite('orders'), newId());
    const run = trial([planned, skip('a')], { before: ended('orders') });
    expect(await run.outcome).toEqual({ rewrites: [planned], failed: [], hasLeftovers: false });
  });

  it('leaves a table that has ended in it, and must be rewritten, to another batch', async () => {
    const run = trial([rewrite('orders'), skip('a')], { before: ended('orders') });
    expect(await run.outcome).toEqual({ rewrites: [], failed: [], hasLeftovers: true });
  });
});

describe('a table that fails', () => {
  it('is recorded, and the other items are applied', async () => {
    const record = appliedRecord({ ...applyTable('orders'), oldHash: null }, Applied, DirectDdl, 0);
    const planned = { ...applyTable('orders'), record, oldHash: record.hash };
    const run = trial([skip('a'), planned, apply('b')], { apply: failOn('orders', new Error('no room')) });
    expect(await run.outcome).toEqual({ rewrites: [], failed: ['orders'], hasLeftovers: false });
    expect(names(run)).toEqual(['apply', 'write', 'apply']);
    expect(run.calls[1]).toMatchObject([
      'write',
      {
        key: 'orders',
        hash: record.hash,
        status: Failed,
        failureReason: SqlError,
        error: 'no room',
        strategy: DirectDdl,
      },
      record.hash,
    ]);
    expect(results(run)).toEqual([
      ['a', Skipped],
      ['orders', Failed],
      ['b', Applied],
    ]);
    expect(events(run)).toContainEqual([
      'ItemFailed',
      expect.objectContaining({ migrationKey: 'orders', failureReason: SqlError, error: 'no room' }),
    ]);
  });

  it('has the time that passed, and the strategy of its rewrite', async () => {
    const write = vi.fn<MigrationSession['write']>().mockImplementationOnce(() => {
      vi.advanceTimersByTime(40);
      return Promise.reject(new Error('no room'));
    });
    const run = trial([rewrite('orders')], { write });
    expect(await run.outcome).toEqual({ rewrites: [], failed: ['orders'], hasLeftovers: false });
    expect(run.calls[1]).toMatchObject(['write', { status: Failed, strategy: ColumnCopy, durationMs: 40 }, 'old']);
  });
});

describe('infrastructure that fails', () => {
  it('ends the batch without the items that were not reached', async () => {
    const error = new Error('no such table');
    const run = trial([skip('a'), apply('b'), apply('c')], { apply: failOn('b', error) });
    const failure = await run.outcome.catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(MigrationFailedError);
    expect(failure).toMatchObject({
      key: 'b',
      reason: SqlError,
      cause: error,
      message: expect.stringContaining('(SqlError)') as string,
    });
    expect(names(run)).toEqual(['apply', 'write']);
    expect(results(run)).toEqual([
      ['a', Skipped],
      ['b', Failed],
    ]);
    expect(run.batch().isCompleted).toBe(true);
  });

  it('because its steps were changed has the reason Unknown, whatever the database says', async () => {
    const run = trial([refuse('a'), apply('b')]);
    await expect(run.outcome).rejects.toMatchObject({ key: 'a', reason: Unknown });
    expect(run.calls).toMatchObject([
      ['write', { status: Failed, failureReason: Unknown, error: 'About a.', hash: 'old' }, 'old'],
    ]);
  });
});

describe('is no failure of the item, and records nothing:', () => {
  it.each([
    ['an unavailable database', gone],
    ['an item that another program has taken over', new SupersededError('orders')],
  ])('%s', async (_what, error) => {
    for (const planned of [applyTable('orders'), apply('orders')]) {
      const run = trial([planned], { apply: failOn('orders', error) });
      await expect(run.outcome).rejects.toBe(error);
      expect(names(run)).toEqual(['apply']);
    }
  });

  it('a storage that is closed', async () => {
    const stopping = new AbortController();
    const run = trial([applyTable('orders')], {
      signal: stopping.signal,
      apply: () => {
        stopping.abort(new Error('closed'));
        return Promise.reject(new Error('no connection'));
      },
    });
    await expect(run.outcome).rejects.toThrow('closed');
    expect(names(run)).toEqual(['apply']);
  });
});
