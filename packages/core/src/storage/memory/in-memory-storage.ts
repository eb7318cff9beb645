import type { Uuid } from '../../json/index.js';
import { isReceived, latestIdIn, tenantOfEvent } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import { ConcurrencyConflictError } from '../concurrency-conflict-error.js';
import { withinPageBytes } from '../database/page-bytes.js';
import type { DeadLetterCause, DeadLetterRecord } from '../dead-letter-record.js';
import type { PendingRecord, StoredRecord } from '../event-record.js';
import type { Expiry } from '../expiry.js';
import { ForeignStreamError } from '../foreign-stream-error.js';
import { IdempotencyKeyInUseError } from '../idempotency-key-in-use-error.js';
import type { IdempotentResult } from '../idempotency-record.js';
import { LateEventError } from '../late-event-error.js';
import { isInOrder, latestOf } from '../log/event-ids.js';
import type { EventPlace, LogPlace } from '../log-place.js';
import { MessageSettledError } from '../message-settled-error.js';
import type { OutboxLane, OutgoingRecord, StoredOutgoing } from '../outgoing-record.js';
import type { Storage } from '../storage.js';
import { InMemoryAudit } from './in-memory-audit.js';
import { InMemoryPerspectives } from './in-memory-perspectives.js';
import { InMemoryProcesses } from './in-memory-processes.js';
import { InMemoryReactions } from './in-memory-reactions.js';
import { InMemorySchedule } from './in-memory-schedule.js';
import { InMemorySeals } from './in-memory-seals.js';
import { InMemorySnapshots } from './in-memory-snapshots.js';
import { InMemoryBacklog } from './in-memory-backlog.js';
import { InMemoryHosts } from './in-memory-hosts.js';
import { InMemorySubjectKeys } from './in-memory-subject-keys.js';
import { copiedEvent, copiedJson, copiedMessage, recordOf, type LogEntry } from './log-entry.js';

interface StoredResult {
  readonly record: IdempotentResult;
  readonly storedAt: number;
}

const nothing: CommitRecord = { events: [], outgoing: [], delivered: null, received: [] };

