import type { Uuid } from '../../json/index.js';
import { isReceived, latestIdIn, tenantOfEvent } from '../../messages/index.js';
import { ConcurrencyConflictError } from '../concurrency-conflict-error.js';
import type { DeadLetterCause, DeadLetterRecord } from '../dead-letter-record.js';
import type { Expiry } from '../expiry.js';
import { IdempotencyKeyInUseError } from '../idempotency-key-in-use-error.js';
import type { IdempotencyRecord } from '../idempotency-record.js';
import { InMemoryPerspectives } from './in-memory-perspectives.js';
import { isInOrder, latestOf } from '../log/event-ids.js';
import { ForeignStreamError } from '../foreign-stream-error.js';
import { LateEventError } from '../late-event-error.js';
import type { EventPlace } from '../log-place.js';
import { MemoryLog } from './memory-log.js';
import { MessageSettledError } from '../message-settled-error.js';
import { OutboxQueue } from './outbox-queue.js';
import { withinPageBytes } from '../database/page-bytes.js';
import type { PerspectiveStanding } from '../perspective-standing.js';
import { StreamIndex } from './stream-index.js';
import type {
  CommitRecord,
  Delivered,
  OutboxLane,
  PendingRecord,
  Storage,
  StoredOutgoing,
  StoredRecord,
} from '../storage.js';

interface KeptResult {
  readonly record: IdempotencyRecord;
  readonly keptAt: number;
}

const nothing: CommitRecord = { events: [], outgoing: [], delivered: null, received: [] };

/**
 * Keeps everything in this process's memory: for tests and trials, gone with the process. No answer of it can get lost, so it does
 * not look whether it has a record already.
 */
