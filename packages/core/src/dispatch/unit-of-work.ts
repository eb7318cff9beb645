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
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from '../storage/index.js';

const none: readonly never[] = Object.freeze([]);

/** The event log as a unit of work uses it: guarded, so that it reaches no stream of another tenant, or the log itself. */
export type UnitLog = Pick<
  GuardedLog,
  'eventRecord' | 'commit' | 'readStream' | 'findEvent' | 'readAll' | 'lastPosition'
>;

/** What is kept together with what a unit of work has collected. */
export type CommittedAlong = Partial<Pick<CommitRecord, 'idempotency' | 'received' | 'resolved' | 'outgoing'>>;

/**
 * Collects what one command changes: events, and messages that leave. `commit` hands all of it to the event log at once; a nested
 * unit hands it to the unit around it instead. Once ended, committed or not, a unit takes nothing more.
 */
export class UnitOfWork implements UnitEventStore, DeferredOutboxChannel, CommitObserver {
  /** The event store to append to: this unit, with the decorators around it. */
  readonly eventStore: UnitEventStore;
  readonly #log: UnitLog;
  readonly #parent: UnitOfWork | null;
  #events: PendingRecord[] = [];
  readonly #envelopes: MessageEnvelope[] = [];
  #outgoing: OutgoingRecord[] | undefined;
  #signals: AbortSignal[] | undefined;
  #ended = false;

  constructor(log: UnitLog, parent: UnitOfWork | null, decorate: EventStoreDecorator | null) {
    this.#log = log;
    this.#parent = parent;
    this.eventStore = decorate === null ? this : decorate(this, this);
  }

  /** The id of the last event it collected; undefined when there is none. */
  get lastEventId(): Uuid | undefined {
    return this.#events.at(-1)?.id;
  }

  /** The signals of everything that was appended: a unit is committed whole, so one of them gives all of it up. */
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
        `${envelope.type} cannot be appended to ${SystemEventStream.name}: only the system writes there. Emit a system event instead.`,
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

  readStream(streamId: Uuid, from: StreamStart = 0): AsyncIterable<StreamEvent> {
    const behind = typeof from === 'number' ? -1 : this.#pendingIndex(streamId, from.afterEvent);
    // Behind an event of this unit, nothing is stored yet. Asked for now: the actor is the one who calls, not the one who iterates.
    return this.#withPending(streamId, from, behind, behind === -1 ? this.#log.readStream(streamId, from) : null);
  }

  async *#withPending(
    streamId: Uuid,
    from: StreamStart,
    behind: number,
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
      if (i > behind && (typeof from !== 'number' || position >= from)) yield { streamId, position, envelope };
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

  /** Keeps everything, and what goes along with it, also when that is all there is; a promise only where the event log needs one. */
  commit(along?: CommittedAlong): void | Promise<void> {
    this.#ended = true;
    if (along !== undefined) {
      const outgoing = [...(this.#outgoing ?? none), ...(along.outgoing ?? none)];
      return this.#log.commit({ events: this.#events, delivered: null, received: none, ...along, outgoing }, this);
    }
    if (this.#events.length === 0 && this.#outgoing === undefined) return undefined;
    if (this.#parent === null) {
      return this.#log.commit(
        { events: this.#events, outgoing: this.#outgoing ?? none, delivered: null, received: none },
        this,
      );
    }
    this.#parent.#take(this);
    return undefined;
  }

  renewed({ events }: CommitRecord): void {
    this.#events = [...events];
  }

  /** Ends the unit without keeping anything. */
  drop(): void {
    this.#ended = true;
  }

  /** Takes over what a nested unit has collected. It went through the decorators there already. */
  #take(nested: UnitOfWork): void {
    const [first] = nested.#events;
    if (this.#ended) throw closed(first?.type ?? 'A message of a nested command', 'handed over');
    this.#events.push(...nested.#events);
    this.#envelopes.push(...nested.#envelopes);
    if (nested.#outgoing !== undefined) (this.#outgoing ??= []).push(...nested.#outgoing);
    if (nested.#signals !== undefined) (this.#signals ??= []).push(...nested.#signals);
  }

  #requireEvent(id: Uuid): void {
    if (this.#events.at(-1)?.id === id || this.#events.some((event) => event.id === id)) return;
    throw new ServiceError(
      'SVC_UNKNOWN_MESSAGE',
      `There is no event ${id} in this unit of work to queue a message about.`,
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
    `${what} was ${done} after its command had ended, and is not kept. Await everything a receptor starts.`,
  );
}
