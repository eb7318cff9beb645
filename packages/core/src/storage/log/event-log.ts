import { ServiceError } from '../../errors/index.js';
import { withoutMarks, type Uuid } from '../../json/index.js';
import { observeId, type MessageClass, type MessageEnvelope, type MessageRegistry } from '../../messages/index.js';
import type { DeadLetterCause, DeadLetterRecord } from '../dead-letter-record.js';
import { publishAppended } from './appended-channel.js';
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
import { typeWithoutClass } from './type-without-class.js';

/** How often a record gets new ids while other hosts append to the same streams. Each time another host has committed, so there is progress. */
const mostRenewals = 500;

/** The unit of work whose record is committed. */
export interface CommitObserver {
  /** Cancels the record if its commit has not started. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the record that is committed instead: its events have new ids. */
  renewed(record: CommitRecord): void;
}

/** Called with every committed record. */
export type CommitListener = (record: CommitRecord) => void;

/** A sequence number after which there are never events. */
export const behindEverything = Number.MAX_SAFE_INTEGER;

/**
 * Reads and appends typed events over a storage. Events are stored as JSON, written at once and read as new instances, so no code can change
 * a stored event.
 */
export class EventLog {
  readonly #storage: Storage;
  readonly #replay: StorageReplay;
  readonly #messages: MessageRegistry;
  readonly #listeners: CommitListener[] = [];
  readonly #mayAppendAtOnce: boolean;
  #systemAtOnce: () => boolean = () => false;

  constructor(storage: Storage, messages: MessageRegistry) {
    this.#storage = storage;
    this.#replay = replayOf(storage);
    this.#mayAppendAtOnce = storage.systemDelivery?.isAtOnce === true;
    this.#messages = messages;
  }

  onCommit(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  /** While the condition is true, a storage that can appends system events in the commit that queues them. */
  appendSystemEventsAtOnceIf(condition: () => boolean): void {
    this.#systemAtOnce = condition;
  }

  /** Commits a record atomically. Returns a promise only if the storage does; `onFailure` handles its rejection. */
  commit(
    record: CommitRecord,
    observer?: CommitObserver,
    onFailure?: (error: unknown) => Promise<never>,
  ): void | Promise<void> {
    const systemAtOnce = record.outgoing.length > 0 && this.#mayAppendAtOnce && this.#systemAtOnce();
    const committed = systemAtOnce ? { ...record, systemAtOnce } : record;
    if (!isOrdered(committed)) return this.#renew(committed, new Map(), observer, onFailure, 0);
    return this.#attempt(committed, observer, onFailure, 0);
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

  /** Commits a record with new ids, because its streams have events with greater ids. */
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

  /** The event with an id; null: there is none. */
  async findEvent(eventId: Uuid): Promise<StoredEvent | null> {
    const record = await this.findRecord(eventId);
    return record === null ? null : this.observed(record);
  }

  /** The record of an event; its body is parsed only by `observed`. */
  findRecord(eventId: Uuid): Promise<StoredRecord | null> {
    return this.#storage.findEvent(eventId);
  }

  /** All records, for the host itself: without authorization, and with bodies that only `toEvent` parses. */
  readRecords(afterSequence: number): AsyncIterable<StoredRecord> {
    return afterSequence === behindEverything ? nothing() : this.#storage.readAll(afterSequence);
  }

  /** The records of some types in pages. A page without any of them is not the end of the log. */
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

  /** The place of each stream's last event of some types, in the order of the log. */
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

  /** The tenant of a stream, '' for none; null: there is no such stream. */
  tenantOf(streamId: Uuid): Promise<string | null> {
    return this.#storage.tenantOf(streamId);
  }

  /** The place of the event with a sequence number; -1: the place before every event. */
  async placeAt(sequence: number): Promise<LogPlace> {
    return sequence < 0 ? beforeEverything : await this.#storage.placeAt(sequence);
  }

  /** The stored types of classes. Throws if one is not registered. */
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

  /** Makes the database append the waiting messages to the system stream, and returns their number; null: it lacks the capability. */
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
      body: this.#messages.write(envelope.payload),
      timestamp: envelope.timestamp.getTime(),
      correlationId: envelope.correlationId,
      causationId: envelope.causationId,
      scope: envelope.scope,
      metadata: this.#messages.withVersion(envelope.type, envelope.metadata),
      expectedPosition: options?.expectedPosition === 'any' ? undefined : options?.expectedPosition,
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

  /** The event of a record that a caller reads. Ids created afterwards are greater. */
  observed(record: StoredRecord): StoredEvent {
    observeId(record.id);
    return this.toEvent(record);
  }

  toEvent(record: StoredRecord): StoredEvent {
    return new EventOfRecord(record, this.#read(record));
  }

  /** The event of a record, with a replacement for a payload that cannot be read. */
  toEventOr(record: StoredRecord | ParsedRecord, replace: (error: unknown) => object): StoredEvent {
    let payload: object;
    try {
      payload = this.#read(record);
    } catch (error) {
      payload = replace(error);
    }
    return new EventOfRecord(record, payload);
  }

  /** Throws if the event cannot be read, or has properties that its class does not have. */
  requireKnown(record: StoredRecord): void {
    this.#read(record, false);
  }

  /** A newer version of the service may have stored an event with more properties: it must be possible to roll that version back. */
  #read(record: StoredRecord | ParsedRecord, passUnknown = true): object {
    const { type, metadata } = record;
    if (this.#messages.findType(type) === undefined) throw typeWithoutClass(type);
    const content: unknown = 'body' in record ? JSON.parse(withoutMarks(record.body)) : record.content;
    return this.#messages.readStoredMessage(type, content, metadata, passUnknown);
  }

  #tell(record: CommitRecord): void {
    for (const listener of this.#listeners) listener(record);
    publishAppended(record);
  }
}

async function* nothing(): AsyncIterable<StoredRecord> {}
