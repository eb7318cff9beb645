import type { Uuid } from '../json/index.js';
import type { Event } from '../messages/index.js';
import type { ReceptorContext } from './receptor.js';

/** The context of a reaction. Everything that a reaction does with it is committed together, once for each event. */
export interface ReactionContext extends ReceptorContext {
  /** Identifies this reaction to this event, in all attempts and on all hosts: pass it to other systems as an idempotency key. */
  readonly key: Uuid;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/**
 * Reacts to stored events: it appends events, invokes commands or calls other systems. Its changes are committed once for each event. Calls to
 * other systems are repeated after a failure. One instance reacts to all events.
 */
export interface Reaction<TEvent extends Event> {
  react(event: TEvent, context: ReactionContext): void | Promise<void>;
}
