/** Batches that have not ended: the process that began them was killed, or their tables are still rewritten. */
import { MigrationFailureReason, MigrationStatus } from '../system-events/index.js';
import {
  allOf,
  cutShort,
  itemCompleted,
  itemFailed,
  type BatchItem,
  type BatchStep,
  type MigrationBatch,
} from './migration-batch.js';
import type { MigrationRecord } from './migration-record.js';

/** Whether the process that began it has not come to its end: everything that it reaches is stored at once. */
export function hasUnreached({ items }: MigrationBatch): boolean {
  return items.some(({ startedAt }) => startedAt === null);
}

/**
 * Ends what nobody will come to end in a batch of another program: items that it has not reached, and tables that another batch rewrites to
 * something else by now. Null: there is nothing of that.
 */
export function orphansEnded(batch: MigrationBatch, records: readonly MigrationRecord[]): BatchStep | null {
  const { streamId } = batch;
  const orphans = batch.items.filter(({ key, startedAt, result }) => {
    const progress = records.find((record) => record.key === key)?.progress;
    return startedAt !== null && result === null && progress?.batch !== streamId;
  });
  if (orphans.length === 0 && !hasUnreached(batch)) return null;
  return allOf(...orphans.map((item) => orphanEnded(item, records)), cutShort);
}

function orphanEnded({ key, hash }: BatchItem, records: readonly MigrationRecord[]): BatchStep {
  const isApplied = records.some((record) => record.key === key && record.hash === hash);
  return isApplied
    ? itemCompleted(key, MigrationStatus.Skipped, 'Another batch has applied it.')
    : itemFailed(key, MigrationFailureReason.Unknown, `Another program has taken over the migration of ${key}.`);
}
