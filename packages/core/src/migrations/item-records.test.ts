import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { appliedRecord, failedRecord, isUnderWay, rewritingRecord } from './item-records.js';
import { libraryVersion } from './library-version.js';
import type { SqlItem, TableItem } from './migration-item.js';
import type { MigrationRecord, RewriteProgress } from './migration-record.js';
import type { PlannedItem, PlannedRewrite } from './plan.js';
import { definitionText, type TableDefinition } from './table-definition.js';

const now = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const { Applied, Updated, Failed, MigratingInBackground } = MigrationStatus;
const { DirectDdl, ColumnCopy, EventReplay } = MigrationStrategy;

const definition: TableDefinition = {
  table: 'orders',
  key: 'id',
  revision: 'revision',
  columns: [
    { name: 'id', type: 'text', required: true },
    { name: 'revision', type: 'integer', required: true },
  ],
};
const from: TableDefinition = { ...definition, columns: [...definition.columns, { name: 'note', type: 'text' }] };
const sql: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/events',
  creates: 'svc_events',
  steps: ['CREATE TABLE svc_events'],
};
const table: TableItem = { kind: 'table', key: 'perspective/Orders', definition };

/** What an earlier program recorded. */
const earlier: MigrationRecord = {
  key: table.key,
  hash: 'old',
  status: Failed,
  description: 'Failed; the next start retries it.',
  strategy: EventReplay,
  failureReason: MigrationFailureReason.Timeout,
  error: 'locked',
  libraryVersion: '0.0.7',
  requiresVersion: '0.0.5',
  definition: definitionText(from),
  previousHashes: ['oldest', 'older'],
  progress: null,
  backup: { hash: 'older', definition: from },
  appliedAt: 17,
  updatedAt: 18,
  durationMs: 19,
};
const progress: RewriteProgress = {
  target: 'new',
  batch: newId(),
  definition,
  phase: 'copy',
  copiedKey: 'order-7',
  revision: 12,
  revisionKey: null,
  rows: 7,
  startedAt: 16,
};

const planned = { item: table, hash: 'new', record: earlier, oldHash: 'old', description: 'What was done.' };

describe('the record of an applied item', () => {
  it('of a first start has the hash of the item, and no history', () => {
    expect(
      appliedRecord({ ...planned, item: sql, record: null, oldHash: null }, Applied, DirectDdl, 12.6),
    ).toStrictEqual({
      key: 'infrastructure/events',
      hash: 'new',
      status: Applied,
      description: 'What was done.',
      strategy: DirectDdl,
      failureReason: null,
      error: null,
      libraryVersion,
      requiresVersion: null,
      definition: null,
      previousHashes: [],
      progress: null,
      backup: null,
      appliedAt: now,
      updatedAt: now,
      durationMs: 13,
    });
  });

  it('has the version of the library that the item requires, and the definition of a table', () => {
    const record = appliedRecord({ ...planned, item: { ...table, requires: '0.1.0' } }, Updated, ColumnCopy, 1);
    expect(record).toMatchObject({
      key: 'perspective/Orders',
      status: Updated,
      strategy: ColumnCopy,
      requiresVersion: '0.1.0',
      definition: definitionText(definition),
    });
  });

  it('retains the backup and the time of the first application, and forgets the failure and the progress', () => {
    const record = appliedRecord({ ...planned, record: { ...earlier, progress } }, Updated, DirectDdl, 1);
    expect(record).toMatchObject({ backup: earlier.backup, appliedAt: 17, updatedAt: now });
    expect(record).toMatchObject({ failureReason: null, error: null, progress: null, libraryVersion });
  });

  it('has the time of the first application if earlier attempts failed', () => {
    expect(
      appliedRecord({ ...planned, record: { ...earlier, appliedAt: null } }, Applied, DirectDdl, 1).appliedAt,
    ).toBe(now);
  });
});

