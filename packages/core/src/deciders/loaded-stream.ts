import type { Uuid } from '../json/index.js';
import type { Event, MessageEnvelope } from '../messages/index.js';
import type { AppendOptions } from '../storage/index.js';
import type { NamedDecider } from './decider.js';
import { evolved, type StreamState } from './stream-state.js';

/** A stream that a receptor has loaded, with its state. It includes the events that the command has appended and not committed yet. */
export interface LoadedStream<TState, TEvent extends Event> {
  readonly streamId: Uuid;
  /** The state after all events of the stream. Appending advances it at once. */
  readonly state: TState;
  /** Whether the stream has an event that the decider processes. */
  readonly exists: boolean;
  /** The position of the last event of the stream; -1: it has none. */
  readonly position: number;
  /** Appends an event. The command is committed only if no other command has appended to the stream since it was loaded. */
  append(event: TEvent, options?: AppendOptions): void;
}

/** The unit of work of the command that has loaded a stream. */
export interface LoadingUnit {
  /** The events of the stream that are not committed yet, in order. */
  pendingIn(streamId: Uuid): readonly MessageEnvelope[];
  append(streamId: Uuid, event: Event, options?: AppendOptions): void;
}

/** Computes the state when it is read: nested commands can append to the stream as well. */
export class StreamOfDecider implements LoadedStream<unknown, Event> {
  readonly streamId: Uuid;
  readonly #named: NamedDecider;
  readonly #stored: StreamState;
  readonly #unit: LoadingUnit;
  #current: StreamState;
  #pending: readonly MessageEnvelope[] = [];

  constructor(streamId: Uuid, named: NamedDecider, stored: StreamState, unit: LoadingUnit) {
    this.streamId = streamId;
    this.#named = named;
    this.#stored = stored;
    this.#unit = unit;
    this.#current = stored;
  }

  get state(): unknown {
    return this.#latest().state;
  }

  get exists(): boolean {
    return this.#latest().exists;
  }

  get position(): number {
    return this.#latest().position;
  }

  append(event: Event, options?: AppendOptions): void {
    this.#unit.append(this.streamId, event, options);
  }

  #latest(): StreamState {
    const pending = this.#unit.pendingIn(this.streamId);
    const known = this.#pending;
    // Where an outer command has appended concurrently, its events come before those of this one.
    const isContinued = known.every((envelope, i) => envelope === pending[i]);
    let current = isContinued ? this.#current : this.#stored;
    for (const envelope of isContinued ? pending.slice(known.length) : pending) {
      current = evolved(this.#named, current, current.position + 1, envelope);
    }
    this.#pending = pending;
    this.#current = current;
    return current;
  }
}
