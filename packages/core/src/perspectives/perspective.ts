import type { Reader, Uuid, Writer } from '../json/index.js';
import type { EnvelopeScope, Event, MessageClass } from '../messages/index.js';
import type { PerspectiveColumn } from '../storage/index.js';
import type { ModelOwners } from './model-owner.js';

/** The metadata of an event that a perspective applies. */
export interface AppliedEvent {
  readonly id: Uuid;
  readonly streamId: Uuid;
  readonly position: number;
  readonly timestamp: Date;
  readonly correlationId: Uuid;
  readonly scope: EnvelopeScope | null;
}

/**
 * Builds a read model from events: one model per stream or, with `keyOf`, one per key and owner. Both methods must be pure: the same events
 * result in the same models, whenever and however often they are applied.
 */
export interface Perspective<TModel extends object, TEvent extends Event = Event> {
  /** Returns the model after an event; null: no model, or delete it. */
  apply(model: TModel | null, event: TEvent, context: AppliedEvent): TModel | null;
  /** Returns the key of the model that an event belongs to; null: it belongs to none. Default: the id of the event's stream. */
  keyOf?(event: TEvent, context: AppliedEvent): string | null;
}

/** A perspective with the events it processes and the functions that read and write its models. */
export interface NamedPerspective {
  readonly name: string;
  readonly events: readonly MessageClass[];
  /** The properties of its models that can be filtered and sorted by. */
  readonly columns: readonly PerspectiveColumn[];
  /** The owners of its models. */
  readonly owners: ModelOwners;
  // oxlint-disable-next-line typescript/no-explicit-any -- perspectives of all models are in one list
  readonly perspective: Perspective<any, any>;
  readonly readModel: Reader<object>;
  // oxlint-disable-next-line typescript/no-explicit-any -- writers of all models are in one list
  readonly writeModel: Writer<any>;
  /** Finds the personal texts of an event. Absent: no event has any. */
  readonly personalTextsOf?: (event: object) => readonly string[];
}
