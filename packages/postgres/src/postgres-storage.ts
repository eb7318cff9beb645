import {
  GroupCommit,
  newId,
  OutgoingSignal,
  ServiceError,
  StorageUnavailableError,
  type CommitRecord,
  type OutboxLane,
  type Storage,
  type StoredOutgoing,
  type StoredRecord,
  type Uuid,
} from '@svc/core';
import { readAllEvents } from './all-events.js';
import { commitBatchOver } from './commit-batch.js';
import { connect, type Connections } from './connections.js';
import { createSchema } from './create-schema.js';
import { isConnectionLost } from './failures.js';
import { Notifications } from './notifications.js';
import { settingsOf, type PostgresOptions, type Settings } from './options.js';
import { OutboxLanes } from './outbox-lanes.js';
import { PostgresPerspectives } from './postgres-perspectives.js';
import { findReadingStall, type ReadingStall } from './reading-stall.js';
import { Reader } from './reader.js';
import { eventColumns, toRecord } from './rows.js';

const pageSize = 500;

/** Keeps everything in a PostgreSQL database, which any number of hosts share. */
export function postgres(options: PostgresOptions): PostgresStorage {
  return new PostgresStorage(options);
}

export class PostgresStorage implements Storage {
  readonly perspectives: PostgresPerspectives;
  readonly #settings: Settings;
  readonly #connections: Connections;
  readonly #reader: Reader;
  readonly #group: GroupCommit;
  readonly #lanes: OutboxLanes;
  readonly #outgoing: OutgoingSignal;
  readonly #notifications: Notifications;
  #listening = false;
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(options: PostgresOptions) {
    this.#settings = settingsOf(options);
    this.#connections = connect(this.#settings);
    const { readers, writers, config } = this.#connections;
    const self = newId();
    this.#reader = new Reader(readers);
    this.perspectives = new PostgresPerspectives(this.#reader, readers, () => this.open());
    this.#lanes = new OutboxLanes(this.#reader, self, this.#settings.leaseMs);
    this.#outgoing = new OutgoingSignal(this.#settings.pollMs);
    this.#notifications = new Notifications(config, self, () => this.#outgoing.raise());
    const commitBatch = commitBatchOver(writers, this.#settings.resolveTimeoutMs);
    this.#group = new GroupCommit(commitBatch, {
      transactions: this.#settings.transactions,
      largestBatch: 1_000,
      disjoint: true,
    });
  }

  open(): Promise<void> {
    if (this.#closed) return Promise.reject(closed());
    this.#opening ??= this.#open().catch((error: unknown) => {
      // Whoever asks next tries again.
      this.#opening = undefined;
      throw isConnectionLost(error) ? new StorageUnavailableError('none', error) : error;
    });
    return this.#opening;
  }

  async commit(record: CommitRecord): Promise<void> {
    await this.open();
    await this.#group.commit(record);
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    await this.open();
    let next = fromPosition;
    for (;;) {
      const rows = await this.#reader.rows('svc-read-stream', streamStatement, [streamId, next, pageSize]);
      for (const row of rows) yield toRecord(row);
      if (rows.length < pageSize) return;
      next += pageSize;
    }
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    await this.open();
    yield* readAllEvents(this.#reader, afterSequence, this.#settings);
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    await this.open();
    const [row] = await this.#reader.rows('svc-last-position', lastPositionStatement, [streamId]);
    return Number(row?.['position'] ?? -1);
  }

  async positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    await this.open();
    const [row] = await this.#reader.rows('svc-position-of', positionOfStatement, [streamId, eventId]);
    return Number(row?.['position'] ?? -1);
  }

  async readOutgoing(lane: OutboxLane, limit: number): Promise<readonly StoredOutgoing[]> {
    await this.open();
    return await this.#lanes.read(lane, limit);
  }

  onOutgoing(listener: () => void): void {
    this.#outgoing.add(listener);
    this.#listening = true;
  }

  /** Who holds back the reading of all events at the moment; null when nobody does. */
  async readingStall(): Promise<ReadingStall | null> {
    await this.open();
    return await findReadingStall(this.#reader);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#outgoing.stop();
    const isOpen = await this.#opening?.then(
      () => true,
      () => false,
    );
    await this.#group.idle();
    // Another host would take over in any case, a little later.
    if (isOpen === true) await this.#lanes.release().catch(() => {});
    await this.#notifications.close();
    await Promise.all([this.#connections.writers.end(), this.#connections.readers.end()]);
  }

  async #open(): Promise<void> {
    const client = await this.#connections.readers.connect();
    try {
      await createSchema(client);
      client.release();
    } catch (error) {
      client.release(isConnectionLost(error));
      throw error;
    }
    if (!this.#listening || this.#closed) return;
    this.#outgoing.start();
    await this.#notifications.start();
  }
}

const streamStatement = `
  SELECT ${eventColumns} FROM svc_events event WHERE stream_id = $1 AND position >= $2 ORDER BY position LIMIT $3`;

const lastPositionStatement = 'SELECT position FROM svc_events WHERE stream_id = $1 ORDER BY position DESC LIMIT 1';

const positionOfStatement = 'SELECT position FROM svc_events WHERE stream_id = $1 AND id = $2';

function closed(): ServiceError {
  return new ServiceError('SVC_STORAGE_CLOSED', 'The storage is closed. Open a new one.');
}
