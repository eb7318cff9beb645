import { durationOf } from '../json/index.js';
import { newId } from '../messages/index.js';
import {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
  MigrationStatus,
  type MigrationBatchItemResult,
  type MigrationFailureReason,
  type MigrationStrategy,
  type SystemEventEmitter,
} from '../system-events/index.js';
import { libraryVersion } from './library-version.js';

export type MigrationEvent =
  MigrationBatchStarted | MigrationItemStarted | MigrationItemCompleted | MigrationItemFailed | MigrationBatchCompleted;

/**
 * Tells of migrations. They may have to make the place first where it is told: events are kept until they could be emitted, in order,
 * and nobody waits for it inside a migration.
 */
export class MigrationReport {
  readonly #kept: MigrationEvent[] = [];
  #emitter: SystemEventEmitter | null = null;
  #telling: Promise<void> = Promise.resolve();

  tellTo(emitter: SystemEventEmitter): void {
    this.#emitter = emitter;
  }

  add(...events: readonly MigrationEvent[]): void {
    this.#kept.push(...events);
    if (this.#kept.length > 0) this.told().catch(() => {});
  }

  /** Resolves once everything so far is told. What could not be told stays, and is tried again with the next. */
  told(): Promise<void> {
    const telling = this.#telling.then(() => this.#tell());
    this.#telling = telling.catch(() => {});
    return telling;
  }

  async #tell(): Promise<void> {
    if (this.#emitter === null) return;
    for (let event = this.#kept[0]; event !== undefined; event = this.#kept[0]) {
      await this.#emitter.emit(event);
      this.#kept.shift();
    }
  }
}

/** The events of one batch; they have the same `streamId`. */
export class BatchReport {
  readonly #streamId = newId();
  readonly #events: MigrationEvent[] = [];
  readonly #results: MigrationBatchItemResult[] = [];
  readonly #startedAt = performance.now();

  constructor(totalMigrations: number, totalPerspectives: number) {
    this.#events.push(
      Object.assign(new MigrationBatchStarted(), {
        streamId: this.#streamId,
        libraryVersion,
        totalMigrations,
        totalPerspectives,
      }),
    );
  }

  started(migrationKey: string, strategy: MigrationStrategy, oldHash: string | null, newHash: string): void {
    const streamId = this.#streamId;
    this.#events.push(
      Object.assign(new MigrationItemStarted(), { streamId, migrationKey, strategy, oldHash, newHash }),
    );
  }

  completed(migrationKey: string, status: MigrationStatus, statusDescription: string, durationMs: number): void {
    this.#events.push(itemCompleted(this.#streamId, migrationKey, status, statusDescription, durationMs));
    this.#results.push({ migrationKey, status, statusDescription });
  }

  failed(migrationKey: string, failureReason: MigrationFailureReason, error: string, durationMs: number): void {
    this.#events.push(itemFailed(this.#streamId, migrationKey, failureReason, error, durationMs));
    this.#results.push({ migrationKey, status: MigrationStatus.Failed, statusDescription: error });
  }

  /** All events; none when every item was skipped: nothing was migrated then, and nothing is told. */
  end(): readonly MigrationEvent[] {
    const count = (wanted: MigrationStatus): number => this.#results.filter(({ status }) => status === wanted).length;
    const skipped = count(MigrationStatus.Skipped);
    if (skipped === this.#results.length) return [];
    const completed = Object.assign(new MigrationBatchCompleted(), {
      streamId: this.#streamId,
      libraryVersion,
      results: this.#results,
      applied: count(MigrationStatus.Applied),
      updated: count(MigrationStatus.Updated),
      skipped,
      failed: count(MigrationStatus.Failed),
      totalDuration: durationOf(performance.now() - this.#startedAt),
    });
    return [...this.#events, completed];
  }
}

export function itemCompleted(
  streamId: ReturnType<typeof newId>,
  migrationKey: string,
  status: MigrationStatus,
  statusDescription: string,
  durationMs: number,
): MigrationItemCompleted {
  const duration = durationOf(durationMs);
  return Object.assign(new MigrationItemCompleted(), { streamId, migrationKey, status, statusDescription, duration });
}

export function itemFailed(
  streamId: ReturnType<typeof newId>,
  migrationKey: string,
  failureReason: MigrationFailureReason,
  error: string,
  durationMs: number,
): MigrationItemFailed {
  const status = MigrationStatus.Failed;
  const duration = durationOf(durationMs);
  return Object.assign(new MigrationItemFailed(), { streamId, migrationKey, status, failureReason, error, duration });
}
