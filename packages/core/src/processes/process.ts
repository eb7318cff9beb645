import type { ReactionContext, ScheduleTime } from '../dispatch/index.js';
import type { Command, Event, MessageClass } from '../messages/index.js';

/** The context of a process. Everything that a process does with it is committed together, once for each event. */
export interface ProcessContext<TState> extends ReactionContext {
  /** The state of the instance after the current event. */
  readonly state: TState;
  /** The key of the instance, as `keyOf` returned it. */
  readonly processKey: string;
  /** Whether the current event is the first of the instance. */
  readonly isNew: boolean;

  /**
   * Schedules a command of this service for this instance. A timeout with the same name is replaced. The name has 1 to 100 characters, and
   * belongs to this instance only.
   */
  timeout(name: string, command: Command, time: ScheduleTime): void;

  /** Cancels a timeout of this instance, if it is set. */
  cancelTimeout(name: string): void;

  /** Ends the instance with the current event, and cancels its timeouts. Later events of the instance are ignored. */
  complete(): void;
}

/**
 * Coordinates steps that belong together: it reacts to events of several streams, and decides from a state that it computes from them. One
 * object runs all instances; the state of an instance is in `context.state`.
 */
export interface Process<TState, TEvent extends Event> {
  /** Returns the state of an instance without events. */
  initial(): TState;
  /** Returns the key of the instance to which an event belongs, at most 400 characters; null: it belongs to none. It must be pure. */
  keyOf(event: TEvent): string | null;
  /** Returns the state after an event. It must be pure, and must not change `state`. */
  evolve(state: TState, event: TEvent): TState;
  /** Decides what to do after an event. */
  react(event: TEvent, context: ProcessContext<TState>): void | Promise<void>;
}

/** A process with a state and events of any type. */
// oxlint-disable-next-line typescript/no-explicit-any -- one list has the processes of all states and events
export type AnyProcess = Process<any, any>;

/** The class of a process. */
export type ProcessClass = MessageClass<AnyProcess>;
