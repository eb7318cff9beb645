import type { Uuid } from '../json/index.js';
import type { MessageEnvelope } from '../messages/index.js';

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

/** Everything one unit of work changes: kept whole or not at all. */
export interface CommitRecord {
  readonly events: readonly PendingEvent[];
}

/** What a database implements. */
export interface Storage {
  /** Keeps a record, or throws a `ConcurrencyConflictError` and keeps nothing of it. A storage inside the process need not promise. */
  commit(record: CommitRecord): readonly StoredEvent[] | Promise<readonly StoredEvent[]>;
  /** The events of a stream in order, from a position on. */
  readStream(streamId: Uuid, fromPosition?: number): AsyncIterable<StoredEvent>;
  /** All events in the order they were kept, after a sequence number. */
  readAll(afterSequence?: number): AsyncIterable<StoredEvent>;
  /** The last position of a stream; -1 when it does not exist. */
  lastPosition(streamId: Uuid): Promise<number>;
}
