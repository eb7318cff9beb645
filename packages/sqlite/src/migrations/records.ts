import { MigrationStatus } from '@svc/core';
import { type MigrationRecord, type UnchangedItem } from '@svc/core/storage';
import type { Connection } from '../connection.js';
import type { Row, SqlValue } from '../engine.js';

/** Where what was migrated is recorded, and who migrates. They have no items of their own: without them nothing could be recorded. */
export const recordsTables = `
  CREATE TABLE IF NOT EXISTS svc_schema_migrations (
    key              TEXT PRIMARY KEY,
    hash             TEXT,
    status           INTEGER NOT NULL,
    description      TEXT NOT NULL,
    strategy         TEXT NOT NULL,
    failure_reason   INTEGER,
    error            TEXT,
    library_version  TEXT NOT NULL,
    requires_version TEXT,
    definition       TEXT,
    previous_hashes  TEXT NOT NULL,
    target_hash      TEXT, -- of what it is being rewritten to in the background
    progress         TEXT,
    backup           TEXT,
    applied_at       INTEGER,
    updated_at       INTEGER NOT NULL,
    duration_ms      INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS svc_migration_locks (
    name       TEXT PRIMARY KEY,
    holder     TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;`;

const columns = [
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
];

export function readRecords(connection: Connection): readonly MigrationRecord[] {
  return connection.rows(`SELECT ${columns.join(', ')} FROM svc_schema_migrations ORDER BY key`).map(toRecord);
}

/** Writes a record whatever is there; with `expectedHash`, only in the place of one with that hash. Returns whether it did. */
export function writeRecord(connection: Connection, record: MigrationRecord, expectedHash?: string | null): boolean {
  const updates = columns.slice(1).map((name) => `${name} = excluded.${name}`);
  const guard = expectedHash === undefined ? '' : 'WHERE svc_schema_migrations.hash IS ?';
  const written = connection.rows(
    `INSERT INTO svc_schema_migrations (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (key) DO UPDATE SET ${updates.join(', ')} ${guard} RETURNING 1`,
    ...valuesOf(record),
    ...(expectedHash === undefined ? [] : [expectedHash]),
  );
  return written.length === 1;
}

export function writeSkipped(connection: Connection, items: readonly UnchangedItem[]): void {
  const { Applied, Updated, Skipped } = MigrationStatus;
  const sql = `
    UPDATE svc_schema_migrations SET status = ${Skipped}, description = 'Unchanged. ' || description
    WHERE key = ? AND hash = ? AND status IN (${Applied}, ${Updated})`;
  for (const { key, hash } of items) connection.rows(sql, key, hash);
}

function valuesOf(record: MigrationRecord): SqlValue[] {
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

function toRecord(row: Row): MigrationRecord {
  const parsed = (text: SqlValue | undefined): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
  return {
    key: row['key'],
    hash: row['hash'],
    status: row['status'],
    description: row['description'],
    strategy: row['strategy'],
    failureReason: row['failure_reason'],
    error: row['error'],
    libraryVersion: row['library_version'],
    requiresVersion: row['requires_version'],
    definition: row['definition'],
    previousHashes: parsed(row['previous_hashes']),
    progress: parsed(row['progress']),
    backup: parsed(row['backup']),
    appliedAt: row['applied_at'],
    updatedAt: row['updated_at'],
    durationMs: row['duration_ms'],
  } as MigrationRecord;
}
