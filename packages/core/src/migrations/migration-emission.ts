import { observeId } from '../messages/index.js';
import { LateEventError, type CommitRecord } from '../storage/index.js';
import type { MigrationBatch } from './migration-batch.js';
import type { MigrationDatabase } from './migration-database.js';
import { migrationEventOf, type MigrationEvent } from './migration-event.js';

/** A migration event and its time. */
export interface DatedMigrationEvent {
  readonly event: MigrationEvent;
  readonly at: number;
}

/** How a host emits migration events. */
export interface MigrationEventTarget {
  /**
   * The record that queues events in the outbox, or that appends them to the system stream at once, for a host that will not run long enough to
   * deliver them. Null: this service has no system events, and they are discarded.
   */
  recordOf(events: readonly DatedMigrationEvent[], way: 'outbox' | 'stream'): CommitRecord | null;
  /** Called when the outbox has messages to deliver. */
  queued(): void;
}

/**
 * Emits the events of batches, in order. One transaction removes them from their batch and commits them, so each is emitted once, on any host.
 * Events that cannot be emitted remain for the next start.
 */
export class MigrationEmission {
  readonly #database: MigrationDatabase;
  #target: MigrationEventTarget | null = null;
  #isPending = false;
  #emitting: Promise<void> = Promise.resolve();

  constructor(database: MigrationDatabase) {
    this.#database = database;
  }

  emitTo(target: MigrationEventTarget): void {
    this.#target = target;
  }

  /** Called when there may be events to emit. */
  pending(): void {
    this.#isPending = true;
  }

  /** Resolves once all events so far are emitted. The next call retries those that could not be. */
  emitted(way: 'outbox' | 'stream' = 'outbox'): Promise<void> {
    const emitting = this.#emitting.then(() => this.#emit(way));
    this.#emitting = emitting.catch(() => {});
    return emitting;
  }

  async #emit(way: 'outbox' | 'stream'): Promise<void> {
    const target = this.#target;
    if (target === null || !this.#isPending) return;
    for (;;) {
      const batch = (await this.#database.batches()).find(({ events }) => events.length > 0);
      if (batch === undefined) break;
      const events = batch.events.map((stored) => ({ event: migrationEventOf(stored), at: stored.at }));
      const record = target.recordOf(events, way);
      // Another host may have emitted them, or the batch has further events: then it is read again.
      if ((await this.#tryToEmit(batch, record)) && record !== null && way === 'outbox') target.queued();
    }
    this.#isPending = false;
  }

  /** Also false if the system stream has greater ids than the record: the next attempt creates greater ones. */
  async #tryToEmit(batch: MigrationBatch, record: CommitRecord | null): Promise<boolean> {
    try {
      return await this.#database.emit(batch, record);
    } catch (error) {
      if (!(error instanceof LateEventError)) throw error;
      for (const id of error.latest.values()) observeId(id);
      return false;
    }
  }
}
