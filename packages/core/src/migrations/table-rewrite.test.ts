import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { rewritingRecord } from './item-records.js';
import { changedBatch, itemStarted, newBatch, type BatchStep } from './migration-batch.js';
import type { MigrationDatabase, MigrationSession, RewriteEnding } from './migration-database.js';
import type { Replay, TableItem } from './migration-item.js';
import { migrationSettings } from './migration-options.js';
import type { MigrationRecord, RewriteProgress } from './migration-record.js';
import type { PlannedRewrite } from './plan.js';
import { progressAfter } from './sql/rewrite-sql.js';
import { definitionText, type TableDefinition } from './table-definition.js';
import { rewriteTable } from './table-rewrite.js';

const { Updated, Skipped, Failed } = MigrationStatus;
const { ColumnCopy, EventReplay } = MigrationStrategy;
const { Unknown, DataCopyFailed, SwapFailed } = MigrationFailureReason;

const now = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

const [locked, gone] = [new Error('locked'), new Error('gone')];
const key = 'perspective/Orders';
const batch = newId();
const from: TableDefinition = { table: 'orders', key: 'id', revision: 'id', columns: [{ name: 'id', type: 'text' }] };
const to: TableDefinition = { ...from, columns: [...from.columns, { name: 'note', type: 'text', required: true }] };

const rewrite = (fields: Partial<PlannedRewrite> = {}, item: Partial<TableItem> = {}): PlannedRewrite => ({
  item: { kind: 'table', key, definition: to, ...item },
  hash: 'sha256:0123456789abcdef',
  stepHashes: [],
  record: null,
  oldHash: 'old',
  description: 'Its rows are copied in the background.',
  action: 'rewrite',
  strategy: ColumnCopy,
  from,
  ...fields,
});
const replayed = (replay?: Replay): PlannedRewrite =>
  rewrite(
    { strategy: EventReplay },
    { definition: { ...to, perspective: 'Orders' }, ...(replay !== undefined && { replay }) },
  );

/** A database with a table of rows that were never changed since they were inserted, unless a test says otherwise. */
class Table {
  rows = 5;
  /** How many rows each batch finds while it catches up. */
  readonly written: number[] = [];
  /** The results of swaps. */
  readonly swaps: boolean[] = [];
  hasNext = true;
  record: MigrationRecord | null;
  readonly calls: unknown[][] = [];
  ending: RewriteEnding | null = null;
  readonly rewrites = new Set<unknown>();
  /** Called before each call of the session. It can throw. */
  before: (name: string, count: number) => void = () => {};

  constructor(planned: PlannedRewrite, progress: Partial<RewriteProgress> = {}) {
    const record = rewritingRecord(planned, batch);
    this.record = { ...record, progress: { ...record.progress!, ...progress } };
  }

  readonly database = {
    begin: async (name: string) => {
      await this.#call('begin', name);
      return this.#session;
    },
    isLocked: (error: unknown) => error === locked,
    isGone: (error: unknown) => error === gone,
    classify: () => Unknown,
  } as unknown as MigrationDatabase;

  readonly #session = {
    records: async () => {
      await this.#call('records');
      return [{ key: 'another' } as MigrationRecord, ...(this.record === null ? [] : [this.record])];
    },
    prepareNext: async (wanted) => {
      await this.#call('prepareNext');
      this.rewrites.add(wanted);
      this.hasNext = true;
      return 17;
    },
    hasNext: async () => {
      await this.#call('hasNext');
      return this.hasNext;
    },
    storeProgress: async (_rewrite, progress) => await this.#call('storeProgress', progress),
    copyBatch: async (_rewrite, progress, limit) => {
      await this.#call('copyBatch', progress.phase, progress.rows, limit);
      const rows = progress.phase === 'copy' ? Math.min(this.rows - progress.rows, limit) : (this.written.shift() ?? 0);
      return progressAfter(progress, { rows, key: 'x', revision: 18 }, limit);
    },
    swap: async (_rewrite, progress, ending, limit) => {
      await this.#call('swap', progress.rows, limit);
      const isDone = this.swaps.shift() ?? true;
      if (isDone) this.ending = ending;
      return isDone;
    },
    discardNext: async (_rewrite, ending) => {
      await this.#call('discardNext');
      this.ending = ending;
    },
    close: async () => await this.#call('close'),
  } as Partial<MigrationSession> as MigrationSession;

  get names(): unknown[] {
    return this.calls.map(([name]) => name);
  }

  count(name: string): number {
    return this.names.filter((called) => called === name).length;
  }

  async #call(...call: [string, ...unknown[]]): Promise<void> {
    await Promise.resolve();
    this.calls.push(call);
    this.before(call[0], this.count(call[0]));
  }
}

