import { MigrationStatus } from '@svc/core';
import { recordColumns, recordUpdates, recordValues, type MigrationRecord } from '@svc/core/storage';
import type { ClientBase } from 'pg';
import { rawTypes } from '../raw-types.js';

/** The table that records migrations. It is no migration item, because recording an item needs it. */
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
  UPDATE svc_schema_migrations known SET status = ${Skipped}, description = 'Unchanged. Last change: ' || known.description
  FROM json_to_recordset($1::json) AS item (key text, hash text)
  WHERE known.key = item.key AND known.hash = item.hash AND known.status IN (${Applied}, ${Updated})`;

const times = new Set<string>(['applied_at', 'updated_at']);
const places = recordColumns.map((name, i) =>
  times.has(name) ? `to_timestamp($${i + 1}::double precision / 1000)` : `$${i + 1}`,
);

const writeStatement = `
  INSERT INTO svc_schema_migrations AS known (${recordColumns.join(', ')}) VALUES (${places.join(', ')})
  ON CONFLICT (key) DO UPDATE SET ${recordUpdates}`;

/** Inserts or replaces a record; with `expectedHash`, replaces only a record with that hash. Returns whether it did. */
export async function writeRecord(
  client: ClientBase,
  record: MigrationRecord,
  expectedHash?: string | null,
): Promise<boolean> {
  const isGuarded = expectedHash !== undefined;
  const { rowCount } = await client.query({
    text: isGuarded ? `${writeStatement} WHERE known.hash IS NOT DISTINCT FROM $${places.length + 1}` : writeStatement,
    values: isGuarded ? [...recordValues(record), expectedHash] : recordValues(record),
    types: rawTypes,
  });
  return rowCount === 1;
}
