import type { Uuid } from '../json/index.js';
import { ConcurrencyConflictError } from './concurrency-conflict-error.js';
import { DuplicateEventError } from './duplicate-event-error.js';
import { MessageSettledError } from './message-settled-error.js';
import type {
  CommitRecord,
  OutboxLane,
  OutgoingRecord,
  PendingRecord,
  Storage,
  StoredOutgoing,
  StoredRecord,
} from './storage.js';

/** Keeps everything in this process's memory: for tests and trials, gone with the process. */
export class InMemoryStorage implements Storage {
  readonly #streams = new Map<Uuid, StoredRecord[]>();
  readonly #log: StoredRecord[] = [];
  /** Maps remember the order in which their entries came. */
  readonly #outbox: Record<OutboxLane, Map<Uuid, StoredOutgoing>> = { system: new Map(), transport: new Map() };
  readonly #received = new Set<Uuid>();
  readonly #byId = new Map<Uuid, StoredRecord>();

  commit({ events, outgoing, delivered, received }: CommitRecord): void {
    const known = this.#firstKnown(events);
    if (this.#isKept(known, events, outgoing)) return;
    this.#requireUnsettled(delivered, received);
    if (known !== undefined) throw new DuplicateEventError(known.id);
    this.#requirePositions(events);
    const stored = events.length === 1 ? [this.#append(events[0]!)] : events.map((event) => this.#append(event));
    for (const id of delivered) {
      this.#outbox.system.delete(id);
      this.#outbox.transport.delete(id);
    }
    for (const message of outgoing) {
      this.#outbox[message.lane].set(message.id, toStored(message, events, stored));
    }
    for (const id of received) this.#received.add(id);
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

  positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    const event = this.#byId.get(eventId);
    return Promise.resolve(event?.streamId === streamId ? event.position : -1);
  }

  readOutgoing(lane: OutboxLane, limit: number): Promise<readonly StoredOutgoing[]> {
    const oldest: StoredOutgoing[] = [];
    for (const message of this.#outbox[lane].values()) {
      if (oldest.length === limit) break;
      oldest.push(message);
    }
    return Promise.resolve(oldest);
  }

  #last(streamId: Uuid): number {
    return (this.#streams.get(streamId)?.length ?? 0) - 1;
  }

  #firstKnown(events: readonly PendingRecord[]): PendingRecord | undefined {
    return events.find(({ id }) => this.#byId.has(id));
  }

  /** Whether the record was kept before: the ids of all its events say so, or, when it has none, those of its messages. */
  #isKept(
    known: PendingRecord | undefined,
    events: readonly PendingRecord[],
    outgoing: readonly OutgoingRecord[],
  ): boolean {
    if (events.length > 0) {
      return known !== undefined && events.every(({ id, streamId }) => this.#byId.get(id)?.streamId === streamId);
    }
    return outgoing.length > 0 && outgoing.every(({ id, lane }) => this.#outbox[lane].has(id) || this.#byId.has(id));
  }

  /** All positions are checked before anything is kept; events of the same record count for those after them. */
  #requirePositions(events: readonly PendingRecord[]): void {
    if (events.every(({ expectedPosition }) => expectedPosition === undefined)) return;
    const reached = new Map<Uuid, number>();
    for (const { streamId, expectedPosition } of events) {
      const position = reached.get(streamId) ?? this.#last(streamId);
      if (expectedPosition !== undefined && expectedPosition !== position) {
        throw new ConcurrencyConflictError(streamId, expectedPosition, position);
      }
      reached.set(streamId, position + 1);
    }
  }

  #requireUnsettled(delivered: readonly Uuid[], received: readonly Uuid[]): void {
    const { system, transport } = this.#outbox;
    const settled =
      delivered.find((id) => !system.has(id) && !transport.has(id)) ?? received.find((id) => this.#received.has(id));
    if (settled !== undefined) throw new MessageSettledError(settled);
  }

  #append({
    id,
    type,
    streamId,
    body,
    timestamp,
    correlationId,
    causationId,
    scope,
    metadata,
  }: PendingRecord): StoredRecord {
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
    this.#byId.set(id, stored);
    return stored;
  }
}

function toStored(
  { id, lane, destination, message, event }: OutgoingRecord,
  events: readonly PendingRecord[],
  stored: readonly StoredRecord[],
): StoredOutgoing {
  return { id, lane, destination, message, event: event === null ? null : stored[events.indexOf(event)]! };
}

/** A text put together of parts stays a tree of them, many times its size, until somebody looks inside. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
