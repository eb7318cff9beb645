import type { Uuid } from '../json/index.js';
import { ConcurrencyConflictError } from './concurrency-conflict-error.js';
import type { CommitRecord, PendingEvent, Storage, StoredEvent } from './storage.js';

/** Keeps events in this process's memory: for tests and trials, gone with the process. */
export class InMemoryStorage implements Storage {
  readonly #streams = new Map<Uuid, StoredEvent[]>();
  readonly #log: StoredEvent[] = [];

  commit(record: CommitRecord): readonly StoredEvent[] {
    this.#requirePositions(record.events);
    return record.events.map((event) => this.#append(event));
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredEvent> {
    const stream = this.#streams.get(streamId) ?? [];
    for (let i = fromPosition; i < stream.length; i++) yield stream[i]!;
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredEvent> {
    for (let i = afterSequence + 1; i < this.#log.length; i++) yield this.#log[i]!;
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return Promise.resolve(this.#last(streamId));
  }

  #last(streamId: Uuid): number {
    return (this.#streams.get(streamId)?.length ?? 0) - 1;
  }

  /** All positions are checked before anything is kept; events of the same record count for those after them. */
  #requirePositions(events: readonly PendingEvent[]): void {
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

  #append({ streamId, envelope }: PendingEvent): StoredEvent {
    const stream = this.#streams.get(streamId);
    const stored = { streamId, position: stream?.length ?? 0, sequence: this.#log.length, envelope };
    if (stream === undefined) this.#streams.set(streamId, [stored]);
    else stream.push(stored);
    this.#log.push(stored);
    return stored;
  }
}

function requirePosition({ streamId, expectedPosition }: PendingEvent, position: number): void {
  if (expectedPosition !== undefined && expectedPosition !== position) {
    throw new ConcurrencyConflictError(streamId, expectedPosition, position);
  }
}