/** Stores everything in the memory of this process, for tests and trials. The data are lost when the process ends. */
export class InMemoryStorage implements Storage {
  readonly perspectives = new InMemoryPerspectives({
    queue: (outgoing) => this.commit({ ...nothing, outgoing }),
    readAfter: (sequence) => this.readAll(sequence),
  });
  readonly schedule = new InMemorySchedule();
  readonly hosts = new InMemoryHosts();
  readonly snapshots = new InMemorySnapshots();
  readonly seals = new InMemorySeals((outgoing) => this.commit({ ...nothing, outgoing }));
  /** The sequence number of an event is its index. */
  readonly #log: LogEntry[] = [];
  readonly reactions = new InMemoryReactions(this.#log);
  readonly processes = new InMemoryProcesses();
  readonly audit = new InMemoryAudit(this.#log);
  readonly subjectKeys = new InMemorySubjectKeys((isEncrypted) => ({
    snapshots: this.snapshots.remove(isEncrypted),
    results: removeFrom(this.#idempotent, ({ record }) => isEncrypted(record.result)),
    deadLetters: removeFrom(this.#deadLetters, ({ message }) => isEncrypted(message.body)),
  }));
  readonly #streams = new Map<Uuid, LogEntry[]>();
  readonly #byId = new Map<Uuid, LogEntry>();
  /** In the order of their commits, as are the maps below. */
  readonly #outbox: Readonly<Record<OutboxLane, Map<Uuid, OutgoingRecord>>> = {
    system: new Map(),
    transport: new Map(),
  };
  readonly #received = new Map<Uuid, number>();
  #latestReceived: Uuid | null = null;
  readonly #deadLetters = new Map<Uuid, DeadLetterRecord>();
  readonly backlog = new InMemoryBacklog(this.#outbox, this.#deadLetters);
  readonly #idempotent = new Map<string, StoredResult>();

  open(): Promise<void> {
    return Promise.resolve();
  }

  /** Releases nothing: another service of this process may use the same storage. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  commit(record: CommitRecord, signal?: AbortSignal): void {
    signal?.throwIfAborted();
    this.#require(record);
    // Copy first: a value that JSON cannot express throws before anything is stored.
    const events = record.events.map(copiedEvent);
    const outgoing = record.outgoing.map((one) =>
      one.message === null ? one : { ...one, message: copiedMessage(one.message) },
    );
    const deadLetters = record.deadLetters?.map(copiedJson) ?? [];
    const { delivered, received, idempotency, resolved, schedules } = record;
    const scheduled = schedules?.added.map((one) => ({ ...one, message: copiedMessage(one.message) })) ?? [];
    if (schedules !== undefined) this.schedule.commit({ ...schedules, added: scheduled });
    for (const event of events) {
      const stream = this.#streams.get(event.streamId);
      const entry = { event, position: stream?.length ?? 0, sequence: this.#log.length };
      this.#log.push(entry);
      this.#byId.set(event.id, entry);
      if (stream === undefined) this.#streams.set(event.streamId, [entry]);
      else stream.push(entry);
    }
    for (const id of delivered?.ids ?? []) this.#outbox[delivered!.lane].delete(id);
    for (const message of outgoing) this.#outbox[message.lane].set(message.id, message);
    for (const id of received) {
      this.#received.set(id, Date.now());
      this.#latestReceived = latestOf(this.#latestReceived, id);
    }
    if (idempotency !== undefined) {
      const result = { ...idempotency, lastEventId: events.at(-1)?.id ?? null };
      this.#idempotent.set(idempotency.id, { record: result, storedAt: Date.now() });
    }
    if (resolved !== undefined) this.#deadLetters.delete(resolved);
    for (const letter of deadLetters) this.#deadLetters.set(letter.id, letter);
    this.reactions.commit(record);
    if (record.step !== undefined) this.processes.commit(record.step);
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    const stream = this.#streams.get(streamId) ?? [];
    for (let position = fromPosition; position < stream.length; position++) yield recordOf(stream[position]!);
  }

  async *readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord> {
    const stream = this.#streams.get(streamId) ?? [];
    for (const position of positions) if (position < stream.length) yield recordOf(stream[position]!);
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    for (let sequence = Math.max(0, afterSequence + 1); sequence < this.#log.length; sequence++)
      yield recordOf(this.#log[sequence]!);
  }

  readingStall(): Promise<null> {
    return Promise.resolve(null);
  }

  findEvent(eventId: Uuid): Promise<StoredRecord | null> {
    const entry = this.#byId.get(eventId);
    return Promise.resolve(entry === undefined ? null : recordOf(entry));
  }

  findPlace(eventId: Uuid): Promise<EventPlace | null> {
    const entry = this.#byId.get(eventId);
    if (entry === undefined) return Promise.resolve(null);
    return Promise.resolve({ sequence: entry.sequence, tenant: tenantOfEvent(entry.event) });
  }

  placeAt(sequence: number): Promise<LogPlace> {
    return Promise.resolve({ sequence });
  }

  tenantOf(streamId: Uuid): Promise<string | null> {
    return Promise.resolve(this.#tenantOf(streamId));
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return Promise.resolve(this.#last(streamId));
  }

  positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    const entry = this.#byId.get(eventId);
    return Promise.resolve(entry?.event.streamId === streamId ? entry.position : -1);
  }

  readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]> {
    const messages = this.#outbox[lane];
    if (after !== undefined && !messages.has(after)) return Promise.resolve([]);
    const oldest: StoredOutgoing[] = [];
    let isBehind = after === undefined;
    for (const message of messages.values()) {
      if (oldest.length === limit) break;
      if (isBehind) oldest.push(this.#storedOutgoing(message));
      isBehind ||= message.id === after;
    }
    // Messages for the system stream stay in this memory and are written only when they are read.
    return Promise.resolve(lane === 'system' ? oldest : withinPageBytes(oldest, bodyLength));
  }

  findIdempotent(id: string, maxAgeMs: number): Promise<IdempotentResult | null> {
    const stored = this.#idempotent.get(id);
    if (stored === undefined) return Promise.resolve(null);
    if (Date.now() - stored.storedAt < maxAgeMs) return Promise.resolve(stored.record);
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

  forgetExpired({ receivedMs, idempotencyKeysMs }: Expiry, limit: number): Promise<number> {
    const received = deleteOldest(this.#received, (at) => at, receivedMs, limit);
    return Promise.resolve(
      received + deleteOldest(this.#idempotent, ({ storedAt }) => storedAt, idempotencyKeysMs, limit),
    );
  }

  /** Throws if a record must not be committed, before anything is stored. */
  #require(record: CommitRecord): void {
    const { events, outgoing, delivered, received, idempotency, resolved, schedules } = record;
    if (idempotency !== undefined && this.#idempotent.has(idempotency.id)) throw new IdempotencyKeyInUseError();
    this.#requireTenants(events);
    this.#requirePositions(events);
    const settled =
      delivered?.ids.find((id) => !this.#outbox[delivered.lane].has(id)) ??
      received.find((id) => this.#received.has(id)) ??
      (resolved !== undefined && !this.#deadLetters.has(resolved) ? resolved : undefined);
    if (settled !== undefined) throw new MessageSettledError(settled);
    if (schedules !== undefined) this.schedule.require(schedules);
    this.reactions.require(record);
    this.#requireOrder(events);
    for (const { eventId } of outgoing) {
      if (eventId === null || this.#byId.has(eventId) || events.some(({ id }) => id === eventId)) continue;
      throw new TypeError(`Cannot commit an outgoing message about the event ${eventId}: the event is not stored.`);
    }
  }

  #requireTenants(events: readonly PendingRecord[]): void {
    for (const event of events) {
      if (event.sameTenant !== true) continue;
      const owner = this.#tenantOf(event.streamId);
      if (owner !== null && owner !== tenantOfEvent(event)) throw new ForeignStreamError(event.streamId);
    }
  }

  /** Earlier events of the record count for later ones. */
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

  #requireOrder(events: readonly PendingRecord[]): void {
    let late: Map<Uuid, Uuid> | undefined;
    for (const event of events) {
      const last = this.#streams.get(event.streamId)?.at(-1);
      const inStream = last === undefined ? null : latestIdIn(last.event);
      const latest = latestOf(inStream, isReceived(event) ? null : this.#latestReceived);
      if (latest !== null && !isInOrder(event, latest)) (late ??= new Map()).set(event.streamId, latest);
    }
    if (late !== undefined) throw new LateEventError(late);
  }

  #last(streamId: Uuid): number {
    return (this.#streams.get(streamId)?.length ?? 0) - 1;
  }

  #tenantOf(streamId: Uuid): string | null {
    const first = this.#streams.get(streamId)?.[0];
    return first === undefined ? null : tenantOfEvent(first.event);
  }

  #storedOutgoing({ id, lane, destination, message, note, eventId }: OutgoingRecord): StoredOutgoing {
    const event = eventId === null ? null : recordOf(this.#byId.get(eventId)!);
    return { id, lane, destination, message, note, event };
  }
}

function bodyLength({ event, message }: StoredOutgoing): number {
  return (event ?? message!).body.length;
}

function deleteOldest<K, V>(items: Map<K, V>, timeOf: (item: V) => number, maxAgeMs: number, limit: number): number {
  let deleted = 0;
  for (const [key, item] of items) {
    if (deleted === limit || Date.now() - timeOf(item) < maxAgeMs) break;
    items.delete(key);
    deleted++;
  }
  return deleted;
}

function removeFrom<TKey, TValue>(map: Map<TKey, TValue>, isRemoved: (value: TValue) => boolean): number {
  const removed = [...map].filter(([, value]) => isRemoved(value));
  for (const [key] of removed) map.delete(key);
  return removed.length;
}
