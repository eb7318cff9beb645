import { ServiceError } from '../errors/index.js';
import { MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { errorText, reasonOf, type MigrationPhase } from './failure.js';
import { appliedRecord, failedRecord } from './item-records.js';
import { itemCompleted, itemFailed, type BatchChange, type BatchStep } from './migration-batch.js';
import type { MigrationDatabase, MigrationSession, Rewrite } from './migration-database.js';
import type { MigrationSettings } from './migration-options.js';
import type { MigrationRecord, RewriteProgress } from './migration-record.js';
import { begin, despiteLocks, sleep } from './patience.js';
import { tablesOfRewrite } from './perspective-item.js';
import type { PlannedRewrite } from './plan.js';
import { SupersededError } from './superseded-error.js';
import { definitionOf } from './strategy.js';

export interface RewriteParts {
  readonly database: MigrationDatabase;
  readonly settings: MigrationSettings;
  readonly signal: AbortSignal;
}

/** How often the new table may lag between catching up and the swap. */
const mostRounds = 1_000;
/** How long to wait before a retry when the database is unavailable. */
const goneMs = 500;

/**
 * Rewrites a table in the background while the old one serves: fills a new table in batches that each store their progress, then swaps the two in
 * one transaction. One instance does it; the others wait. Resolves with the final status of the item.
 */
export async function rewriteTable(planned: PlannedRewrite, parts: RewriteParts): Promise<MigrationStatus> {
  for (;;) {
    try {
      return await tryToRewrite(planned, parts);
    } catch (error) {
      parts.signal.throwIfAborted();
      if (!parts.database.isGone(error)) throw error;
      // The migration itself has not failed: it resumes when the database is available again.
      await sleep(goneMs, parts.signal);
    }
  }
}

async function tryToRewrite(planned: PlannedRewrite, parts: RewriteParts): Promise<MigrationStatus> {
  const { key } = planned.item;
  const session = await begin(parts.database, key, parts.signal, () => {});
  try {
    const record = (await session.records()).find((known) => known.key === key);
    // Another instance has ended it, with success or failure.
    if (record?.progress?.target !== planned.hash) return record?.status ?? MigrationStatus.Skipped;
    return await new TableRewrite(planned, record, session, parts).run();
  } finally {
    await session.close().catch(() => {});
  }
}

class TableRewrite {
  readonly #planned: PlannedRewrite;
  readonly #session: MigrationSession;
  readonly #parts: RewriteParts;
  readonly #rewrite: Rewrite;
  #progress: RewriteProgress;
  #phase: MigrationPhase = 'copy';

  constructor(planned: PlannedRewrite, record: MigrationRecord, session: MigrationSession, parts: RewriteParts) {
    this.#planned = { ...planned, record };
    this.#session = session;
    this.#parts = parts;
    this.#progress = record.progress!;
    this.#rewrite = {
      key: record.key,
      strategy: planned.strategy,
      from: definitionOf(record.definition) ?? planned.from,
      to: planned.item.definition,
      target: planned.hash,
    };
  }

  async run(): Promise<MigrationStatus> {
    try {
      this.#requireReplay();
      await this.#prepare();
      for (let round = 0; !(await this.#fillAndSwap()); round++) {
        if (round === mostRounds)
          throw new Error('The table changes faster than its copy can catch up. Retry when there are fewer writes.');
      }
    } catch (error) {
      return await this.#failed(error);
    }
    return MigrationStatus.Updated;
  }

  /** False: try again. */
  async #fillAndSwap(): Promise<boolean> {
    try {
      this.#phase = 'copy';
      if (this.#rewrite.strategy === MigrationStrategy.EventReplay) await this.#replay();
      else await this.#copy();
      this.#phase = 'swap';
      return await this.#swap();
    } catch (error) {
      if (await this.#isStillThere(error)) throw error;
      // A rebuild has replaced the models, so the copy is outdated.
      await this.#prepare();
      return false;
    }
  }

  async #isStillThere(error: unknown): Promise<boolean> {
    const { database, signal } = this.#parts;
    if (signal.aborted || database.isGone(error) || error instanceof SupersededError) return true;
    return this.#rewrite.strategy === MigrationStrategy.EventReplay || (await this.#session.hasNext(this.#rewrite));
  }

  #requireReplay(): void {
    const { replay, definition, key } = this.#planned.item;
    if (this.#rewrite.strategy !== MigrationStrategy.EventReplay) return;
    if (replay !== undefined && definition.perspective !== undefined) return;
    throw new ServiceError(
      'SVC_INVALID_MIGRATION',
      `Cannot migrate ${key}: its rows must be replayed from events, and the item has no replay. Add one.`,
    );
  }

  async #prepare(): Promise<void> {
    if (this.#progress.phase !== 'prepare' && (await this.#session.hasNext(this.#rewrite))) return;
    const revision = await this.#patiently(() => this.#session.prepareNext(this.#rewrite));
    const phase = this.#rewrite.strategy === MigrationStrategy.EventReplay ? 'replay' : 'copy';
    this.#progress = { ...this.#progress, phase, revision, copiedKey: null, revisionKey: null, rows: 0 };
    await this.#session.storeProgress(this.#rewrite, this.#progress);
  }

  async #copy(): Promise<void> {
    const { batchSize } = this.#parts.settings;
    for (;;) {
      const before = this.#progress;
      this.#progress = await this.#patiently(() => this.#session.copyBatch(this.#rewrite, before, batchSize));
      if (before.phase === 'catchUp' && this.#progress.rows - before.rows < batchSize) return;
      // Requests have priority.
      await new Promise((resolve) => setImmediate(resolve));
      this.#parts.signal.throwIfAborted();
    }
  }

  async #replay(): Promise<void> {
    const { signal } = this.#parts;
    await this.#planned.item.replay!({ tables: tablesOfRewrite(this.#rewrite), signal });
    signal.throwIfAborted();
  }

  #swap(): Promise<boolean> {
    const { strategy, key } = this.#rewrite;
    const description = updatedDescription(strategy, this.#progress.rows);
    const record: MigrationRecord = {
      ...appliedRecord({ ...this.#planned, description }, MigrationStatus.Updated, strategy, this.#durationMs),
      backup:
        strategy === MigrationStrategy.EventReplay
          ? null
          : { hash: this.#planned.oldHash, definition: this.#rewrite.from },
    };
    const { batchSize } = this.#parts.settings;
    const change = this.#change(itemCompleted(key, MigrationStatus.Updated, description));
    return this.#patiently(() => this.#session.swap(this.#rewrite, this.#progress, { record, change }, batchSize));
  }

  /** Records the failure; the old table continues to serve unchanged. */
  async #failed(error: unknown): Promise<MigrationStatus> {
    const { database, signal } = this.#parts;
    signal.throwIfAborted();
    if (database.isGone(error)) throw error;
    if (error instanceof SupersededError) return MigrationStatus.Skipped;
    const reason = reasonOf(error, this.#phase, database);
    const text = errorText(error);
    const record = failedRecord(this.#planned, this.#rewrite.strategy, reason, text, this.#durationMs);
    const change = this.#change(itemFailed(this.#rewrite.key, reason, text));
    await this.#patiently(() => this.#session.discardNext(this.#rewrite, { record, change }));
    return MigrationStatus.Failed;
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { database, settings, signal } = this.#parts;
    return despiteLocks(database, settings, signal, work);
  }

  /** A change of the batch that started the rewrite, whichever host ends it. */
  #change(step: BatchStep): BatchChange {
    return { streamId: this.#progress.batch!, step };
  }

  get #durationMs(): number {
    return Date.now() - this.#progress.startedAt;
  }
}

function updatedDescription(strategy: MigrationStrategy, rows: number): string {
  if (strategy === MigrationStrategy.EventReplay) return 'Updated: replayed from events.';
  return `Updated: ${rows} rows copied. The old table remains as the backup.`;
}
