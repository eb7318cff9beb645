import type { Uuid } from '../json/index.js';
import { ConcurrencyConflictError } from './concurrency-conflict-error.js';
import type { CommitRecord, PendingRecord, Storage, StoredRecord } from './storage.js';

/** Keeps events in this process's memory: for tests and trials, gone with the process. */
export class InMemoryStorage implements Storage {
  readonly #streams = new Map<Uuid, StoredRecord[]>();
  readonly #log: StoredRecord[] = [];

  commit({ events }: CommitRecord): void {
    this.#requirePositions(events);
    for (const event of events) this.#append(event);
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    const stream = this.#streams.get(streamId) ?? [];
    for (let i = fromPosition; i < stream.length; i++) yield stream[i]!;
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    for (let i = afterSequence + 1; i < this.#log.length; i++) yield this.#log[i]!;
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return Promise.resolve(this.#last(streamId));
  }

  #last(streamId: Uuid): number {
    return (this.#streams.get(streamId)?.length ?? 0) - 1;
  }

  /** All positions are checked before anything is kept; events of the same record count for those after them. */
  #requirePositions(events: readonly PendingRecord[]): void {
    if (events.length === 1) {
      requirePosition(events[0]!, this.#last(events[0]!.streamId));
      return;
    }
    const reached = new Map<Uuid, number>();
    for (const event of events) {
      const position = reached.get(event.streamId) ?? this.#last(event.streamId);
      requirePosition(event, position);
      reached.set(event.streamId, position + 1);
    }
  }

  #append({ id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata }: PendingRecord): void {
    const stream = this.#streams.get(streamId);
    const position = stream?.length ?? 0;
    const sequence = this.#log.length;
    const stored: StoredRecord = {
      id,
      type,
      streamId,
      body: flat(body),
      timestamp,
      correlationId,
      causationId,
      scope,
      metadata,
      position,
      sequence,
    };
    if (stream === undefined) this.#streams.set(streamId, [stored]);
    else stream.push(stored);
    this.#log.push(stored);
  }
}

function requirePosition({ streamId, expectedPosition }: PendingRecord, position: number): void {
  if (expectedPosition !== undefined && expectedPosition !== position) {
    throw new ConcurrencyConflictError(streamId, expectedPosition, position);
  }
}

/** A text put together of parts stays a tree of them, many times its size, until somebody looks inside. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
