/** The statements over `svc_migration_batches`. */
import type { ParameterMark, SqlRow, SqlStatement } from '../../storage/index.js';
import type { MigrationBatch } from '../migration-batch.js';

/** In the order of their starts, because ids ascend with time. */
export const readBatchesStatement = 'SELECT state FROM svc_migration_batches ORDER BY stream_id';

/** The batch in a row of `svc_migration_batches`. */
export function toBatch(row: SqlRow): MigrationBatch {
  return JSON.parse(row['state'] as string) as MigrationBatch;
}

/** The statement that stores a new batch. */
export function insertBatchStatement(mark: ParameterMark, batch: MigrationBatch): SqlStatement {
  return {
    text: `INSERT INTO svc_migration_batches (stream_id, version, state) VALUES (${mark}1, ${mark}2, ${mark}3)`,
    values: [batch.streamId, batch.version, JSON.stringify(batch)],
  };
}

/** Replaces a batch with its next state, or removes it. Returns a row if the batch is unchanged since it was read. */
export function replaceBatchStatement(
  mark: ParameterMark,
  { streamId, version }: MigrationBatch,
  next: MigrationBatch | null,
): SqlStatement {
  const isUnchanged = `WHERE stream_id = ${mark}1 AND version = ${mark}2 RETURNING 1`;
  return next === null
    ? { text: `DELETE FROM svc_migration_batches ${isUnchanged}`, values: [streamId, version] }
    : {
        text: `UPDATE svc_migration_batches SET version = ${mark}3, state = ${mark}4 ${isUnchanged}`,
        values: [streamId, version, next.version, JSON.stringify(next)],
      };
}