/** Rewrites a table, and lets time pass until that has ended. */
async function rewriteOn(
  table: Table,
  planned = rewrite(),
  signal = new AbortController().signal,
): Promise<MigrationStatus> {
  const ended = new AbortController();
  const parts = { database: table.database, settings: migrationSettings({ batchSize: 2, lockWaitMs: 5_000 }), signal };
  const ending = rewriteTable(planned, parts).finally(() => ended.abort());
  ending.catch(() => {});
  while (!ended.signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
  return await ending;
}

/** The last event of a batch to which the change of an ending was applied. */
function endIn(step: BatchStep): unknown {
  const item = { item: { kind: 'table', key, definition: to }, hash: 'new', stepHashes: [] } as const;
  const other = { ...item, item: { ...item.item, key: 'perspective/Other' } };
  return changedBatch(itemStarted(key, ColumnCopy, 'old')(newBatch([item, other])), step).events.at(-1);
}

describe('a copy', () => {
  it('fills a new table, catches up with rows that were written since, and then replaces the old one', async () => {
    const table = new Table(rewrite());
    table.written.push(2, 1);
    expect(await rewriteOn(table)).toBe(Updated);
    expect(table.calls).toEqual([
      ['begin', key],
      ['records'],
      ['prepareNext'],
      ['storeProgress', { ...table.record!.progress, phase: 'copy', revision: 17 }],
      ['copyBatch', 'copy', 0, 2],
      ['copyBatch', 'copy', 2, 2],
      ['copyBatch', 'copy', 4, 2],
      // A full batch, so there may be more.
      ['copyBatch', 'catchUp', 5, 2],
      ['copyBatch', 'catchUp', 7, 2],
      ['swap', 8, 2],
      ['close'],
    ]);
    expect([...table.rewrites]).toEqual([
      {
        key,
        strategy: ColumnCopy,
        from: JSON.parse(definitionText(from)) as object,
        to,
        target: 'sha256:0123456789abcdef',
      },
    ]);
  });

  it('looks for rows that were written since, even if there are none to copy', async () => {
    const table = new Table(rewrite());
    table.rows = 0;
    await rewriteOn(table);
    expect(table.calls.slice(4, 7)).toEqual([
      ['copyBatch', 'copy', 0, 2],
      ['copyBatch', 'catchUp', 0, 2],
      ['swap', 0, 2],
    ]);
  });

  it('ends with the record of the new table, whose backup is the old one', async () => {
    const table = new Table(rewrite(), { startedAt: now - 1_500 });
    await rewriteOn(table);
    const description = 'Updated: 5 rows copied. The old table remains as the backup.';
    expect(table.ending!.record).toMatchObject({
      key,
      hash: 'sha256:0123456789abcdef',
      status: Updated,
      strategy: ColumnCopy,
      description,
      definition: definitionText(to),
      previousHashes: ['old'],
      backup: { hash: 'old', definition: from },
      progress: null,
      durationMs: 1_500,
    });
    expect(table.ending!.change.streamId).toBe(batch);
    expect(endIn(table.ending!.change.step)).toMatchObject({
      type: 'MigrationItemCompleted',
      body: { migrationKey: key, status: Updated, statusDescription: description },
    });
  });

  it('catches up again if too many rows were written before the swap', async () => {
    const table = new Table(rewrite());
    table.written.push(0, 1);
    table.swaps.push(false);
    expect(await rewriteOn(table)).toBe(Updated);
    expect(table.calls.slice(7)).toEqual([
      ['copyBatch', 'catchUp', 5, 2],
      ['swap', 5, 2],
      ['copyBatch', 'catchUp', 5, 2],
      ['swap', 6, 2],
      ['close'],
    ]);
  });

  it('fails if it cannot catch up in 1,000 further rounds', async () => {
    const table = new Table(rewrite());
    table.swaps.push(...Array.from({ length: 1_001 }, () => false));
    expect(await rewriteOn(table)).toBe(Failed);
    expect(table.count('swap')).toBe(1_001);
    const error = expect.stringContaining('The table changes faster than its copy can catch up.') as string;
    expect(table.ending!.record).toMatchObject({ status: Failed, failureReason: SwapFailed, error });
    const patient = new Table(rewrite());
    patient.swaps.push(...Array.from({ length: 1_000 }, () => false));
    expect(await rewriteOn(patient)).toBe(Updated);
  });

  it('waits while another transaction holds a lock', async () => {
    for (const call of ['prepareNext', 'copyBatch', 'swap']) {
      const table = new Table(rewrite());
      table.before = (name, count) => {
        if (name === call && count === 1) throw locked;
      };
      expect(await rewriteOn(table)).toBe(Updated);
    }
  });
});

describe('a copy that another host has begun', () => {
  it('resumes after the last row', async () => {
    const table = new Table(rewrite(), { phase: 'copy', rows: 4 });
    expect(await rewriteOn(table)).toBe(Updated);
    expect(table.calls.slice(2, 5)).toEqual([['hasNext'], ['copyBatch', 'copy', 4, 2], ['copyBatch', 'catchUp', 5, 2]]);
    const late = new Table(rewrite(), { phase: 'catchUp', rows: 5 });
    expect(await rewriteOn(late)).toBe(Updated);
    expect(late.calls.slice(2, 5)).toEqual([['hasNext'], ['copyBatch', 'catchUp', 5, 2], ['swap', 5, 2]]);
  });

  it('begins again from the start if its table no longer exists', async () => {
    const table = new Table(rewrite(), { phase: 'catchUp', rows: 5, copiedKey: 'x', revisionKey: 'y' });
    table.hasNext = false;
    expect(await rewriteOn(table)).toBe(Updated);
    expect(table.calls.slice(2, 6)).toMatchObject([
      ['hasNext'],
      ['prepareNext'],
      ['storeProgress', { phase: 'copy', revision: 17, rows: 0, copiedKey: null, revisionKey: null }],
      ['copyBatch', 'copy', 0, 2],
    ]);
  });

  it('replaces the definition that is recorded, or the planned one if none is', async () => {
    const recorded = { ...from, table: 'recorded' };
    for (const definition of [definitionText(recorded), null]) {
      const table = new Table(rewrite());
      table.record = { ...table.record!, definition };
      await rewriteOn(table);
      expect([...table.rewrites]).toMatchObject([{ from: { table: definition === null ? 'orders' : 'recorded' } }]);
    }
  });

  it.each([
    ['was ended by it', { progress: null, status: Updated }, Updated],
    ['has failed', { progress: null, status: Failed }, Failed],
    [
      'has another target now',
      { status: MigrationStatus.MigratingInBackground },
      MigrationStatus.MigratingInBackground,
    ],
  ])('and that %s is not repeated', async (_what, fields, status) => {
    const table = new Table(rewrite(), { target: 'another' });
    table.record = { ...table.record!, ...fields };
    expect(await rewriteOn(table)).toBe(status);
    expect(table.names).toEqual(['begin', 'records', 'close']);
  });

  it('is skipped if nothing is recorded', async () => {
    const table = new Table(rewrite());
    table.record = null;
    expect(await rewriteOn(table)).toBe(Skipped);
    expect(table.names).toEqual(['begin', 'records', 'close']);
  });
});

describe('a replay', () => {
  it('fills the new tables of the perspective from events, and leaves no backup', async () => {
    const replay = vi.fn<Replay>(() => Promise.resolve());
    const { signal } = new AbortController();
    const table = new Table(replayed(replay));
    expect(await rewriteOn(table, replayed(replay), signal)).toBe(Updated);
    expect(table.calls.slice(2)).toMatchObject([
      ['prepareNext'],
      ['storeProgress', { phase: 'replay', revision: 17 }],
      ['swap', 0, 2],
      ['close'],
    ]);
    const tables = { perspective: 'Orders', role: 'migrating', name: 'Orders.456789abcdef' };
    expect(replay.mock.calls).toEqual([[{ tables, signal }]]);
    expect(table.ending!.record).toMatchObject({
      status: Updated,
      strategy: EventReplay,
      description: 'Updated: replayed from events.',
      backup: null,
    });
  });

  it('is repeated until it has all events', async () => {
    const replay = vi.fn<Replay>(() => Promise.resolve());
    const table = new Table(replayed(replay));
    table.swaps.push(false, false);
    expect(await rewriteOn(table, replayed(replay))).toBe(Updated);
    expect(replay).toHaveBeenCalledTimes(3);
    expect(table.count('prepareNext')).toBe(1);
  });

  it('fails with its error, without a new attempt', async () => {
    const replay = vi.fn<Replay>(() => Promise.reject(new Error('apply failed')));
    const table = new Table(replayed(replay));
    table.hasNext = false;
    expect(await rewriteOn(table, replayed(replay))).toBe(Failed);
    expect(table.ending!.record).toMatchObject({
      failureReason: DataCopyFailed,
      error: 'apply failed',
      strategy: EventReplay,
    });
    expect(table.names).not.toContain('hasNext');
    expect(table.count('prepareNext')).toBe(1);
  });

  it.each([
    ['without a replay', replayed()],
    ['that is not the table of a perspective', rewrite({ strategy: EventReplay }, { replay: () => Promise.resolve() })],
  ])('fails for an item %s, before anything is changed', async (_what, planned) => {
    const table = new Table(planned);
    expect(await rewriteOn(table, planned)).toBe(Failed);
    expect(table.names).toEqual(['begin', 'records', 'discardNext', 'close']);
    const error = expect.stringContaining('the item has no replay. Add one.') as string;
    expect(table.ending!.record).toMatchObject({ failureReason: DataCopyFailed, error });
  });

  it('that ends because the storage is closed replaces nothing', async () => {
    const stopping = new AbortController();
    const planned = replayed(() => Promise.resolve(stopping.abort(new Error('closed'))));
    const table = new Table(planned);
    await expect(rewriteOn(table, planned, stopping.signal)).rejects.toThrow('closed');
    expect(table.names.slice(-2)).toEqual(['storeProgress', 'close']);
  });
});
