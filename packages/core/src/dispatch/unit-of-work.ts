import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { requireUnreserved, SystemEventStream, type MessageEnvelope } from '../messages/index.js';
import {
  type AppendOptions,
  type CommitObserver,
  type CommitRecord,
  ConcurrencyConflictError,
  type DeferredOutboxChannel,
  type GuardedLog,
  type EventStoreDecorator,
  type OutgoingRecord,
  type PendingRecord,
  type ScheduledRecord,
  type ScheduleKey,
  type StoredEvent,
  type StreamEvent,
  type StreamStart,
  type UnitEventStore,
} from '../storage/index.js';
import { combinedSchedules, PendingSchedules } from './pending-schedules.js';
import { ReadPositions } from './read-positions.js';
import type { SeenMessages } from './seen-messages.js';

const none: readonly never[] = Object.freeze([]);

/** The event log of a unit of work: guarded, so that it reaches no stream of another tenant, or the log itself. */
export type UnitLog = Pick<
  GuardedLog,
  'eventRecord' | 'commit' | 'readStream' | 'findEvent' | 'readAll' | 'lastPosition'
>;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What is committed together with the changes of a unit of work. */
export type CommittedAlong = Partial<
  Pick<CommitRecord, 'idempotency' | 'received' | 'resolved' | 'outgoing' | 'schedules' | 'reacted' | 'step'>
>;

/**
 * Collects the changes of one command: events, outgoing messages and scheduled commands. `commit` passes them to the event log in one
 * record; a nested unit passes them to its parent. A unit that has ended accepts no more changes.
 */
export class UnitOfWork implements UnitEventStore, DeferredOutboxChannel, CommitObserver {
  /** The event store to append to: this unit, with the decorators around it. */
  readonly eventStore: UnitEventStore;
  /** What the outermost command and its nested commands have read; null: no message of the service has personal data. */
  readonly seen: SeenMessages | null;
  readonly #log: UnitLog;
  readonly #parent: UnitOfWork | null;
  /** Those of the outermost command: a command may decide from what its nested commands have read. */
  readonly #reads: ReadPositions;
  #events: PendingRecord[] = [];
  readonly #envelopes: MessageEnvelope[] = [];
  #outgoing: OutgoingRecord[] | undefined;
  #schedules: PendingSchedules | undefined;
  #signals: AbortSignal[] | undefined;
  #ended = false;
  #isCommitted = false;

  constructor(
    log: UnitLog,
    parent: UnitOfWork | null,
    decorate: EventStoreDecorator | null,
    seen: SeenMessages | null = null,
  ) {
    this.#log = log;
    this.#parent = parent;
    this.seen = parent === null ? seen : parent.seen;
    this.#reads = parent === null ? new ReadPositions() : parent.#reads;
    this.eventStore = decorate === null ? this : decorate(this, this);
  }

  /** The id of the last appended event; undefined if there is none. */
  get lastEventId(): Uuid | undefined {
    return this.#events.at(-1)?.id;
  }

