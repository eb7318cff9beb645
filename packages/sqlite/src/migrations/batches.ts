import { changedBatch, emittedBatch, type BatchChange, type MigrationBatch } from '@svc/core/storage';
import type { Connection } from '../connection.js';

/** What has not ended, or is not emitted yet. It has no item of its own, as the table of records. */
export const batchesTable = `
  CREATE TABLE IF NOT EXISTS svc_migration_batches (
    stream_id TEXT PRIMARY KEY,
    version   INTEGER NOT NULL,
    state     TEXT NOT NULL
  ) STRICT;`;

/** Ids ascend with time. */
export function readBatches(connection: Connection): readonly MigrationBatch[] {
  const rows = connection.rows('SELECT state FROM svc_migration_batches ORDER BY stream_id');
  return rows.map(({ state }) => JSON.parse(state as string) as MigrationBatch);
}

export function insertBatch(connection: Connection, batch: MigrationBatch): void {
  const sql = 'INSERT INTO svc_migration_batches (stream_id, version, state) VALUES (?, ?, ?)';
  connection.rows(sql, batch.streamId, batch.version, JSON.stringify(batch));
}

export function changeBatch(connection: Connection, { streamId, step }: BatchChange): void {
  const batch = readBatches(connection).find((known) => known.streamId === streamId);
  if (batch !== undefined) replaceBatch(connection, batch, changedBatch(batch, step));
}

/** Takes the events out of a batch. False: it has changed since it was read. */
export function takeEvents(connection: Connection, batch: MigrationBatch): boolean {
  return replaceBatch(connection, batch, emittedBatch(batch));
}

function replaceBatch(connection: Connection, batch: MigrationBatch, next: MigrationBatch | null): boolean {
  const { streamId, version } = batch;
  const rows =
    next === null
      ? connection.rows(removeStatement, streamId, version)
      : connection.rows(updateStatement, next.version, JSON.stringify(next), streamId, version);
  return rows.length === 1;
}

const removeStatement = 'DELETE FROM svc_migration_batches WHERE stream_id = ? AND version = ? RETURNING 1';
const updateStatement =
  'UPDATE svc_migration_batches SET version = ?, state = ? WHERE stream_id = ? AND version = ? RETURNING 1';
