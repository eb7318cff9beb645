import type { Uuid } from '../../json/index.js';
import type { MessageEnvelope } from '../../messages/index.js';
import type { DeferredOutboxChannel } from './deferred-outbox-channel.js';
import type { LogPlace } from '../log-place.js';

/** An event in its stream; `position` counts from 0. */
export interface StreamEvent {
  readonly streamId: Uuid;
  readonly position: number;
  readonly envelope: MessageEnvelope;
}

/** An event as it was stored, and its place among all events. */
export interface StoredEvent extends StreamEvent, LogPlace {}

/** Where to begin in a stream: at a position, or behind an event of it. */
export type StreamStart = number | { readonly afterEvent: Uuid };

export interface AppendOptions {
  /** The position the stream must be at, -1 for a new stream; otherwise a `ConcurrencyConflictError` follows. Default: any. */
  readonly expectedPosition?: number;
  /**
   * Gives the append up while its commit has not begun: it rejects with the reason of the signal, and nothing is appended. Once the commit
   * has begun, the signal changes nothing, and the append says what became of it. In a command it gives the whole command up. Default: never.
   */
  readonly signal?: AbortSignal;
}

/** Streams of events. What is appended is kept when the promise resolves. */
export interface EventStore {
  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void | Promise<void>;
  /** The events of a stream in order, all of them or from somewhere on. */
  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent>;
  /** One event by its id, in whichever stream it is; null when there is none. */
  findEvent(eventId: Uuid): Promise<StreamEvent | null>;
  /** All events in an order that never changes and keeps the order of each stream; behind the one with that sequence number. */
  readAll(afterSequence?: number): AsyncIterable<StoredEvent>;
  /** The last position of a stream; -1 when it does not exist. */
  lastPosition(streamId: Uuid): Promise<number>;
}

/** The event store inside a unit of work: appending collects, without waiting, and what was appended is kept when the unit is. */
export interface UnitEventStore extends EventStore {
  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void;
}

/** Puts something around the event store of each unit of work. */
export type EventStoreDecorator = (inner: UnitEventStore, outbox: DeferredOutboxChannel) => UnitEventStore;
