import { recordedError } from '../../errors/index.js';
import { withoutMarks, type Uuid } from '../../json/index.js';
import type { StoredEvent, StoredRecord } from '../../storage/index.js';
import { inFoldOrder } from '../apply/fold-order.js';
import { namesakeOf } from '../apply/has-source.js';
import { HeldModel } from '../apply/held-model.js';
import { readableModel, withoutPersonalTexts } from '../apply/hidden-texts.js';
import { ModelEvents, type PerspectiveParts } from '../apply/model-events.js';
import { modelIdOf, modelIdOrNull } from '../apply/model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { PastEvents, type EventsOfModel } from './past-events.js';

/** A model as it was, computed from its events. */
export interface PastModel {
  readonly perspective: string;
  /** Null: the event belongs to no model, or its model cannot be determined. */
  readonly key: string | null;
  /**
   * `known`: computed. `none`: the event belongs to no model. `tooLong`: it has more events than a history applies. `failed`: `apply` failed, or an event
   * cannot be read.
   */
  readonly status: 'known' | 'none' | 'tooLong' | 'failed';
  /** JSON; null: there was no model. */
  readonly before: string | null;
  readonly after: string | null;
  readonly error: string | null;
  /** How many events were applied. */
  readonly events: number;
  /** How many streams these events are from. */
  readonly streams: number;
  readonly fromSnapshot: boolean;
}

/** The models of a stream at one of its events. */
export interface PastModels {
  readonly models: readonly PastModel[];
  /** Whether these are all models that have events of the stream. */
  readonly isComplete: boolean;
}

/** How many models of a stream a history computes, for a perspective with keys. */
const mostModels = 20;
/** How many positions of a stream are searched for events whose ids are the keys of models. */
const searchedPositions = 200;

/**
 * Computes the models of a perspective as they were after an event: from the events up to its place in the log, with the `apply` of this program. It
 * changes nothing.
 */
export class ModelHistory {
  readonly #named: NamedPerspective;
  readonly #parts: PerspectiveParts;
  readonly #finder: ModelEvents;
  readonly #past: PastEvents;

  constructor(named: NamedPerspective, parts: PerspectiveParts) {
    this.#named = named;
    this.#parts = parts;
    this.#finder = ModelEvents.ofServing(named, parts);
    this.#past = new PastEvents(named, parts, this.#finder);
  }

  get perspective(): string {
    return this.#named.name;
  }

  /** Whether each model has events of one tenant only. */
  get separatesTenants(): boolean {
    const { owners, perspective } = this.#named;
    return perspective.keyOf === undefined || owners.separateTenants;
  }

