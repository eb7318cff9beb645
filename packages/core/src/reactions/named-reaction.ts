import type { StartReaction } from '../dispatch/index.js';
import type { MessageClass } from '../messages/index.js';
import type { ReactionSettings } from './reaction-options.js';

/** A reaction or a process with the events that it processes and its settings. */
export interface NamedReaction {
  readonly name: string;
  readonly events: readonly MessageClass[];
  readonly start: StartReaction;
  readonly isProcess: boolean;
  readonly settings: ReactionSettings;
}
