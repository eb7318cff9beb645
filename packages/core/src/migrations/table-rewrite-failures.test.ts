import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { rewritingRecord } from './item-records.js';
import { changedBatch, itemStarted, newBatch } from './migration-batch.js';
import type { MigrationDatabase, MigrationSession, Rewrite, RewriteEnding } from './migration-database.js';
import { migrationSettings } from './migration-options.js';
import type { RewriteProgress } from './migration-record.js';
import type { PlannedRewrite } from './plan.js';
import { progressAfter } from './sql/rewrite-sql.js';
import { SupersededError } from './superseded-error.js';
import { definitionText, type TableDefinition } from './table-definition.js';
import { rewriteTable } from './table-rewrite.js';

const { Updated, Skipped, Failed } = MigrationStatus;
const { Unknown, Timeout, DataCopyFailed, SwapFailed } = MigrationFailureReason;

const now = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

const [locked, gone] = [new Error('locked'), new Error('gone')];
const key = 'perspective/Orders';
const batch = newId();
const from: TableDefinition = { table: 'orders', key: 'id', revision: 'id', columns: [{ name: 'id', type: 'text' }] };
const to: TableDefinition = { ...from, columns: [...from.columns, { name: 'note', type: 'text', required: true }] };
const planned: PlannedRewrite = {
  item: { kind: 'table', key, definition: to },
  hash: 'new',
  stepHashes: [],
  record: null,
  oldHash: 'old',
  description: 'Its rows are copied in the background.',
  action: 'rewrite',
  strategy: MigrationStrategy.ColumnCopy,
  from,
};

/** A database with a table of five rows. Calls of its session, and the beginning of the session, can fail. */
class Table {
  readonly names: string[] = [];
  hasNext = true;
  reason: MigrationFailureReason = Unknown;
  ending: RewriteEnding | null = null;
  /** Called before each call, with how often it was called. */
  before: (name: string, count: number) => void = () => {};

  readonly #session = {
    records: () => this.#called('records', [rewritingRecord({ ...planned }, batch)]),
    prepareNext: () => this.#called('prepareNext', 0, () => (this.hasNext = true)),
    hasNext: () => this.#called('hasNext', null).then(() => this.hasNext),
    storeProgress: () => this.#called('storeProgress', undefined),
    copyBatch: (_rewrite: Rewrite, progress: RewriteProgress, limit: number) => {
      const rows = progress.phase === 'copy' ? 5 : 0;
      return this.#called('copyBatch', progressAfter(progress, { rows, key: 'x', revision: 18 }, limit));
    },
    swap: (...[, , ending]: Parameters<MigrationSession['swap']>) =>
      this.#called('swap', true, () => (this.ending = ending)),
    discardNext: (_rewrite: Rewrite, ending: RewriteEnding) =>
      this.#called('discardNext', undefined, () => (this.ending = ending)),
    close: () => this.#called('close', undefined),
  } as Partial<MigrationSession> as MigrationSession;

  readonly database = {
    begin: () => this.#called('begin', this.#session),
    isLocked: (error: unknown) => error === locked,
    isGone: (error: unknown) => error === gone,
    classify: () => this.reason,
  } as unknown as MigrationDatabase;

  count(name: string): number {
    return this.names.filter((called) => called === name).length;
  }

  async #called<T>(name: string, result: T, effect: () => void = () => {}): Promise<T> {
    await Promise.resolve();
    this.names.push(name);
    this.before(name, this.count(name));
    effect();
    return result;
  }
}

