import { ServiceError } from '../../errors/index.js';
import { flat, type Uuid } from '../../json/index.js';
import { observeId, type MessageClass, type MessageEnvelope, type MessageRegistry } from '../../messages/index.js';
import type { DeadLetterCause, DeadLetterRecord } from '../dead-letter-record.js';
import { isOrdered, withNewIds } from './event-ids.js';
import { EventOfRecord } from './event-of-record.js';
import type { AppendOptions, StoredEvent, StreamStart } from './event-store.js';
import { LateEventError } from '../late-event-error.js';
import { beforeEverything, type EventPlace, type LogPlace } from '../log-place.js';
import { unlessAborted } from '../../background/index.js';
import { replayOf, type ReplayPage, type StorageReplay } from '../capabilities/replay.js';
import type { CommitRecord } from '../commit-record.js';
import type { ParsedRecord, PendingRecord, StoredRecord } from '../event-record.js';
import type { OutboxLane, StoredOutgoing } from '../outgoing-record.js';
import type { Storage } from '../storage.js';

/** How often one record gets new ids while other hosts append to the same streams. Each time another host was faster, so the hosts together go on. */
const mostRenewals = 500;

/** Whose record is committed. */
export interface CommitObserver {
  /** Gives the record up while its commit has not begun. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the record that is committed instead: its events have new ids. */
  renewed(record: CommitRecord): void;
}

/** Told of every record once it is kept. */
export type CommitListener = (record: CommitRecord) => void;

/** A sequence number behind which there is never anything. */
export const behindEverything = Number.MAX_SAFE_INTEGER;

/**
 * Typed messages over a database. What is kept is JSON text, written at once and read back as new instances: nobody can change an
 * event after it happened.
 */
export class EventLog {
  readonly #storage: Storage;
  readonly #replay: StorageReplay;
  readonly #messages: MessageRegistry;
  readonly #listeners: CommitListener[] = [];

  constructor(storage: Storage, messages: MessageRegistry) {
    this.#storage = storage;
    this.#replay = replayOf(storage);
    this.#messages = messages;
  }

  onCommit(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  /** Keeps a record whole or not at all; a promise only where the database needs one, which `onFailure` takes over when it rejects. */
  commit(
    record: CommitRecord,
    observer?: CommitObserver,
    onFailure?: (error: unknown) => Promise<never>,
  ): void | Promise<void> {
    if (!isOrdered(record)) return this.#renew(record, new Map(), observer, onFailure, 0);
    return this.#attempt(record, observer, onFailure, 0);
  }

  #attempt(
    record: CommitRecord,
    observer: CommitObserver | undefined,
    onFailure: ((error: unknown) => Promise<never>) | undefined,
    renewals: number,
  ): void | Promise<void> {
    const failed = (error: unknown): void | Promise<void> => {
      if (error instanceof LateEventError && renewals < mostRenewals) {
        return this.#renew(record, error.latest, observer, onFailure, renewals + 1);
      }
      if (onFailure === undefined) throw error;
      return onFailure(error);
    };
    let committing: void | Promise<void>;
    try {
      const signal = observer?.signal;
      signal?.throwIfAborted();
      committing = this.#storage.commit(record, signal);
    } catch (error) {
      return failed(error);
    }
    if (committing !== undefined) return committing.then(() => this.#tell(record), failed);
    this.#tell(record);
    return undefined;
  }

  /** Commits it with new ids: its streams have events whose ids are greater. */
  #renew(
    record: CommitRecord,
    latest: ReadonlyMap<Uuid, Uuid>,
    observer: CommitObserver | undefined,
    onFailure: ((error: unknown) => Promise<never>) | undefined,
    renewals: number,
  ): void | Promise<void> {
    for (const id of latest.values()) observeId(id);
    const renewed = withNewIds(record, latest);
    observer?.renewed(renewed);
    return this.#attempt(renewed, observer, onFailure, renewals);
  }

