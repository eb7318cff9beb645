import { MigrationStatus } from '@svc/core';
import {
  recordColumns,
  recordUpdates,
  recordValues,
  toMigrationRecord,
  type MigrationRecord,
  type UnchangedItem,
} from '@svc/core/storage';
import type { Connection } from '../connection.js';

/** The tables that record migrations and the process that migrates. They are no migration items, because recording an item needs them. */
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

export function readRecords(connection: Connection): readonly MigrationRecord[] {
  return connection
    .rows(`SELECT ${recordColumns.join(', ')} FROM svc_schema_migrations ORDER BY key`)
    .map(toMigrationRecord);
}

/** Inserts or replaces a record; with `expectedHash`, replaces only a record with that hash. Returns whether it did. */
export function writeRecord(connection: Connection, record: MigrationRecord, expectedHash?: string | null): boolean {
  const guard = expectedHash === undefined ? '' : 'WHERE svc_schema_migrations.hash IS ?';
  const written = connection.rows(
    `INSERT INTO svc_schema_migrations (${recordColumns.join(', ')}) VALUES (${recordColumns.map(() => '?').join(', ')})
     ON CONFLICT (key) DO UPDATE SET ${recordUpdates} ${guard} RETURNING 1`,
    ...recordValues(record),
    ...(expectedHash === undefined ? [] : [expectedHash]),
  );
  return written.length === 1;
}

export function writeSkipped(connection: Connection, items: readonly UnchangedItem[]): void {
  const { Applied, Updated, Skipped } = MigrationStatus;
  const sql = `
    UPDATE svc_schema_migrations SET status = ${Skipped}, description = 'Unchanged. Last change: ' || description
    WHERE key = ? AND hash = ? AND status IN (${Applied}, ${Updated})`;
  for (const { key, hash } of items) connection.rows(sql, key, hash);
}
