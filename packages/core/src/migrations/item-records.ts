/** Builds the records of items, by outcome. */
import type { Uuid } from '../json/index.js';
import { MigrationStatus, type MigrationFailureReason, type MigrationStrategy } from '../system-events/index.js';
import { libraryVersion } from './library-version.js';
import type { MigrationRecord } from './migration-record.js';
import type { PlannedItem, PlannedRewrite } from './plan.js';
import { definitionText } from './table-definition.js';

/** The record of an item that was applied. */
export function appliedRecord(
  {
    item,
    hash,
    record,
    oldHash,
    description,
  }: Pick<PlannedItem, 'item' | 'hash' | 'record' | 'oldHash' | 'description'>,
  status: MigrationStatus,
  strategy: MigrationStrategy,
  durationMs: number,
): MigrationRecord {
  const now = Date.now();
  return {
    key: item.key,
    hash,
    status,
    description,
    strategy,
    failureReason: null,
    error: null,
    libraryVersion,
    requiresVersion: item.requires ?? null,
    definition: item.kind === 'table' ? definitionText(item.definition) : null,
    previousHashes: history(record, oldHash, hash),
    progress: null,
    backup: record?.backup ?? null,
    appliedAt: record?.appliedAt ?? now,
    updatedAt: now,
    durationMs: Math.round(durationMs),
  };
}

/** The record of a failed item: the schema is unchanged, and the next start retries it. */
export function failedRecord(
  { item, record, oldHash }: Pick<PlannedItem, 'item' | 'record' | 'oldHash'>,
  strategy: MigrationStrategy,
  failureReason: MigrationFailureReason,
  error: string,
  durationMs: number,
): MigrationRecord {
  return {
    key: item.key,
    hash: oldHash,
    status: MigrationStatus.Failed,
    description: 'Failed; the next start retries it.',
    strategy,
    failureReason,
    error,
    libraryVersion: record?.libraryVersion ?? libraryVersion,
    requiresVersion: record?.requiresVersion ?? null,
    definition: record?.definition ?? null,
    previousHashes: record?.previousHashes ?? [],
    progress: null,
    backup: record?.backup ?? null,
    appliedAt: record?.appliedAt ?? null,
    updatedAt: Date.now(),
    durationMs: Math.round(durationMs),
  };
}

/** The record of a rewrite that a batch starts, or takes over and resumes. */
export function rewritingRecord(planned: PlannedRewrite, batch: Uuid): MigrationRecord {
  const { item, hash, record, oldHash, strategy, from, description } = planned;
  const now = Date.now();
  return {
    key: item.key,
    hash: oldHash,
    status: MigrationStatus.MigratingInBackground,
    description,
    strategy,
    failureReason: null,
    error: null,
    libraryVersion,
    requiresVersion: record?.requiresVersion ?? null,
    definition: definitionText(from),
    // An unfinished rewrite of another program ends here, and that program counts as an older one.
    previousHashes: history(record, record?.progress?.target ?? null, hash),
    progress: isUnderWay(planned)
      ? { ...record!.progress!, batch }
      : {
          target: hash,
          batch,
          definition: item.definition,
          phase: 'prepare',
          copiedKey: null,
          revision: 0,
          revisionKey: null,
          rows: 0,
          startedAt: now,
        },
    backup: record?.backup ?? null,
    appliedAt: record?.appliedAt ?? null,
    updatedAt: now,
    durationMs: record?.durationMs ?? 0,
  };
}

/** Whether an earlier start has begun its rewrite, which has not ended. */
export function isUnderWay({ record, hash }: PlannedItem): boolean {
  return record?.progress?.target === hash;
}

const mostHashes = 50;

function history(record: MigrationRecord | null, add: string | null, current: string): readonly string[] {
  const before = record?.previousHashes ?? [];
  const all = add === null || before.includes(add) ? before : [...before, add];
  return all.filter((hash) => hash !== current).slice(-mostHashes);
}
