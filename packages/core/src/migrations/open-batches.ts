/** Handles batches that have not ended: the process that started them crashed, or their tables are still being rewritten. */
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

/** Whether the process that started the batch has not reached every item. */
export function hasUnreached({ items }: MigrationBatch): boolean {
  return items.some(({ startedAt }) => startedAt === null);
}

/**
 * Ends the items of another program's batch that no program will end: those it has not reached, and tables that another batch now rewrites to
 * another target. Null: there are none.
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