  async *readStream(streamId: Uuid, from: StreamStart = 0): AsyncIterable<StoredEvent> {
    const fromPosition = typeof from === 'number' ? from : await this.#positionAfter(streamId, from.afterEvent);
    for await (const record of this.#storage.readStream(streamId, fromPosition)) {
      yield this.observed(record);
    }
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredEvent> {
    for await (const record of this.#storage.readAll(afterSequence)) {
      yield this.observed(record);
    }
  }

  /** One event by its id; null when there is none. */
  async findEvent(eventId: Uuid): Promise<StoredEvent | null> {
    const record = await this.findRecord(eventId);
    return record === null ? null : this.observed(record);
  }

  /** The same as it is stored: its body is read only by `observed`. */
  findRecord(eventId: Uuid): Promise<StoredRecord | null> {
    return this.#storage.findEvent(eventId);
  }

  /** Records as they are kept, for the host itself: nobody is asked whether they may, and bodies are read only by `toEvent`. */
  readRecords(afterSequence: number): AsyncIterable<StoredRecord> {
    return afterSequence === behindEverything ? nothing() : this.#storage.readAll(afterSequence);
  }

  /** The same in pages, none of them empty. */
  async *readPages(afterSequence: number, pageSize: number): AsyncIterable<readonly StoredRecord[]> {
    if (afterSequence !== behindEverything) yield* this.#replay.readPages(afterSequence, pageSize);
  }

  /** Those of some types alone. Pages may have none of them, and be no end. */
  async *readReplayPages(
    afterSequence: number,
    pageSize: number,
    types: ReadonlySet<string>,
  ): AsyncIterable<ReplayPage> {
    if (afterSequence !== behindEverything) yield* this.#replay.readReplayPages(afterSequence, pageSize, [...types]);
  }

  /** How many events of some types there are up to a place. */
  async countEvents(types: ReadonlySet<string>, upTo: LogPlace, signal?: AbortSignal): Promise<number> {
    return upTo.sequence < 0 ? 0 : await unlessAborted(this.#replay.countEvents([...types], upTo, signal), signal);
  }

  /** Where each stream has its last event of some types, in the order of reading. */
  async readStreamEnds(types: ReadonlySet<string>, signal?: AbortSignal): Promise<readonly LogPlace[]> {
    return await unlessAborted(this.#replay.readStreamEnds([...types], signal), signal);
  }

  readStreamRecords(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    return this.#storage.readStream(streamId, fromPosition);
  }

  readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord> {
    return this.#storage.readPositions(streamId, positions);
  }

  findPlace(eventId: Uuid): Promise<EventPlace | null> {
    return this.#storage.findPlace(eventId);
  }

  /** The tenant that a stream belongs to, '' for none; null when there is no such stream. */
  tenantOf(streamId: Uuid): Promise<string | null> {
    return this.#storage.tenantOf(streamId);
  }

  /** The place of the event with a sequence number; -1: in front of every event. */
  async placeAt(sequence: number): Promise<LogPlace> {
    return sequence < 0 ? beforeEverything : await this.#storage.placeAt(sequence);
  }

  /** The names under which classes are kept; an unregistered one is an error. */
  typesOf(classes: readonly MessageClass[]): ReadonlySet<string> {
    return new Set(classes.map((messageClass) => this.#messages.ofClass(messageClass).type));
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return this.#storage.lastPosition(streamId);
  }

  positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    return this.#storage.positionOf(streamId, eventId);
  }

  readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]> {
    return this.#storage.readOutgoing(lane, limit, after);
  }

  /** Lets the database append to the system stream what waits for it, and says how many that were; null when it cannot. */
  async deliverSystemEvents(limit: number): Promise<number | null> {
    const { systemDelivery } = this.#storage;
    if (systemDelivery === undefined) return null;
    let delivered = 0;
    for (const count of (await systemDelivery.deliver(limit)).values()) delivered += count;
    return delivered;
  }

  readDeadLetters(after: Uuid | null, limit: number): Promise<readonly DeadLetterRecord[]> {
    return this.#storage.readDeadLetters(after, limit);
  }

  findDeadLetter(id: Uuid): Promise<DeadLetterRecord | null> {
    return this.#storage.findDeadLetter(id);
  }

  /** How many dead letters have one of these causes, counted up to `most`. */
  countDeadLetters(causes: readonly DeadLetterCause[], most: number): Promise<number> {
    return this.#storage.countDeadLetters(causes, most);
  }

  /** Writes an event for a stream. `sameTenant`: whether the stream must belong to the tenant of the event. */
  eventRecord(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions, sameTenant = false): PendingRecord {
    return {
      id: envelope.id,
      type: envelope.type,
      streamId,
      body: flat(this.#messages.of(envelope.payload).write(envelope.payload)),
      timestamp: envelope.timestamp.getTime(),
      correlationId: envelope.correlationId,
      causationId: envelope.causationId,
      scope: envelope.scope,
      metadata: this.#messages.withVersion(envelope.type, envelope.metadata),
      expectedPosition: options?.expectedPosition,
      sameTenant,
    };
  }

  async #positionAfter(streamId: Uuid, eventId: Uuid): Promise<number> {
    const position = await this.#storage.positionOf(streamId, eventId);
    if (position === -1) throw this.unknownEvent(streamId, eventId);
    return position + 1;
  }

  unknownEvent(streamId: Uuid, eventId: Uuid): ServiceError {
    return new ServiceError(
      'SVC_UNKNOWN_EVENT',
      `Cannot read stream ${streamId} after event ${eventId}: the stream has no such event. Pass the id of an event of this stream.`,
    );
  }

  /** The event of a record that a caller reads: what follows from it has a greater id. */
  observed(record: StoredRecord): StoredEvent {
    observeId(record.id);
    return this.toEvent(record);
  }

  toEvent(record: StoredRecord): StoredEvent {
    return new EventOfRecord(record, this.#read(record));
  }

  /** The same, with something else in the place of a payload that cannot be read. */
  toEventOr(record: StoredRecord | ParsedRecord, replace: (error: unknown) => object): StoredEvent {
    let payload: object;
    try {
      payload = this.#read(record);
    } catch (error) {
      payload = replace(error);
    }
    return new EventOfRecord(record, payload);
  }

  #read(record: StoredRecord | ParsedRecord): object {
    const { type, metadata } = record;
    return this.#messages.readKept(type, 'body' in record ? JSON.parse(record.body) : record.content, metadata);
  }

  #tell(record: CommitRecord): void {
    for (const listener of this.#listeners) listener(record);
  }
}

async function* nothing(): AsyncIterable<StoredRecord> {}
