import { readOrThrow, type Uuid } from '../json/index.js';
import type { MessageEnvelope, MessageRegistry } from '../messages/index.js';
import type { PendingRecord, Storage, StoredRecord } from './storage.js';

/** An event in its stream; `position` counts from 0. */
export interface StreamEvent {
  readonly streamId: Uuid;
  readonly position: number;
  readonly envelope: MessageEnvelope;
}

/** An event as it was kept; `sequence` counts from 0 over all streams. */
export interface StoredEvent extends StreamEvent {
  readonly sequence: number;
}

/** One event on its way into a stream. */
export interface PendingEvent {
  readonly streamId: Uuid;
  readonly envelope: MessageEnvelope;
  /** The position the stream must have reached (-1: it must not exist yet); absent: any. */
  readonly expectedPosition?: number | undefined;
}

/**
 * Typed events over a database. What is kept is JSON text, written at once and read back as new instances: nobody can change an
 * event after it happened.
 */
export class EventStore {
  readonly #storage: Storage;
  readonly #messages: MessageRegistry;

  constructor(storage: Storage, messages: MessageRegistry) {
    this.#storage = storage;
    this.#messages = messages;
  }

  /** Keeps all events or none. */
  commit(events: readonly PendingEvent[]): void | Promise<void> {
    return this.#storage.commit({ events: events.map((event) => this.#toRecord(event)) });
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredEvent> {
    for await (const record of this.#storage.readStream(streamId, fromPosition)) yield this.#toEvent(record);
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredEvent> {
    for await (const record of this.#storage.readAll(afterSequence)) yield this.#toEvent(record);
  }

  /** The last position of a stream; -1 when it does not exist. */
  lastPosition(streamId: Uuid): Promise<number> {
    return this.#storage.lastPosition(streamId);
  }

  #toRecord({ streamId, envelope, expectedPosition }: PendingEvent): PendingRecord {
    return {
      id: envelope.id,
      type: envelope.type,
      streamId,
      body: this.#messages.of(envelope.payload).write(envelope.payload),
      timestamp: envelope.timestamp.getTime(),
      correlationId: envelope.correlationId,
      causationId: envelope.causationId,
      scope: envelope.scope,
      metadata: envelope.metadata,
      expectedPosition,
    };
  }

  #toEvent({ position, sequence, body, timestamp, ...rest }: StoredRecord): StoredEvent {
    const payload = readOrThrow(this.#messages.ofType(rest.type).read, JSON.parse(body)) as object;
    return {
      streamId: rest.streamId,
      position,
      sequence,
      envelope: { ...rest, payload, timestamp: new Date(timestamp) },
    };
  }
}
