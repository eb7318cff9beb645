import { changedBatch, emittedBatch, type BatchChange, type MigrationBatch } from '@svc/core/storage';
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

/** Ids ascend with time. */
export const batchesStatement = 'SELECT state FROM svc_migration_batches ORDER BY stream_id';

export function toBatch(row: Row): MigrationBatch {
  return JSON.parse(row['state']!) as MigrationBatch;
}

export async function insertBatch(client: ClientBase, batch: MigrationBatch): Promise<void> {
  const text = 'INSERT INTO svc_migration_batches (stream_id, version, state) VALUES ($1, $2, $3)';
  await client.query(text, [batch.streamId, batch.version, JSON.stringify(batch)]);
}

/** Last in its transaction: two tables whose rewrites end at once wait for each other here. */
export async function changeBatch(client: ClientBase, { streamId, step }: BatchChange): Promise<void> {
  const text = 'SELECT state FROM svc_migration_batches WHERE stream_id = $1 FOR UPDATE';
  const { rows } = await client.query<Row>({ text, values: [streamId], types: rawTypes });
  const [row] = rows;
  if (row === undefined) return;
  const batch = toBatch(row);
  await replaceBatch(client, batch, changedBatch(batch, step));
}

/** Takes the events out of a batch. False: it has changed since it was read. */
export function takeEvents(client: ClientBase, batch: MigrationBatch): Promise<boolean> {
  return replaceBatch(client, batch, emittedBatch(batch));
}

async function replaceBatch(client: ClientBase, batch: MigrationBatch, next: MigrationBatch | null): Promise<boolean> {
  const { streamId, version } = batch;
  const { rowCount } =
    next === null
      ? await client.query(removeStatement, [streamId, version])
      : await client.query(updateStatement, [streamId, version, next.version, JSON.stringify(next)]);
  return rowCount === 1;
}

const removeStatement = 'DELETE FROM svc_migration_batches WHERE stream_id = $1 AND version = $2';
const updateStatement =
  'UPDATE svc_migration_batches SET version = $3, state = $4 WHERE stream_id = $1 AND version = $2';
