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
import type { Row } from '../rows.js';

/** What has not ended, or is not emitted yet. It has no item of its own, as the table of records. */
export const batchesTable = `
  CREATE TABLE IF NOT EXISTS svc_migration_batches (
    stream_id uuid PRIMARY KEY,
    version   integer NOT NULL,
    state     text NOT NULL
  )`;

export async function insertBatch(client: ClientBase, batch: MigrationBatch): Promise<void> {
  await rowsOf(client, insertBatchStatement('$', batch));
}

/** Last in its transaction: two tables whose rewrites end at once wait for each other here. */
export async function changeBatch(client: ClientBase, { streamId, step }: BatchChange): Promise<void> {
  const text = 'SELECT state FROM svc_migration_batches WHERE stream_id = $1 FOR UPDATE';
  const [row] = await rowsOf(client, { text, values: [streamId] });
  if (row === undefined) return;
  const batch = toBatch(row);
  await rowsOf(client, replaceBatchStatement('$', batch, changedBatch(batch, step)));
}

/** Takes the events out of a batch. False: it has changed since it was read. */
export async function takeEvents(client: ClientBase, batch: MigrationBatch): Promise<boolean> {
  return (await rowsOf(client, replaceBatchStatement('$', batch, emittedBatch(batch)))).length === 1;
}

async function rowsOf(client: ClientBase, { text, values }: SqlStatement): Promise<readonly Row[]> {
  return (await client.query<Row>({ text, values: [...values], types: rawTypes })).rows;
}