describe('the previous hashes', () => {
  const hashesAfter = (previousHashes: readonly string[], oldHash: string | null, hash = 'new') =>
    appliedRecord({ ...planned, hash, oldHash, record: { ...earlier, previousHashes } }, Updated, DirectDdl, 1)
      .previousHashes;

  it('end with the hash that was replaced', () => {
    expect(hashesAfter(['oldest', 'older'], 'old')).toEqual(['oldest', 'older', 'old']);
    expect(hashesAfter([], 'old')).toEqual(['old']);
  });

  it('are unchanged if none was applied, or the replaced one is among them', () => {
    expect(hashesAfter(['older'], null)).toEqual(['older']);
    expect(hashesAfter(['old', 'older'], 'old')).toEqual(['old', 'older']);
  });

  it('never contain the current hash', () => {
    expect(hashesAfter(['new', 'older'], 'old')).toEqual(['older', 'old']);
    expect(hashesAfter(['older'], 'new')).toEqual(['older']);
  });

  it('are the newest 50', () => {
    const hashes = Array.from({ length: 50 }, (_, i) => `hash ${i}`);
    expect(hashesAfter(hashes.slice(1), 'old')).toEqual([...hashes.slice(1), 'old']);
    expect(hashesAfter(hashes, 'old')).toEqual([...hashes.slice(1), 'old']);
  });
});

describe('the record of a failed item', () => {
  it('that was never applied has no hash', () => {
    const record = failedRecord(
      { item: sql, record: null, oldHash: null },
      DirectDdl,
      MigrationFailureReason.SqlError,
      'no',
      7.4,
    );
    expect(record).toStrictEqual({
      key: 'infrastructure/events',
      hash: null,
      status: Failed,
      description: 'Failed; the next start retries it.',
      strategy: DirectDdl,
      failureReason: MigrationFailureReason.SqlError,
      error: 'no',
      libraryVersion,
      requiresVersion: null,
      definition: null,
      previousHashes: [],
      progress: null,
      backup: null,
      appliedAt: null,
      updatedAt: now,
      durationMs: 7,
    });
  });

  it('retains what is applied, and the program that applied it', () => {
    const record = failedRecord(
      { ...planned, record: { ...earlier, progress } },
      ColumnCopy,
      MigrationFailureReason.DataCopyFailed,
      'no value',
      7,
    );
    expect(record).toStrictEqual({
      ...earlier,
      strategy: ColumnCopy,
      failureReason: MigrationFailureReason.DataCopyFailed,
      error: 'no value',
      updatedAt: now,
      durationMs: 7,
    });
  });
});

describe('the record of a rewrite', () => {
  const rewrite: PlannedRewrite = { ...planned, stepHashes: [], action: 'rewrite', strategy: ColumnCopy, from };
  const batch = newId();

  it('that begins has the replaced definition, and progress that begins with the new table', () => {
    expect(rewritingRecord(rewrite, batch)).toStrictEqual({
      ...earlier,
      status: MigratingInBackground,
      description: 'What was done.',
      strategy: ColumnCopy,
      failureReason: null,
      error: null,
      libraryVersion,
      definition: definitionText(from),
      progress: {
        target: 'new',
        batch,
        definition,
        phase: 'prepare',
        copiedKey: null,
        revision: 0,
        revisionKey: null,
        rows: 0,
        startedAt: now,
      },
      updatedAt: now,
    });
  });

  it('of a table that was not recorded has no hash and no history', () => {
    expect(rewritingRecord({ ...rewrite, record: null, oldHash: null }, batch)).toMatchObject({
      hash: null,
      requiresVersion: null,
      previousHashes: [],
      backup: null,
      appliedAt: null,
      updatedAt: now,
      durationMs: 0,
    });
  });

  it('that another batch has begun continues with its progress', () => {
    const resumed = rewritingRecord({ ...rewrite, record: { ...earlier, progress } }, batch);
    expect(resumed.progress).toStrictEqual({ ...progress, batch });
    expect(resumed.previousHashes).toEqual(['oldest', 'older']);
  });

  it('that replaces an unfinished one of another program begins again from the start, and counts that program as an older one', () => {
    const other = rewritingRecord(
      { ...rewrite, record: { ...earlier, progress: { ...progress, target: 'other' } } },
      batch,
    );
    expect(other.progress).toMatchObject({ target: 'new', phase: 'prepare', copiedKey: null, rows: 0, startedAt: now });
    expect(other.previousHashes).toEqual(['oldest', 'older', 'other']);
  });
});

it('a rewrite is in progress if the record has progress to the same hash', () => {
  const isUnderWayWith = (record: MigrationRecord | null) => isUnderWay({ ...planned, record } as PlannedItem);
  expect(isUnderWayWith(null)).toBe(false);
  expect(isUnderWayWith(earlier)).toBe(false);
  expect(isUnderWayWith({ ...earlier, progress: { ...progress, target: 'other' } })).toBe(false);
  expect(isUnderWayWith({ ...earlier, progress })).toBe(true);
});
