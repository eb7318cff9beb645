import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { requireUnreserved, SystemEventStream, type MessageEnvelope } from '../messages/index.js';
import type {
  AppendOptions,
  CommitObserver,
  CommitRecord,
  DeferredOutboxChannel,
  GuardedLog,
  EventStoreDecorator,
  OutgoingRecord,
  PendingRecord,
  ScheduledRecord,
  ScheduleKey,
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from '../storage/index.js';
import { combinedSchedules, PendingSchedules } from './pending-schedules.js';

const none: readonly never[] = Object.freeze([]);

/** The event log of a unit of work: guarded, so that it reaches no stream of another tenant, or the log itself. */
export type UnitLog = Pick<
  GuardedLog,
  'eventRecord' | 'commit' | 'readStream' | 'findEvent' | 'readAll' | 'lastPosition'
>;

/** What is committed together with the changes of a unit of work. */
export type CommittedAlong = Partial<
  Pick<CommitRecord, 'idempotency' | 'received' | 'resolved' | 'outgoing' | 'schedules'>
>;

/**
 * Collects the changes of one command: events, outgoing messages and scheduled commands. `commit` passes them to the event log in one
 * record; a nested unit passes them to its parent. A unit that has ended accepts no more changes.
 */
export class UnitOfWork implements UnitEventStore, DeferredOutboxChannel, CommitObserver {
  /** The event store to append to: this unit, with the decorators around it. */
  readonly eventStore: UnitEventStore;
  readonly #log: UnitLog;
  readonly #parent: UnitOfWork | null;
  #events: PendingRecord[] = [];
  readonly #envelopes: MessageEnvelope[] = [];
  #outgoing: OutgoingRecord[] | undefined;
  #schedules: PendingSchedules | undefined;
  #signals: AbortSignal[] | undefined;
  #ended = false;

  constructor(log: UnitLog, parent: UnitOfWork | null, decorate: EventStoreDecorator | null) {
    this.#log = log;
    this.#parent = parent;
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
    this.#events.push(this.#log.eventRecord(streamId, envelope, options));
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
    const after = typeof from === 'number' ? -1 : this.#pendingIndex(streamId, from.afterEvent);
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
      yield event;
    }
    const pending = this.#pendingIn(streamId);
    if (pending.length === 0) return;
    if (position === -1) position = await this.#log.lastPosition(streamId);
    for (const [i, envelope] of pending.entries()) {
      position++;
      if (i > after && (typeof from !== 'number' || position >= from)) yield { streamId, position, envelope };
    }
  }

  async findEvent(eventId: Uuid): Promise<StreamEvent | null> {
    const streamId = this.#streamOfPending(eventId);
    if (streamId === null) return await this.#log.findEvent(eventId);
    const index = this.#pendingIndex(streamId, eventId);
    const position = (await this.#log.lastPosition(streamId)) + 1 + index;
    return { streamId, position, envelope: this.#pendingIn(streamId)[index]! };
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    return this.#log.readAll(afterSequence);
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    return (await this.#log.lastPosition(streamId)) + this.#pendingIn(streamId).length;
  }

  /** Commits all changes together with `along`. Returns a promise only if the event log does. */
  commit(along?: CommittedAlong): void | Promise<void> {
    this.#ended = true;
    if (along !== undefined) {
      const outgoing = [...(this.#outgoing ?? none), ...(along.outgoing ?? none)];
      const record = { events: this.#events, delivered: null, received: none, ...along, outgoing };
      const schedules = combinedSchedules(this.#schedules, along.schedules);
      return this.#log.commit(schedules === undefined ? record : { ...record, schedules }, this);
    }
    if (this.#events.length === 0 && this.#outgoing === undefined && this.#schedules === undefined) return undefined;
    if (this.#parent === null) {
      const record = { events: this.#events, outgoing: this.#outgoing ?? none, delivered: null, received: none };
      const schedules = this.#schedules?.changes;
      return this.#log.commit(schedules === undefined ? record : { ...record, schedules }, this);
    }
    this.#parent.#addNested(this);
    return undefined;
  }

  renewed({ events }: CommitRecord): void {
    this.#events = [...events];
  }

  /** Ends the unit without committing its changes. */
  drop(): void {
    this.#ended = true;
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
    if (this.#events.at(-1)?.id === id || this.#events.some((event) => event.id === id)) return;
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
    return this.#pendingIn(streamId).findIndex(({ id }) => id === eventId);
  }

  #pendingIn(streamId: Uuid): MessageEnvelope[] {
    const outer = this.#parent === null ? [] : this.#parent.#pendingIn(streamId);
    return outer.concat(this.#envelopes.filter((_, i) => this.#events[i]!.streamId === streamId));
  }
}

function closed(what: string, done: string): ServiceError {
  return new ServiceError(
    'SVC_UNIT_OF_WORK_CLOSED',
    `${what} was ${done} after its command had ended, and is not stored. Await everything that a receptor starts.`,
  );
}