export class InMemoryStorage implements Storage {
  readonly perspectives = new InMemoryPerspectives((outgoing) => this.commit({ ...nothing, outgoing }));
  readonly #log = new MemoryLog();
  readonly #streams = new StreamIndex((place) => this.#log.streamIdAt(place));
  readonly #outbox: Readonly<Record<OutboxLane, OutboxQueue<StoredOutgoing>>> = {
    system: new OutboxQueue(),
    transport: new OutboxQueue(),
  };
  readonly #received = new Map<Uuid, number>();
  #latestReceived: Uuid | null = null;
  readonly #deadLetters = new Map<Uuid, DeadLetterRecord>();
  readonly #idempotent = new Map<string, KeptResult>();

  commit(record: CommitRecord, signal?: AbortSignal): void {
    signal?.throwIfAborted();
    const { events, outgoing, delivered, received, idempotency, deadLetters, resolved } = record;
    if (idempotency !== undefined && this.#idempotent.has(idempotency.id)) throw new IdempotencyKeyInUseError();
    this.#requireTenants(events);
    this.#requirePositions(events);
    this.#requireUnsettled(delivered, received);
    this.#requireOrder(events);
    // The audit of an event is an object that has the event with it: to take that from the log each time would cost more than it saves.
    const isAudited = outgoing.some(({ lane, eventId }) => lane === 'system' && eventId !== null);
    const written = events.map((event) => (isAudited ? event : this.#log.write(event)));
    if (resolved !== undefined && !this.#deadLetters.delete(resolved)) throw new MessageSettledError(resolved);
    const first = this.#log.length;
    for (let i = 0; i < events.length; i++) {
      this.#log.add(written[i]!, this.#streams.add(events[i]!.streamId, first + i));
    }
    if (delivered !== null) this.#outbox[delivered.lane].remove(delivered.ids);
    for (const { id, lane, destination, message, note, eventId } of outgoing) {
      const event = eventId === null ? null : this.#eventOf(record, first, eventId);
      this.#outbox[lane].add({ id, lane, destination, message, note, event });
    }
    for (const id of received) {
      this.#received.set(id, Date.now());
      this.#latestReceived = latestOf(this.#latestReceived, id);
    }
    if (idempotency !== undefined) this.#idempotent.set(idempotency.id, { record: idempotency, keptAt: Date.now() });
    for (const letter of deadLetters ?? []) this.#deadLetters.set(letter.id, letter);
  }

  async *readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord> {
    for (const position of positions) {
      const sequence = this.#streams.placeOf(streamId, position);
      if (sequence !== undefined) yield this.#log.at(sequence);
    }
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    for (let position = fromPosition; ; position++) {
      const sequence = this.#streams.placeOf(streamId, position);
      if (sequence === undefined) return;
      yield this.#log.at(sequence);
    }
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    for (let i = afterSequence + 1; i < this.#log.length; i++) yield this.#log.at(i);
  }

  findEvent(eventId: Uuid): Promise<StoredRecord | null> {
    const sequence = this.#log.find(eventId);
    return Promise.resolve(sequence === -1 ? null : this.#log.at(sequence));
  }

  findPlace(eventId: Uuid): Promise<EventPlace | null> {
    const sequence = this.#log.find(eventId);
    return Promise.resolve(sequence === -1 ? null : { sequence, tenant: tenantOfEvent(this.#log.at(sequence)) });
  }

  tenantOf(streamId: Uuid): Promise<string | null> {
    return Promise.resolve(this.#tenantOf(streamId));
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return Promise.resolve(this.#last(streamId));
  }

  positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    const sequence = this.#log.find(eventId);
    const isInStream = sequence !== -1 && this.#log.streamIdAt(sequence) === streamId;
    return Promise.resolve(isInStream ? this.#log.at(sequence).position : -1);
  }

  readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]> {
    const oldest = this.#outbox[lane].oldest(limit, after);
    // What goes to the system stream stays in this memory, and is written only when somebody reads it.
    return Promise.resolve(lane === 'system' ? oldest : withinPageBytes(oldest, bodyLength));
  }

  findIdempotent(id: string, maxAgeMs: number): Promise<IdempotencyRecord | null> {
    const kept = this.#idempotent.get(id);
    if (kept === undefined) return Promise.resolve(null);
    if (Date.now() - kept.keptAt < maxAgeMs) return Promise.resolve(kept.record);
    this.#idempotent.delete(id);
    return Promise.resolve(null);
  }

  readDeadLetters(after: Uuid | null, limit: number): Promise<readonly DeadLetterRecord[]> {
    const letters = [...this.#deadLetters.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return Promise.resolve(letters.filter(({ id }) => after === null || id > after).slice(0, limit));
  }

  findDeadLetter(id: Uuid): Promise<DeadLetterRecord | null> {
    return Promise.resolve(this.#deadLetters.get(id) ?? null);
  }

  countDeadLetters(causes: readonly DeadLetterCause[], most: number): Promise<number> {
    const count = [...this.#deadLetters.values()].filter(({ cause }) => causes.includes(cause)).length;
    return Promise.resolve(Math.min(count, most));
  }

  /** Both are in the order in which they came. */
  forgetExpired({ receivedMs, idempotencyKeysMs }: Expiry, limit: number): Promise<number> {
    const forgotten = forgetOldest(this.#received, (at) => at, receivedMs, limit);
    return Promise.resolve(
      forgotten + forgetOldest(this.#idempotent, ({ keptAt }) => keptAt, idempotencyKeysMs, limit),
    );
  }

  readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    const standings = perspectives.map(async (perspective) => {
      const { sequence } = await this.perspectives.readProgress(perspective);
      const stopped = (await this.perspectives.readStopped(perspective)).length;
      const behind = this.#log.length - 1 - sequence;
      const oldest = behind > 0 ? this.#log.at(sequence + 1).timestamp : null;
      return { perspective, stopped, behind: Math.min(behind, limit), oldest };
    });
    return Promise.all(standings);
  }

  #last(streamId: Uuid): number {
    return this.#streams.count(streamId) - 1;
  }

  #tenantOf(streamId: Uuid): string | null {
    const first = this.#streams.placeOf(streamId, 0);
    return first === undefined ? null : tenantOfEvent(this.#log.at(first));
  }

  #requireTenants(events: readonly PendingRecord[]): void {
    for (const event of events) {
      if (event.sameTenant !== true) continue;
      const owner = this.#tenantOf(event.streamId);
      if (owner !== null && owner !== tenantOfEvent(event)) throw new ForeignStreamError(event.streamId);
    }
  }

  /** All positions are checked before anything is kept; events of the same record count for those after them. */
  #requirePositions(events: readonly PendingRecord[]): void {
    if (events.length === 1) {
      requirePosition(events[0]!, () => this.#last(events[0]!.streamId));
      return;
    }
    if (events.every(({ expectedPosition }) => expectedPosition === undefined)) return;
    const reached = new Map<Uuid, number>();
    for (const event of events) {
      const position = reached.get(event.streamId) ?? this.#last(event.streamId);
      requirePosition(event, () => position);
      reached.set(event.streamId, position + 1);
    }
  }

  #requireOrder(events: readonly PendingRecord[]): void {
    const late = new Map<Uuid, Uuid>();
    for (const event of events) {
      const latest = latestOf(this.#latestIn(event.streamId), isReceived(event) ? null : this.#latestReceived);
      if (latest !== null && !isInOrder(event, latest)) late.set(event.streamId, latest);
    }
    if (late.size > 0) throw new LateEventError(late);
  }

  #latestIn(streamId: Uuid): Uuid | null {
    const last = this.#streams.placeOf(streamId, this.#last(streamId));
    return last === undefined ? null : latestIdIn(this.#log.at(last));
  }

  #requireUnsettled(delivered: Delivered | null, received: readonly Uuid[]): void {
    const settled =
      (delivered === null ? undefined : this.#outbox[delivered.lane].missing(delivered.ids)) ??
      received.find((id) => this.#received.has(id));
    if (settled !== undefined) throw new MessageSettledError(settled);
  }

  /** The event that an outgoing message is about: mostly one of its own record, the first of which has that sequence number. */
  #eventOf({ events }: CommitRecord, first: number, id: Uuid): StoredRecord {
    const index = events.findIndex((event) => event.id === id);
    const sequence = index === -1 ? this.#log.find(id) : first + index;
    if (sequence === -1) throw new TypeError(`An outgoing message is about the event ${id}, which is not kept.`);
    return this.#log.at(sequence);
  }
}

function bodyLength({ event, message }: StoredOutgoing): number {
  return (event ?? message!).body.length;
}

function forgetOldest<K, V>(items: Map<K, V>, timeOf: (item: V) => number, maxAgeMs: number, limit: number): number {
  let forgotten = 0;
  for (const [key, item] of items) {
    if (forgotten === limit || Date.now() - timeOf(item) < maxAgeMs) break;
    items.delete(key);
    forgotten++;
  }
  return forgotten;
}

function requirePosition({ streamId, expectedPosition }: PendingRecord, last: () => number): void {
  if (expectedPosition === undefined) return;
  const position = last();
  if (expectedPosition !== position) throw new ConcurrencyConflictError(streamId, expectedPosition, position);
}
