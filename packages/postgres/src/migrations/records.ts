import { MigrationStatus } from '@svc/core';
import { type MigrationRecord } from '@svc/core/storage';
import type { ClientBase } from 'pg';
import { rawTypes } from '../raw-types.js';
import type { Row } from '../rows.js';

/** Where what was migrated is recorded. It has no item of its own: without it nothing could be recorded. */
export const recordsTable = `
  CREATE TABLE IF NOT EXISTS svc_schema_migrations (
    key              text PRIMARY KEY,
    hash             text,
    status           integer NOT NULL,
    description      text NOT NULL,
    strategy         text NOT NULL,
    failure_reason   integer,
    error            text,
    library_version  text NOT NULL,
    requires_version text,
    definition       text,
    previous_hashes  text NOT NULL,
    target_hash      text, -- of what it is being rewritten to in the background
    progress         text,
    backup           text,
    applied_at       timestamptz,
    updated_at       timestamptz NOT NULL,
    duration_ms      bigint NOT NULL
  )`;

export const recordsStatement = `
  SELECT key, hash, status, description, strategy, failure_reason, error, library_version, requires_version, definition,
    previous_hashes, progress, backup, (extract(epoch FROM applied_at) * 1000)::bigint AS applied_at,
    (extract(epoch FROM updated_at) * 1000)::bigint AS updated_at, duration_ms
  FROM svc_schema_migrations ORDER BY key`;

const { Applied, Updated, Skipped } = MigrationStatus;

export const skippedStatement = `
  UPDATE svc_schema_migrations known SET status = ${Skipped}, description = 'Unchanged. ' || known.description
  FROM json_to_recordset($1::json) AS item (key text, hash text)
  WHERE known.key = item.key AND known.hash = item.hash AND known.status IN (${Applied}, ${Updated})`;

export function toRecord(row: Row): MigrationRecord {
  const number = (text: string | null | undefined): number | null => (typeof text === 'string' ? Number(text) : null);
  const parsed = (text: string | null | undefined): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
  return {
    key: row['key'],
    hash: row['hash'],
    status: number(row['status']),
    description: row['description'],
    strategy: row['strategy'],
    failureReason: number(row['failure_reason']),
    error: row['error'],
    libraryVersion: row['library_version'],
    requiresVersion: row['requires_version'],
    definition: row['definition'],
    previousHashes: parsed(row['previous_hashes']),
    progress: parsed(row['progress']),
    backup: parsed(row['backup']),
    appliedAt: number(row['applied_at']),
    updatedAt: number(row['updated_at']),
    durationMs: number(row['duration_ms']),
  } as MigrationRecord;
}

const writeStatement = `
  INSERT INTO svc_schema_migrations AS known (key, hash, status, description, strategy, failure_reason, error, library_version,
    requires_version, definition, previous_hashes, target_hash, progress, backup, applied_at, updated_at, duration_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, to_timestamp($15::double precision / 1000),
    to_timestamp($16::double precision / 1000), $17)
  ON CONFLICT (key) DO UPDATE SET hash = excluded.hash, status = excluded.status, description = excluded.description,
    strategy = excluded.strategy, failure_reason = excluded.failure_reason, error = excluded.error,
    library_version = excluded.library_version, requires_version = excluded.requires_version, definition = excluded.definition,
    previous_hashes = excluded.previous_hashes, target_hash = excluded.target_hash, progress = excluded.progress,
    backup = excluded.backup, applied_at = excluded.applied_at, updated_at = excluded.updated_at, duration_ms = excluded.duration_ms`;

/** Writes a record whatever is there; with `expectedHash`, only in the place of one with that hash. Returns whether it did. */
export async function writeRecord(
  client: ClientBase,
  record: MigrationRecord,
  expectedHash?: string | null,
): Promise<boolean> {
  const isGuarded = expectedHash !== undefined;
  const { rowCount } = await client.query({
    text: isGuarded ? `${writeStatement} WHERE known.hash IS NOT DISTINCT FROM $18` : writeStatement,
    values: [
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
      ...(isGuarded ? [expectedHash] : []),
    ],
    types: rawTypes,
  });
  return rowCount === 1;
}
