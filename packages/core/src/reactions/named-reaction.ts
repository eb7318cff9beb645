import type { Reaction } from '../dispatch/index.js';
import type { Event, MessageClass } from '../messages/index.js';
import type { ReactionSettings } from './reaction-options.js';

/** A reaction with the events that it processes and its settings. */
export interface NamedReaction {
  readonly name: string;
  readonly events: readonly MessageClass[];
  readonly reaction: Reaction<Event>;
  readonly settings: ReactionSettings;
}
