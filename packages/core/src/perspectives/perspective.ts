import type { Reader, Uuid, Writer } from '../json/index.js';
import type { EnvelopeScope, Event, MessageClass } from '../messages/index.js';
import type { PerspectiveColumn } from '../storage/index.js';
import type { ModelOwners } from './model-owner.js';

/** What is known of an event beside what it says. */
export interface AppliedEvent {
  readonly id: Uuid;
  readonly streamId: Uuid;
  readonly position: number;
  readonly timestamp: Date;
  readonly correlationId: Uuid;
  readonly scope: EnvelopeScope | null;
}

/**
 * Builds models to read from events, one for each stream, or for each key of each owner when there is a `keyOf`. Both methods are pure:
 * the same events make the same models, whenever and however often they are applied.
 */
export interface Perspective<TModel extends object, TEvent extends Event = Event> {
  /** The model after an event; null when there is none, or none any more. */
  apply(model: TModel | null, event: TEvent, context: AppliedEvent): TModel | null;
  /** The key of the model that an event belongs to; null when it belongs to none. Default: the id of the event's stream. */
  keyOf?(event: TEvent, context: AppliedEvent): string | null;
}

/** A perspective, the events it takes, and how its models are read and written. */
export interface NamedPerspective {
  readonly name: string;
  readonly events: readonly MessageClass[];
  /** The properties of its models that can be filtered and sorted by. */
  readonly columns: readonly PerspectiveColumn[];
  /** Whose its models are. */
  readonly owners: ModelOwners;
  // oxlint-disable-next-line typescript/no-explicit-any -- perspectives of all models stand in one list
  readonly perspective: Perspective<any, any>;
  readonly readModel: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- writers of all models stand in one list
  readonly writeModel: Writer<any>;
}
