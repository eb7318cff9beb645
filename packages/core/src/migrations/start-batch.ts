import type { Uuid } from '../json/index.js';
import { MigrationStatus, MigrationStrategy, MigrationFailureReason } from '../system-events/index.js';
import { errorText, reasonName, reasonOf } from './failure.js';
import { appliedRecord, failedRecord, isUnderWay, rewritingRecord } from './item-records.js';
import {
  allOf,
  cutShort,
  itemCompleted,
  itemFailed,
  itemStarted,
  type BatchChange,
  type BatchStep,
  type MigrationBatch,
} from './migration-batch.js';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { MigrationFailedError } from './migration-failed-error.js';
import type { MigrationSettings } from './migration-options.js';
import { despiteLocks } from './patience.js';
import type { PlannedItem, PlannedRewrite } from './plan.js';
import { SupersededError } from './superseded-error.js';

export interface BatchParts {
  readonly database: MigrationDatabase;
  readonly settings: MigrationSettings;
  readonly signal: AbortSignal;
  readonly session: MigrationSession;
  /** Whether a batch other than this one has not ended. */
  readonly isOpen: (streamId: Uuid) => boolean;
}

/** The outcome of a batch. */
export interface BatchOutcome {
  /** The tables to rewrite in the background. */
  readonly rewrites: readonly PlannedRewrite[];
  readonly failed: readonly string[];
  /** Whether an item that has already ended in this batch must be retried in another one. */
  readonly hasLeftovers: boolean;
}

/**
 * Executes a plan item by item, and resumes where the batch is. A table that fails is unchanged and does not stop other items. A failed
 * infrastructure item throws a `MigrationFailedError`.
 */
export async function carryOut(
  plan: readonly PlannedItem[],
  batch: MigrationBatch,
  parts: BatchParts,
): Promise<BatchOutcome> {
  const start = new BatchStart(batch.streamId, parts);
  let hasLeftovers = false;
  for (const planned of plan) {
    const isOpen = batch.items.find(({ key }) => key === planned.item.key)?.result === null;
    if (isOpen) await start.carryOut(planned);
    else if (planned.action === 'rewrite' && isUnderWay(planned)) start.rewrites.push(planned);
    else if (planned.action !== 'skip') hasLeftovers = true;
  }
  await start.storeSteps();
  return { rewrites: start.rewrites, failed: start.failed, hasLeftovers };
}

class BatchStart {
  readonly rewrites: PlannedRewrite[] = [];
  readonly failed: string[] = [];
  readonly #streamId: Uuid;
  readonly #parts: BatchParts;
  /** Steps that only change the batch. They are stored with the next step that changes more. */
  #steps: BatchStep[] = [];

  constructor(streamId: Uuid, parts: BatchParts) {
    this.#streamId = streamId;
    this.#parts = parts;
  }

  async carryOut(planned: PlannedItem): Promise<void> {
    const { key } = planned.item;
    const strategy = planned.action === 'rewrite' ? planned.strategy : MigrationStrategy.DirectDdl;
    this.#steps.push(itemStarted(key, strategy, planned.oldHash));
    const startedAt = performance.now();
    try {
      await this.#carryOut(planned);
    } catch (error) {
      const { database, signal } = this.#parts;
      signal.throwIfAborted();
      if (database.isGone(error) || error instanceof SupersededError) throw error;
      await this.#recordFailure(planned, strategy, error, performance.now() - startedAt);
    }
  }

  /** Stores the remaining steps. */
  async storeSteps(): Promise<void> {
    if (this.#steps.length > 0) await this.#store((change) => this.#parts.session.changeBatch(change));
  }

  async #carryOut(planned: PlannedItem): Promise<void> {
    const { session, isOpen } = this.#parts;
    const { item, hash, oldHash, record, description } = planned;
    switch (planned.action) {
      case 'skip':
        this.#steps.push(itemCompleted(item.key, MigrationStatus.Skipped, description));
        return;
      case 'refuse':
        throw new BlockedItemError(description);
      case 'apply': {
        const { status, sql } = planned;
        const startedAt = performance.now();
        await this.#store(
          (change) => {
            const durationMs = performance.now() - startedAt;
            return session.apply(sql, appliedRecord(planned, status, MigrationStrategy.DirectDdl, durationMs), change);
          },
          itemCompleted(item.key, status, description),
        );
        return;
      }
      case 'rewrite': {
        const batch = record?.progress?.target === hash ? record.progress.batch : undefined;
        if (batch !== undefined && batch !== this.#streamId && isOpen(batch)) {
          // Its end belongs to the batch that started it.
          this.#steps.push(itemCompleted(item.key, MigrationStatus.MigratingInBackground, description));
        } else if (batch !== this.#streamId) {
          await this.#store((change) => session.write(rewritingRecord(planned, this.#streamId), oldHash, change));
        }
        this.rewrites.push(planned);
      }
    }
  }

  async #recordFailure(
    planned: PlannedItem,
    strategy: MigrationStrategy,
    error: unknown,
    durationMs: number,
  ): Promise<void> {
    const { database, session } = this.#parts;
    const { item, oldHash } = planned;
    const reason =
      error instanceof BlockedItemError ? MigrationFailureReason.Unknown : reasonOf(error, 'ddl', database);
    const text = errorText(error);
    const isFatal = item.kind === 'sql';
    const ended = itemFailed(item.key, reason, text);
    const record = failedRecord(planned, strategy, reason, text, durationMs);
    await this.#store((change) => session.write(record, oldHash, change), isFatal ? allOf(ended, cutShort) : ended);
    if (isFatal) throw new MigrationFailedError(item.key, reason, reasonName(reason), error);
    this.failed.push(item.key);
  }

  /** Runs `work` with a change of the batch that has all steps so far and the `last` ones. */
  async #store(work: (change: BatchChange) => Promise<void>, ...last: readonly BatchStep[]): Promise<void> {
    const { database, settings, signal } = this.#parts;
    const change = { streamId: this.#streamId, step: allOf(...this.#steps, ...last) };
    await despiteLocks(database, settings, signal, () => work(change));
    this.#steps = [];
  }
}

/** The reason why an item was not tried. */
class BlockedItemError extends Error {}
