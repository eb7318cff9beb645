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

/** A stored event and its place in the log. */
export interface StoredEvent extends StreamEvent, LogPlace {}

/** Where to start in a stream: at a position, or after an event. */
export type StreamStart = number | { readonly afterEvent: Uuid };

export interface AppendOptions {
  /**
   * The position that the stream must have, -1 for a new stream; otherwise svc throws a `ConcurrencyConflictError`. Default: in a command that
   * has read the stream to its end or loaded it, the position that it has read; otherwise any.
   */
  readonly expectedPosition?: number | 'any';
  /**
   * Cancels the append before its commit starts: it rejects with the reason of the signal, and nothing is appended. After that the signal has no
   * effect, and the append reports its outcome. In a command it cancels the whole command. Default: never.
   */
  readonly signal?: AbortSignal;
}

/** Appends and reads the events of streams. An appended event is committed when the promise resolves. */
export interface EventStore {
  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void | Promise<void>;
  /** The events of a stream in order, from the start or from a given place. */
  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent>;
  /** The event with an id, in any stream; null: there is none. */
  findEvent(eventId: Uuid): Promise<StreamEvent | null>;
  /** All events after a sequence number, in the order of the log. It never changes and preserves the order of each stream. */
  readAll(afterSequence?: number): AsyncIterable<StoredEvent>;
  /** The last position of a stream; -1: it does not exist. */
  lastPosition(streamId: Uuid): Promise<number>;
}

/** The event store of a unit of work: `append` collects events without waiting, and they are committed with the unit. */
export interface UnitEventStore extends EventStore {
  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void;
}

/** Wraps the event store of each unit of work. */
export type EventStoreDecorator = (inner: UnitEventStore, outbox: DeferredOutboxChannel) => UnitEventStore;
