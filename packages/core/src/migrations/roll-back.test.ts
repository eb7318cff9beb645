import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { migrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import { rollBack } from './roll-back.js';
import { definitionText, type TableDefinition } from './table-definition.js';

const now = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const { Updated, Failed, MigratingInBackground } = MigrationStatus;
const { DirectDdl, ColumnCopy, EventReplay } = MigrationStrategy;

const key = 'perspective/Orders';
const before: TableDefinition = { table: 'orders', key: 'id', revision: 'id', columns: [{ name: 'id', type: 'text' }] };
const after: TableDefinition = {
  ...before,
  columns: [...before.columns, { name: 'note', type: 'text', required: true }],
};
const copied: MigrationRecord = {
  key,
  hash: 'new',
  status: Updated,
  description: 'Updated: 7 rows copied.',
  strategy: ColumnCopy,
  failureReason: null,
  error: null,
  libraryVersion: '0.1.0',
  requiresVersion: '0.0.9',
  definition: definitionText(after),
  previousHashes: ['oldest', 'old'],
  progress: null,
  backup: { hash: 'old', definition: before },
  appliedAt: 11,
  updatedAt: 12,
  durationMs: 13,
};

const locked = new Error('locked');

/** Rolls back on a database with one record. It records calls, in order. */
function onDatabaseWith(
  record: MigrationRecord,
  session: Partial<MigrationSession> = {},
  signal = new AbortController().signal,
) {
  const calls: unknown[][] = [];
  const log =
    (name: string) =>
    (...values: unknown[]) => {
      calls.push([name, ...values]);
      return Promise.resolve();
    };
  const records = () => Promise.resolve([{ ...copied, key: 'perspective/Other' }, record]);
  const opened = { records, write: log('write'), restore: log('restore'), close: log('close'), ...session };
  const database = {
    begin: (name: string) => (calls.push(['begin', name]), Promise.resolve(opened)),
    isLocked: (error: unknown) => error === locked,
  } as unknown as MigrationDatabase;
  return { calls, rolledBack: rollBack(key, database, migrationSettings(), signal) };
}

describe('a copied table', () => {
  it('is replaced by its backup, and any program may change it next', async () => {
    const { calls, rolledBack } = onDatabaseWith(copied);
    const restored = {
      ...copied,
      hash: 'old',
      description: 'Rolled back to its backup.',
      strategy: DirectDdl,
      libraryVersion: '0.0.0',
      definition: definitionText(before),
      previousHashes: [],
      backup: null,
      updatedAt: now,
    };
    expect(await rolledBack).toStrictEqual(restored);
    expect(calls).toEqual([
      ['begin', key],
      ['restore', JSON.parse(definitionText(after)), before, restored],
      ['close'],
    ]);
  });

  it('is replaced by its backup after a later migration has failed, and the failure is forgotten', async () => {
    const failure = { status: Failed, failureReason: MigrationFailureReason.SqlError, error: 'no' };
    for (const strategy of [ColumnCopy, EventReplay]) {
      const { rolledBack } = onDatabaseWith({ ...copied, ...failure, strategy });
      expect(await rolledBack).toMatchObject({
        status: Updated,
        failureReason: null,
        error: null,
        hash: 'old',
        strategy: DirectDdl,
      });
    }
  });

  it('waits for the lock of another transaction', async () => {
    const restore = vi.fn<MigrationSession['restore']>().mockRejectedValueOnce(locked).mockResolvedValueOnce();
    const { rolledBack } = onDatabaseWith(copied, { restore });
    await vi.runAllTimersAsync();
    expect(await rolledBack).toMatchObject({ hash: 'old' });
    expect(restore).toHaveBeenCalledTimes(2);
  });

  it('is unchanged after an error, and the session ends', async () => {
    const { calls, rolledBack } = onDatabaseWith(copied, { restore: () => Promise.reject(new Error('no room')) });
    await expect(rolledBack).rejects.toThrow('no room');
    expect(calls.at(-1)).toEqual(['close']);
  });
});

describe('a table that was replayed from events', () => {
  it('is replayed again by the next program that starts', async () => {
    const { calls, rolledBack } = onDatabaseWith({ ...copied, strategy: EventReplay, backup: null });
    const reopened = {
      ...copied,
      strategy: EventReplay,
      backup: null,
      description: 'Rolled back: the next program that starts replays it from events.',
      libraryVersion: '0.0.0',
      previousHashes: [],
      updatedAt: now,
    };
    expect(await rolledBack).toStrictEqual(reopened);
    expect(calls).toEqual([['begin', key], ['write', reopened, 'new'], ['close']]);
  });
});

describe('a rollback is rejected', () => {
  it('for an item that is not recorded', async () => {
    const { calls, rolledBack } = onDatabaseWith({ ...copied, key: 'perspective/Notes' });
    await expect(rolledBack).rejects.toMatchObject({
      code: 'SVC_UNKNOWN_MIGRATION',
      message: `Cannot roll back ${key}: no such migration is recorded. svc migrate status lists them.`,
    });
    expect(calls).toEqual([['begin', key], ['close']]);
  });

  it.each([ColumnCopy, EventReplay])('while the table is being rewritten (%s)', async (strategy) => {
    const { calls, rolledBack } = onDatabaseWith({ ...copied, strategy, status: MigratingInBackground });
    await expect(rolledBack).rejects.toMatchObject({
      code: 'SVC_ROLLBACK_REFUSED',
      message: expect.stringContaining(`Cannot roll back ${key}: it is being migrated.`) as string,
    });
    expect(calls).toEqual([['begin', key], ['close']]);
  });

  it.each<[string, Partial<MigrationRecord>]>([
    ['without a backup', { backup: null, strategy: DirectDdl }],
    ['without a definition', { definition: null }],
    ['that could not be replayed, without a backup', { status: Failed, strategy: EventReplay, backup: null }],
  ])('for an item %s', async (_what, fields) => {
    const { calls, rolledBack } = onDatabaseWith({ ...copied, ...fields });
    await expect(rolledBack).rejects.toMatchObject({
      code: 'SVC_ROLLBACK_REFUSED',
      message: expect.stringContaining('it has no backup') as string,
    });
    expect(calls).toEqual([['begin', key], ['close']]);
  });
});

it('the result of a rollback does not depend on the end of its session', async () => {
  const { rolledBack } = onDatabaseWith(copied, { close: () => Promise.reject(new Error('gone')) });
  expect(await rolledBack).toMatchObject({ hash: 'old' });
});