  /** The combined signal of all appends: a unit is committed as a whole, so one of them cancels all. */
  get signal(): AbortSignal | undefined {
    if (this.#signals === undefined || this.#signals.length === 1) return this.#signals?.[0];
    return AbortSignal.any(this.#signals);
  }

  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void {
    options?.signal?.throwIfAborted();
    if (this.#ended) throw closed(envelope.type, 'appended');
    if (streamId === SystemEventStream.streamId) {
      throw new ServiceError(
        'SVC_SYSTEM_STREAM',
        `Cannot append ${envelope.type} to ${SystemEventStream.name}: only svc writes to this stream. Emit a system event instead.`,
      );
    }
    requireUnreserved(envelope.type, envelope.metadata);
    const event = this.#log.eventRecord(streamId, envelope, options);
    if (options?.expectedPosition === undefined) this.#reads.appended(event);
    this.#events.push(event);
    this.#envelopes.push(envelope);
    if (options?.signal !== undefined) (this.#signals ??= []).push(options.signal);
  }

  queue(message: OutgoingRecord): void {
    if (this.#ended) throw closed(`A message for ${message.destination}`, 'queued');
    if (message.eventId !== null) this.#requireEvent(message.eventId);
    (this.#outgoing ??= []).push(message);
  }

  schedule(record: ScheduledRecord): void {
    if (this.#ended) throw closed(record.message.type, 'scheduled');
    (this.#schedules ??= new PendingSchedules()).add(record);
  }

  cancelScheduled(key: ScheduleKey): void {
    if (this.#ended) throw closed(`The scheduled command "${key.key}"`, 'cancelled');
    (this.#schedules ??= new PendingSchedules()).cancel(key);
  }

  readStream(streamId: Uuid, from: StreamStart = 0): AsyncIterable<StreamEvent> {
    const after = typeof from === 'object' ? this.#pendingIndex(streamId, from.afterEvent) : -1;
    // After an event of this unit, nothing is stored yet. Read now, not while iterating: access is checked for the current actor.
    return this.#withPending(streamId, from, after, after === -1 ? this.#log.readStream(streamId, from) : null);
  }

  async *#withPending(
    streamId: Uuid,
    from: StreamStart,
    after: number,
    stored: AsyncIterable<StreamEvent> | null,
  ): AsyncIterable<StreamEvent> {
    let position = -1;
    for await (const event of stored ?? []) {
      position = event.position;
      this.seen?.note(event.envelope.payload);
      yield event;
    }
    if (position === -1 && from !== 0) position = await this.#positionBefore(streamId, from);
    if (stored !== null) this.#reads.note(streamId, position);
    const pending = this.pendingIn(streamId);
    for (const [i, envelope] of pending.entries()) {
      position++;
      if (i > after && (typeof from !== 'number' || position >= from)) yield { streamId, position, envelope };
    }
  }

  /** The position of the last stored event before a start that no stored event follows. */
  async #positionBefore(streamId: Uuid, from: StreamStart): Promise<number> {
    if (typeof from === 'number') return Math.min(await this.#log.lastPosition(streamId), from - 1);
    const event = await this.#log.findEvent(from.afterEvent);
    return event === null ? await this.#log.lastPosition(streamId) : event.position;
  }

  async findEvent(eventId: Uuid): Promise<StreamEvent | null> {
    const streamId = this.#streamOfPending(eventId);
    if (streamId === null) {
      const found = await this.#log.findEvent(eventId);
      if (found !== null) this.seen?.note(found.envelope.payload);
      return found;
    }
    const index = this.#pendingIndex(streamId, eventId);
    const position = (await this.#log.lastPosition(streamId)) + 1 + index;
    return { streamId, position, envelope: this.pendingIn(streamId)[index]! };
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    const events = this.#log.readAll(afterSequence);
    return this.seen === null ? events : noting(events, this.seen);
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    return (await this.#log.lastPosition(streamId)) + this.pendingIn(streamId).length;
  }

  /** Reads the stored events of a stream from a position, and notes how far. */
  async *readStored(streamId: Uuid, from: number): AsyncIterable<StreamEvent> {
    let position = -1;
    for await (const event of this.#log.readStream(streamId, from)) {
      position = event.position;
      this.seen?.note(event.envelope.payload);
      yield event;
    }
    // Without an event, the end of the stream is known only if it was read from its beginning.
    if (position !== -1 || from === 0) this.#reads.note(streamId, position);
  }

  /** The committed events of a stream, if they follow a position; none as long as the outermost command has not ended. */
  committedAfter(streamId: Uuid, position: number): readonly MessageEnvelope[] {
    if (this.#parent !== null) return this.#parent.committedAfter(streamId, position);
    const events = this.#isCommitted ? this.#events.filter((event) => event.streamId === streamId) : [];
    if (events[0]?.expectedPosition !== position) return [];
    // The commit may have given them new ids.
    return this.pendingIn(streamId).map((envelope, i) => Object.assign({}, envelope, { id: events[i]!.id }));
  }

  /** The events of a stream that this unit and its parents have collected. */
  pendingIn(streamId: Uuid): readonly MessageEnvelope[] {
    const outer = this.#parent === null ? [] : this.#parent.pendingIn(streamId);
    return outer.concat(this.#envelopes.filter((_, i) => this.#events[i]!.streamId === streamId));
  }

  /** Whether the commit failed because a stream has changed since the command read it. */
  isOutdatedBy(error: unknown): boolean {
    return error instanceof ConcurrencyConflictError && this.#reads.isOutdatedBy(error, this.#events);
  }

  /** Commits all changes together with `along`. Returns a promise only if the event log does. */
  commit(along?: CommittedAlong): void | Promise<void> {
    this.#ended = true;
    this.#isCommitted = true;
    const isEmpty = this.#events.length === 0 && this.#outgoing === undefined && this.#schedules === undefined;
    if (isEmpty && along === undefined) return undefined;
    if (this.#parent !== null) return this.#parent.#addNested(this);
    this.#events = this.#reads.expectedBy(this.#events);
    return this.#log.commit(this.#recordWith(along), this);
  }

  /** Sets each property by itself: copying objects takes longer than the rest of a commit in this process. */
  #recordWith(along: CommittedAlong | undefined): CommitRecord {
    const outgoing = this.#outgoing ?? none;
    const record: Writable<CommitRecord> = { events: this.#events, outgoing, delivered: null, received: none };
    const schedules = combinedSchedules(this.#schedules, along?.schedules);
    if (schedules !== undefined) record.schedules = schedules;
    if (along === undefined) return record;
    if (along.outgoing !== undefined) record.outgoing = [...outgoing, ...along.outgoing];
    if (along.received !== undefined) record.received = along.received;
    if (along.idempotency !== undefined) record.idempotency = along.idempotency;
    if (along.resolved !== undefined) record.resolved = along.resolved;
    if (along.reacted !== undefined) record.reacted = along.reacted;
    if (along.step !== undefined) record.step = along.step;
    return record;
  }

  renewed({ events }: CommitRecord): void {
    this.#events = [...events];
  }

  /** Ends the unit without committing its changes. */
  drop(): void {
    this.#ended = true;
    this.#isCommitted = false;
  }

  /** Adds the changes of a nested unit, which have already passed through the decorators. */
  #addNested(nested: UnitOfWork): void {
    const [first] = nested.#events;
    if (this.#ended) throw closed(first?.type ?? 'A message of a nested command', 'passed to the outer command');
    this.#events.push(...nested.#events);
    this.#envelopes.push(...nested.#envelopes);
    if (nested.#outgoing !== undefined) (this.#outgoing ??= []).push(...nested.#outgoing);
    if (nested.#schedules !== undefined) (this.#schedules ??= new PendingSchedules()).addNested(nested.#schedules);
    if (nested.#signals !== undefined) (this.#signals ??= []).push(...nested.#signals);
  }

  #requireEvent(id: Uuid): void {
    // Most messages are about the last event.
    if (this.#events.findLast((event) => event.id === id) !== undefined) return;
    throw new ServiceError(
      'SVC_UNKNOWN_MESSAGE',
      `Cannot queue a message about event ${id}: this unit of work does not contain it. Append the event first.`,
    );
  }

  #streamOfPending(eventId: Uuid): Uuid | null {
    const pending = this.#events.find(({ id }) => id === eventId);
    if (pending !== undefined) return pending.streamId;
    return this.#parent === null ? null : this.#parent.#streamOfPending(eventId);
  }

  #pendingIndex(streamId: Uuid, eventId: Uuid): number {
    return this.pendingIn(streamId).findIndex(({ id }) => id === eventId);
  }
}

async function* noting(events: AsyncIterable<StoredEvent>, seen: SeenMessages): AsyncIterable<StoredEvent> {
  for await (const event of events) {
    seen.note(event.envelope.payload);
    yield event;
  }
}

function closed(what: string, done: string): ServiceError {
  return new ServiceError(
    'SVC_UNIT_OF_WORK_CLOSED',
    `${what} was ${done} after its command had ended, and is not stored. Await everything that a receptor starts.`,
  );
}
