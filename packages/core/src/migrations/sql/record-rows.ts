/** Converts rows of `svc_schema_migrations` to and from records. */
import type { SqlRow, SqlValue } from '../../storage/index.js';
import type { MigrationRecord } from '../migration-record.js';

/** The columns of `svc_schema_migrations`, in the order of a record's values. */
export const recordColumns = [
  'key',
  'hash',
  'status',
  'description',
  'strategy',
  'failure_reason',
  'error',
  'library_version',
  'requires_version',
  'definition',
  'previous_hashes',
  'target_hash',
  'progress',
  'backup',
  'applied_at',
  'updated_at',
  'duration_ms',
] as const;

/** The SET list that replaces a record with the same key. */
export const recordUpdates = recordColumns
  .filter((name) => name !== 'key')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** The values of a record, in the order of `recordColumns`. Times are milliseconds since 1970. */
export function recordValues(record: MigrationRecord): SqlValue[] {
  return [
    record.key,
    record.hash,
    record.status,
    record.description,
    record.strategy,
    record.failureReason,
    record.error,
    record.libraryVersion,
    record.requiresVersion,
    record.definition,
    JSON.stringify(record.previousHashes),
    record.progress?.target ?? null,
    record.progress && JSON.stringify(record.progress),
    record.backup && JSON.stringify(record.backup),
    record.appliedAt,
    record.updatedAt,
    record.durationMs,
  ];
}

/** The record in a row of `svc_schema_migrations`. */
export function toMigrationRecord(row: SqlRow): MigrationRecord {
  const number = (name: string): number | null => (row[name] === null ? null : Number(row[name]));
  const parsed = (name: string): unknown => (row[name] === null ? null : JSON.parse(row[name] as string));
  return {
    key: row['key'],
    hash: row['hash'],
    status: number('status'),
    description: row['description'],
    strategy: row['strategy'],
    failureReason: number('failure_reason'),
    error: row['error'],
    libraryVersion: row['library_version'],
    requiresVersion: row['requires_version'],
    definition: row['definition'],
    previousHashes: parsed('previous_hashes'),
    progress: parsed('progress'),
    backup: parsed('backup'),
    appliedAt: number('applied_at'),
    updatedAt: number('updated_at'),
    durationMs: number('duration_ms'),
  } as MigrationRecord;
}
