import type { Reader, Writer } from '../json/index.js';
import type { Event } from '../messages/index.js';

/**
 * Computes the state of a stream from its events, for receptors that decide from it: `await context.load(Order, orderId)`. Both methods must
 * be pure: the same events result in the same state.
 */
export interface Decider<TState, TEvent extends Event> {
  /** Returns the state of a stream without events. */
  initial(): TState;
  /** Returns the state after an event. It must not change `state`. Events of other types in the stream are skipped. */
  evolve(state: TState, event: TEvent): TState;
}

/** The class of a decider. */
export type DeciderClass<TState, TEvent extends Event> = new () => Decider<TState, TEvent>;

/** A decider with its name and the events that it processes. */
export interface NamedDecider {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- deciders of all states are in one list
  readonly decider: Decider<any, any>;
  /** The classes of its events. */
  readonly events: ReadonlySet<unknown>;
  /** Null: it has no snapshots. */
  readonly snapshots: StateSnapshots | null;
}

/** How the states of a decider are stored. */
export interface StateSnapshots {
  readonly every: number;
  /** The version of the decider, its events and the type of its state. */
  readonly version: string;
  readonly readState: Reader<object>;
  readonly writeState: Writer<object>;
}