  /** The model of an event before and after it; null: the perspective does not process the event. */
  async atEvent(record: StoredRecord): Promise<PastModel | null> {
    const [event] = this.#finder.of([record], new Map());
    if (event === undefined) return null;
    let id: string | null;
    try {
      id = modelIdOf(this.#named, event);
    } catch (error) {
      return { ...this.#empty(null), status: 'failed', error: this.#textOf(error, [event], []) };
    }
    return id === null ? this.#empty(null) : await this.#computed(id, event);
  }

  /** The models that have events of a stream, after one of its events, which the perspective need not process. */
  async atPlace(record: StoredRecord): Promise<PastModels> {
    if (this.#named.perspective.keyOf === undefined) {
      return { models: [await this.#computed(record.streamId, record)], isComplete: true };
    }
    const known = await this.#parts.storage.readModelIds(this.#named.name, record.streamId);
    const namesakes = await this.#namesakes(record);
    const ids = [...new Set([...known, ...namesakes.ids])];
    const models: PastModel[] = [];
    for (const id of ids.slice(0, mostModels)) models.push(await this.#computed(id, record));
    return { models, isComplete: namesakes.areAll && ids.length <= mostModels };
  }

  /** The models whose keys are ids of the last events up to a place of a stream, the latest first: no positions are stored for these events. */
  async #namesakes({ streamId, position }: StoredRecord): Promise<{ ids: readonly string[]; areAll: boolean }> {
    const first = Math.max(0, position - searchedPositions + 1);
    const positions = Array.from({ length: position - first + 1 }, (_, i) => first + i);
    const records: StoredRecord[] = [];
    for await (const record of this.#parts.log.readPositions(streamId, positions)) records.push(record);
    const events = this.#finder.of(records, new Map());
    const ids: string[] = [];
    for (const event of events) {
      const id = modelIdOrNull(this.#named, event);
      if (id !== null && namesakeOf(id) === event.envelope.id) ids.push(id);
    }
    // If none of the last events has such a model, it is assumed that no earlier one has.
    return { ids: ids.toReversed(), areAll: first === 0 || (events.length > 0 && ids.length === 0) };
  }

  /** The id of the event at the newest snapshot of a stream's own model; null: there is none. */
  async newestSnapshot(streamId: Uuid, before: Uuid): Promise<Uuid | null> {
    const { name, perspective } = this.#named;
    if (perspective.keyOf !== undefined) return null;
    return (await this.#parts.storage.readSnapshot(name, streamId, before))?.eventId ?? null;
  }

  async #computed(id: string, at: StoredEvent | StoredRecord): Promise<PastModel> {
    const [eventId, known] = 'envelope' in at ? [at.envelope.id, at] : [at.id, null];
    const past = await this.#past.upTo(id, at, eventId, known);
    if (past === null) return { ...this.#empty(await this.#keyOf(id)), status: 'tooLong' };
    return this.#applied(id, past, eventId);
  }

  /** The order of the model: an event of another database that came late is not the last one. */
  #applied(id: string, { events, snapshot }: EventsOfModel, eventId: Uuid): PastModel {
    const ordered = inFoldOrder(events);
    const streams = new Set(events.map(({ streamId }) => streamId)).size;
    const common = { ...this.#empty(null), events: events.length, streams, fromSnapshot: snapshot !== null };
    if (ordered.length === 0 && snapshot === null) return { ...common, status: 'known' };
    let model: HeldModel | undefined;
    try {
      model = this.#begun(id, ordered, snapshot);
      const isLast = ordered.at(-1)?.envelope.id === eventId;
      for (const event of isLast ? ordered.slice(0, -1) : ordered.filter(({ envelope }) => envelope.id !== eventId))
        model.apply(event);
      const before = this.#written(model);
      const changed = isLast ? model : this.#begun(id, ordered, snapshot);
      for (const event of isLast ? ordered.slice(-1) : ordered) changed.apply(event);
      return { ...common, key: model.key, status: 'known', before, after: this.#written(changed) };
    } catch (error) {
      const models = [model?.model ?? null, readableModel(this.#named, snapshot?.body ?? null)];
      return { ...common, status: 'failed', error: this.#textOf(error, ordered, models) };
    }
  }

  #begun(id: string, events: readonly StoredEvent[], snapshot: EventsOfModel['snapshot']): HeldModel {
    const [first] = events;
    if (snapshot === null) return HeldModel.begun(this.#named, id, first!);
    const { body, version, eventId, identity } = snapshot;
    return HeldModel.of(this.#named, { ...identity, body, version, lastEventId: eventId });
  }

  #written({ model }: HeldModel): string | null {
    return model === null ? null : withoutMarks(this.#named.writeModel(model));
  }

  async #keyOf(id: string): Promise<string | null> {
    const [model] = await this.#parts.storage.readModels(this.#named.name, [id]);
    return model?.key ?? null;
  }

  #textOf(error: unknown, events: readonly StoredEvent[], models: readonly (object | null)[]): string {
    const shown = withoutPersonalTexts(error, this.#named, events, models);
    const { errorName, errorMessage } = recordedError(shown);
    return `${errorName}: ${errorMessage}`;
  }

  #empty(key: string | null): PastModel {
    const nothing = { before: null, after: null, error: null, events: 0, streams: 0, fromSnapshot: false };
    return { perspective: this.perspective, key, status: 'none', ...nothing };
  }
}
