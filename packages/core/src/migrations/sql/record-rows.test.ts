import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { SqlValue } from '../../storage/index.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../../system-events/index.js';
import type { MigrationRecord } from '../migration-record.js';
import { recordColumns, recordUpdates, recordValues, toMigrationRecord } from './record-rows.js';

const definition = { table: 'orders', key: 'id', revision: 'id', columns: [] };
const full: MigrationRecord = {
  key: 'perspective/Orders',
  hash: 'sha256:1',
  status: MigrationStatus.MigratingInBackground,
  description: 'Its rows are copied.',
  strategy: MigrationStrategy.ColumnCopy,
  failureReason: MigrationFailureReason.DataCopyFailed,
  error: 'no value',
  libraryVersion: '0.1.0',
  requiresVersion: '0.0.9',
  definition: '{"table":"orders"}',
  previousHashes: ['sha256:0', 'sha256:x'],
  progress: {
    target: 'sha256:2',
    batch: newId(),
    definition,
    phase: 'catchUp',
    copiedKey: 'order-7',
    revision: 12,
    revisionKey: null,
    rows: 7,
    startedAt: 1_700_000_000_000,
  },
  backup: { hash: null, definition },
  appliedAt: 1_700_000_000_001,
  updatedAt: 1_700_000_000_002,
  durationMs: 3,
};
const empty: MigrationRecord = {
  ...full,
  hash: null,
  status: MigrationStatus.Failed,
  failureReason: null,
  error: null,
  requiresVersion: null,
  definition: null,
  previousHashes: [],
  progress: null,
  backup: null,
  appliedAt: null,
};

const rowOf = (record: MigrationRecord): Record<string, SqlValue> =>
  Object.fromEntries(recordValues(record).map((value, i) => [recordColumns[i], value]));

describe('a record', () => {
  it.each([
    ['with everything', full],
    ['with nothing that can be absent', empty],
  ])('%s is the same after it was stored', (_what, record) => {
    expect(recordValues(record)).toHaveLength(recordColumns.length);
    expect(toMigrationRecord(rowOf(record))).toStrictEqual(record);
  });

  it('has its target in a column, so that a statement can require it', () => {
    expect(rowOf(full)).toMatchObject({ key: 'perspective/Orders', target_hash: 'sha256:2', status: 4 });
    expect(rowOf(empty)).toMatchObject({ target_hash: null, progress: null, backup: null, status: -1 });
  });

  it('can be read from a database that returns numbers as text', () => {
    const texts = { status: '-1', failure_reason: '0', applied_at: '0', updated_at: '1700000000002', duration_ms: '3' };
    expect(toMigrationRecord({ ...rowOf(full), ...texts })).toMatchObject({
      status: MigrationStatus.Failed,
      failureReason: MigrationFailureReason.Unknown,
      appliedAt: 0,
      updatedAt: 1_700_000_000_002,
      durationMs: 3,
    });
  });
});

it('a record that replaces another one has all of its columns, except the key', () => {
  const names = recordUpdates.split(', ');
  expect(names).toEqual(recordColumns.slice(1).map((name) => `${name} = excluded.${name}`));
  expect(recordColumns[0]).toBe('key');
});
