import {
  changedBatch,
  emittedBatch,
  insertBatchStatement,
  replaceBatchStatement,
  toBatch,
  type BatchChange,
  type MigrationBatch,
  type SqlStatement,
} from '@svc/core/storage';
import type { ClientBase } from 'pg';
import { rawTypes } from '../raw-types.js';
import type { Row } from '../row.js';

/** The migration runs that have not ended, or whose events are not emitted yet. Like the table of records, it is no migration item. */
export const batchesTable = `
  CREATE TABLE IF NOT EXISTS svc_migration_batches (
    stream_id uuid PRIMARY KEY,
    version   integer NOT NULL,
    state     text NOT NULL
  )`;

export async function insertBatch(client: ClientBase, batch: MigrationBatch): Promise<void> {
  await rowsOf(client, insertBatchStatement('$', batch));
}

/** Must be the last statement of its transaction: two rewrites that end together wait for each other here. */
export async function changeBatch(client: ClientBase, { streamId, step }: BatchChange): Promise<void> {
  const text = 'SELECT state FROM svc_migration_batches WHERE stream_id = $1 FOR UPDATE';
  const [row] = await rowsOf(client, { text, values: [streamId] });
  if (row === undefined) return;
  const batch = toBatch(row);
  await rowsOf(client, replaceBatchStatement('$', batch, changedBatch(batch, step)));
}

/** Removes the emitted events from a batch. False: the batch has changed since it was read. */
export async function takeEvents(client: ClientBase, batch: MigrationBatch): Promise<boolean> {
  return (await rowsOf(client, replaceBatchStatement('$', batch, emittedBatch(batch)))).length === 1;
}

async function rowsOf(client: ClientBase, { text, values }: SqlStatement): Promise<readonly Row[]> {
  return (await client.query<Row>({ text, values: [...values], types: rawTypes })).rows;
}
