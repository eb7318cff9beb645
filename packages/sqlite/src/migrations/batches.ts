import {
  changedBatch,
  emittedBatch,
  insertBatchStatement,
  readBatchesStatement,
  replaceBatchStatement,
  toBatch,
  type BatchChange,
  type MigrationBatch,
  type SqlStatement,
} from '@svc/core/storage';
import type { Connection } from '../connection.js';
import type { Row } from '../engine.js';

/** The migration runs that have not ended, or whose events are not emitted yet. Like the table of records, it is no migration item. */
export const batchesTable = `
  CREATE TABLE IF NOT EXISTS svc_migration_batches (
    stream_id TEXT PRIMARY KEY,
    version   INTEGER NOT NULL,
    state     TEXT NOT NULL
  ) STRICT;`;

export function readBatches(connection: Connection): readonly MigrationBatch[] {
  return connection.rows(readBatchesStatement).map(toBatch);
}

export function insertBatch(connection: Connection, batch: MigrationBatch): void {
  rowsOf(connection, insertBatchStatement('?', batch));
}

export function changeBatch(connection: Connection, { streamId, step }: BatchChange): void {
  const batch = readBatches(connection).find((known) => known.streamId === streamId);
  if (batch !== undefined) rowsOf(connection, replaceBatchStatement('?', batch, changedBatch(batch, step)));
}

/** Removes the emitted events from a batch. False: the batch has changed since it was read. */
export function takeEvents(connection: Connection, batch: MigrationBatch): boolean {
  return rowsOf(connection, replaceBatchStatement('?', batch, emittedBatch(batch))).length === 1;
}

function rowsOf(connection: Connection, { text, values }: SqlStatement): readonly Row[] {
  return connection.rows(text, ...values);
}
