import { MigrationStatus, MigrationStrategy, MigrationFailureReason } from '../system-events/index.js';
import { errorText, reasonName, reasonOf } from './failure.js';
import { libraryVersion } from './library-version.js';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { MigrationFailedError } from './migration-failed-error.js';
import type { MigrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import type { BatchReport } from './migration-report.js';
import { despiteLocks } from './patience.js';
import type { PlannedItem } from './plan.js';
import { SupersededError } from './superseded-error.js';
import { definitionText } from './table-definition.js';

export interface BatchParts {
  readonly database: MigrationDatabase;
  readonly settings: MigrationSettings;
  readonly signal: AbortSignal;
  readonly report: BatchReport;
}

/** What became of the items of a batch. */
export interface BatchOutcome {
  /** Tables that are to be rewritten in the background. */
  readonly rewrites: readonly Extract<PlannedItem, { action: 'rewrite' }>[];
  readonly failed: readonly string[];
}

/**
 * Carries out a plan, item by item. A table that fails is left as it was and does not hold up the others; without a part of the
 * infrastructure nothing can go on, and a `MigrationFailedError` is thrown.
 */
export async function carryOut(
  plan: readonly PlannedItem[],
  session: MigrationSession,
  parts: BatchParts,
): Promise<BatchOutcome> {
  const rewrites: Extract<PlannedItem, { action: 'rewrite' }>[] = [];
  const failed: string[] = [];
  for (const planned of plan) {
    const { item, hash, oldHash, description } = planned;
    const { key } = item;
    const started = performance.now();
    const strategy = planned.action === 'rewrite' ? planned.strategy : MigrationStrategy.DirectDdl;
    parts.report.started(key, strategy, oldHash, hash);
    try {
      const status = await carryOutOne(planned, session, parts);
      if (planned.action === 'rewrite') rewrites.push(planned);
      parts.report.completed(key, status, description, performance.now() - started);
    } catch (error) {
      parts.signal.throwIfAborted();
      if (parts.database.isGone(error) || error instanceof SupersededError) throw error;
      const reason = error instanceof Refused ? MigrationFailureReason.Unknown : reasonOf(error, 'ddl', parts.database);
      const durationMs = performance.now() - started;
      parts.report.failed(key, reason, errorText(error), durationMs);
      const record = failedRecord(planned, strategy, reason, errorText(error), durationMs);
      await despiteLocks(parts.database, parts.settings, parts.signal, () => session.write(record, oldHash));
      if (item.kind === 'sql') throw new MigrationFailedError(key, reason, reasonName(reason), error);
      failed.push(key);
    }
  }
  return { rewrites, failed };
}

/** Why nothing was tried. */
class Refused extends Error {}

async function carryOutOne(
  planned: PlannedItem,
  session: MigrationSession,
  { database, settings, signal }: BatchParts,
): Promise<MigrationStatus> {
  const started = performance.now();
  switch (planned.action) {
    case 'skip':
      return MigrationStatus.Skipped;
    case 'refuse':
      throw new Refused(planned.description);
    case 'apply': {
      const { status, sql } = planned;
      await despiteLocks(database, settings, signal, () =>
        session.apply(sql, appliedRecord(planned, status, MigrationStrategy.DirectDdl, performance.now() - started)),
      );
      return status;
    }
    case 'rewrite':
      // One that was begun before goes on where it is.
      if (planned.record?.progress?.target !== planned.hash)
        await session.write(rewritingRecord(planned), planned.oldHash);
      return MigrationStatus.MigratingInBackground;
  }
}

/** What is recorded of an item that is now what it should be. */
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

/** What is recorded of a failure: everything stays as it was, and the next start tries again. */
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
    description: 'Failed; tried again at the next start.',
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

/** What is recorded of a rewrite at its beginning. */
function rewritingRecord(planned: Extract<PlannedItem, { action: 'rewrite' }>): MigrationRecord {
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
    // A rewrite that another program began and did not end is over: that program is an older one now.
    previousHashes: history(record, record?.progress?.target ?? null, hash),
    progress: {
      target: hash,
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

const mostHashes = 50;

function history(record: MigrationRecord | null, add: string | null, current: string): readonly string[] {
  const before = record?.previousHashes ?? [];
  const all = add === null || before.includes(add) ? before : [...before, add];
  return all.filter((hash) => hash !== current).slice(-mostHashes);
}
