import type { Reaction } from '../dispatch/index.js';
import type { Event, MessageClass } from '../messages/index.js';
import type { ReactionOptions } from '../reactions/index.js';

/** A reaction that a function creates, such as `webhook` of `@svc/http`. The generator does not find it: `addReaction` registers it. */
export interface AddedReaction extends ReactionOptions {
  /** The name under which its progress is stored. */
  readonly name: string;
  /** The events it processes. */
  readonly events: readonly MessageClass<Event>[];
  /** Creates the reaction when the service starts. `write` serializes an event as its stored JSON text. */
  readonly create: (write: (event: Event) => string) => Reaction<Event>;
}