/** Rewrites the table, and lets time pass until that has ended. */
async function rewriteOn(table: Table, signal = new AbortController().signal): Promise<MigrationStatus> {
  const ended = new AbortController();
  const parts = { database: table.database, settings: migrationSettings({ lockWaitMs: 5_000 }), signal };
  const ending = rewriteTable(planned, parts).finally(() => ended.abort());
  ending.catch(() => {});
  while (!ended.signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
  return await ending;
}

describe('a failure', () => {
  const failing = (call: string, error: unknown): Table => {
    const table = new Table();
    table.before = (name, count) => {
      if (name !== call || count > 1) return;
      vi.setSystemTime(now + 250);
      throw error;
    };
    return table;
  };

  it.each([
    ['prepareNext', DataCopyFailed],
    ['copyBatch', DataCopyFailed],
    ['swap', SwapFailed],
  ])('in %s is recorded with the reason %s, and the new table is removed', async (call, failureReason) => {
    const table = failing(call, new Error('no value'));
    expect(await rewriteOn(table)).toBe(Failed);
    expect(table.names.slice(-2)).toEqual(['discardNext', 'close']);
    expect(table.ending!.record).toMatchObject({
      key,
      hash: 'old',
      status: Failed,
      strategy: MigrationStrategy.ColumnCopy,
      failureReason,
      error: 'no value',
      definition: definitionText(from),
      durationMs: 250,
    });
    expect(table.ending!.change.streamId).toBe(batch);
    const item = { item: planned.item, hash: 'new', stepHashes: [] };
    const started = itemStarted(
      key,
      planned.strategy,
      'old',
    )(newBatch([item, { ...item, item: { ...item.item, key: 'other' } }]));
    expect(changedBatch(started, table.ending!.change.step).events.at(-1)).toMatchObject({
      type: 'MigrationItemFailed',
      body: { migrationKey: key, failureReason, error: 'no value' },
    });
  });

  it('has the reason that the database names, if the data are not the cause', async () => {
    const table = failing('copyBatch', new Error('slow'));
    table.reason = Timeout;
    await rewriteOn(table);
    expect(table.ending!.record.failureReason).toBe(Timeout);
  });

  it('is recorded despite locks', async () => {
    const table = failing('copyBatch', new Error('no value'));
    const { before } = table;
    table.before = (name, count) => {
      before(name, count);
      if (name === 'discardNext' && count === 1) throw locked;
    };
    expect(await rewriteOn(table)).toBe(Failed);
    expect(table.count('discardNext')).toBe(2);
  });

  it.each(['copyBatch', 'swap'])(
    'in %s after a rebuild has removed the new table begins the copy again',
    async (call) => {
      const table = failing(call, new Error('no such table'));
      const { before } = table;
      table.before = (name, count) => {
        if (name === call && count === 1) table.hasNext = false;
        before(name, count);
      };
      expect(await rewriteOn(table)).toBe(Updated);
      expect(table.count('prepareNext')).toBe(2);
      expect(table.names.slice(-2)).toEqual(['swap', 'close']);
      expect(table.ending!.record).toMatchObject({
        status: Updated,
        description: expect.stringContaining('5 rows') as string,
      });
    },
  );
});

describe('without a failure of the migration', () => {
  it('another program takes over the table, and this one leaves everything to it', async () => {
    for (const call of ['prepareNext', 'copyBatch', 'swap']) {
      const table = new Table();
      table.before = (name) => {
        if (name !== call) return;
        table.hasNext = false;
        throw new SupersededError(key);
      };
      expect(await rewriteOn(table)).toBe(Skipped);
      expect(table.count(call)).toBe(1);
      expect(table.names.slice(-2)).toEqual([call, 'close']);
    }
  });

  it('the database is unavailable, and the copy resumes half a second after the error', async () => {
    for (const call of ['begin', 'records', 'copyBatch', 'swap']) {
      const table = new Table();
      const times: number[] = [];
      table.before = (name, count) => {
        if (name === 'begin') times.push(performance.now());
        if (name === call && count === 1) throw gone;
      };
      expect(await rewriteOn(table)).toBe(Updated);
      expect(times[1]! - times[0]!).toBe(500);
      expect(table.count('close')).toBe(call === 'begin' ? 1 : 2);
      expect(table.names).not.toContain('discardNext');
    }
  });

  it('the end of the session does not matter', async () => {
    const table = new Table();
    table.before = (name) => {
      if (name === 'close') throw new Error('no connection');
    };
    expect(await rewriteOn(table)).toBe(Updated);
  });

  it('no session can begin: the error is that of the database', async () => {
    const table = new Table();
    table.before = () => {
      throw new Error('access denied');
    };
    await expect(rewriteOn(table)).rejects.toThrow('access denied');
    expect(table.names).toEqual(['begin']);
  });
});

describe('a storage that is closed', () => {
  it.each(['begin', 'prepareNext', 'copyBatch', 'swap'])(
    'ends the copy with its reason, whatever fails in %s',
    async (call) => {
      for (const error of [new Error('no connection'), gone, null]) {
        const stopping = new AbortController();
        const table = new Table();
        table.before = (name) => {
          if (name !== call) return;
          table.hasNext = false;
          stopping.abort(new Error('closed'));
          if (error !== null) throw error;
        };
        const ending = rewriteOn(table, stopping.signal);
        // A swap that was committed is not undone.
        if (call === 'swap' && error === null) expect(await ending).toBe(Updated);
        else await expect(ending).rejects.toThrow('closed');
        expect(table.count(call)).toBe(1);
        expect(table.names).not.toContain('discardNext');
        if (call !== 'begin' || error === null) expect(table.names.at(-1)).toBe('close');
      }
    },
  );
});
