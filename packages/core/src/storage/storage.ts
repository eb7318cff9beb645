import type { Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';

/** An event as a database keeps it: its body as JSON text, everything else beside it. */
export interface EventRecord {
  readonly id: Uuid;
  readonly type: string;
  readonly streamId: Uuid;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An event on its way into a database. */
export interface PendingRecord extends EventRecord {
  /** The position the stream must have reached (-1: it must not exist yet); undefined: any. */
  readonly expectedPosition: number | undefined;
}

/** An event that is kept: `position` counts from 0 within its stream, `sequence` from 0 over all streams. */
export interface StoredRecord extends EventRecord {
  readonly position: number;
  readonly sequence: number;
}

/** Everything one unit of work changes: kept whole or not at all. */
export interface CommitRecord {
  readonly events: readonly PendingRecord[];
}

/** What a database implements. */
export interface Storage {
  /** Keeps a record, or throws a `ConcurrencyConflictError` and keeps nothing of it. A storage inside the process need not promise. */
  commit(record: CommitRecord): void | Promise<void>;
  /** The events of a stream in order, from a position on. */
  readStream(streamId: Uuid, fromPosition?: number): AsyncIterable<StoredRecord>;
  /** All events in the order they were kept, after a sequence number. */
  readAll(afterSequence?: number): AsyncIterable<StoredRecord>;
  /** The last position of a stream; -1 when it does not exist. */
  lastPosition(streamId: Uuid): Promise<number>;
}
