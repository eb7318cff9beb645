import type { Uuid } from '../../json/index.js';
import { isReceived } from '../../messages/index.js';
import {
  comparePlaces,
  ModelSources,
  type IndexedModel,
  type ModelIdentity,
  type ModelRecord,
  type ModelSnapshot,
  type ModelSource,
  type StoredEvent,
} from '../../storage/index.js';
import { inFoldOrder, isBeforeStop } from './fold-order.js';
import { hasSource } from './has-source.js';
import { indexedValues } from './indexed-values.js';
import { contextOf, identityOf, modelIdOf, modelIdOrNull } from './model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { readStoredModel } from '../stored-model.js';

/** A snapshot is stored each time a model has processed this many events. */
export const eventsPerSnapshot = 100;

/** The event that stopped a stream, and the error. */
export interface StreamFailure {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** The state of a model before a batch. */
export type ModelState = Pick<ModelRecord, 'body' | 'version' | 'lastEventId'> & ModelIdentity;

/** The greatest event id of a model without events. */
export const beforeAllIds = '' as Uuid;

/** The models after a batch, and everything to commit with them. */
export interface AppliedBatch {
  readonly models: ReadonlyMap<string, IndexedModel>;
  readonly snapshots: readonly ModelSnapshot[];
  /** For models with an event whose id is below that of an earlier one: the id after which their snapshots are invalid. */
  readonly outdated: ReadonlyMap<string, Uuid>;
  readonly sources: readonly ModelSource[];
  readonly failures: readonly StreamFailure[];
}

/**
 * Applies events to their models, in the order of each model. An event that cannot be applied stops its stream and no other. The batch is then
 * applied again to the stored models, without that event and the later ones of its stream: a failed `apply` may have changed a model partly.
 */
export function applyBatch(
  named: NamedPerspective,
  stored: ReadonlyMap<string, ModelState>,
  events: readonly StoredEvent[],
): AppliedBatch {
  const failures = new Map<Uuid, StreamFailure>();
  const ordered = orderedByModel(named, events);
  for (;;) {
    const attempt = new Attempt(named, stored);
    const isBefore = ({ streamId, position, envelope }: StoredEvent): boolean => {
      const stop = failures.get(streamId)?.event;
      if (stop === undefined) return true;
      return isBeforeStop({ ...envelope, position }, { eventId: stop.envelope.id, position: stop.position });
    };
    const failure = attempt.run(failures.size === 0 ? ordered : ordered.filter(isBefore));
    if (failure === null) return { ...attempt.result(), failures: [...failures.values()] };
    failures.set(failure.event.streamId, failure);
  }
}

/** With events of other databases, each model has its own order; without them, the order of the log serves all models. */
function orderedByModel(named: NamedPerspective, events: readonly StoredEvent[]): readonly StoredEvent[] {
  if (!events.some(({ envelope }) => isReceived(envelope))) return inFoldOrder(events);
  const byModel = new Map<string | null, StoredEvent[]>();
  for (const event of events) {
    const id = modelIdOrNull(named, event);
    const known = byModel.get(id);
    if (known === undefined) byModel.set(id, [event]);
    else known.push(event);
  }
  return [...byModel.values()].flatMap(inFoldOrder);
}

/** A model while events are applied to it. */
interface Draft {
  readonly identity: ModelIdentity;
  model: object | null;
  version: number;
  /** The last applied event. */
  last: StoredEvent;
  /** The greatest id of its events. */
  latest: Uuid;
}

class Attempt {
  readonly #named: NamedPerspective;
  readonly #stored: ReadonlyMap<string, ModelState>;
  readonly #drafts = new Map<string, Draft>();
  readonly #models = new Map<string, IndexedModel>();
  #snapshots: ModelSnapshot[] = [];
  readonly #outdated = new Map<string, Uuid>();
  readonly #sources = new ModelSources();

  constructor(named: NamedPerspective, stored: ReadonlyMap<string, ModelState>) {
    this.#named = named;
    this.#stored = stored;
  }

  /** Applies events until one fails; null: none failed. */
  run(events: readonly StoredEvent[]): StreamFailure | null {
    let current: StoredEvent | undefined;
    try {
      const ids: (string | null)[] = [];
      for (current of events) ids.push(modelIdOf(this.#named, current));
      const firsts = firstOfEach(events, ids);
      for (let i = 0; i < events.length; i++) {
        current = events[i]!;
        const id = ids[i]!;
        if (id !== null) this.#apply(current, id, firsts);
      }
      for (const [id, { identity, model, version, last, latest }] of this.#drafts) {
        current = last;
        const indexed = indexedValues(this.#named, model);
        const body = this.#write(model);
        this.#models.set(id, { ...identity, body, version, lastEventId: latest, indexed });
      }
      return null;
    } catch (error) {
      return { event: current!, error };
    }
  }

  result(): Omit<AppliedBatch, 'failures'> {
    const sources = this.#sources.all();
    return { models: this.#models, snapshots: this.#snapshots, outdated: this.#outdated, sources };
  }

  #apply(event: StoredEvent, id: string, firsts: ReadonlyMap<string, StoredEvent>): void {
    const { perspective } = this.#named;
    let draft = this.#drafts.get(id);
    if (draft === undefined) this.#drafts.set(id, (draft = this.#draftOf(id, event, firsts)));
    draft.model = perspective.apply(draft.model, event.envelope.payload, contextOf(event)) as object | null;
    draft.version++;
    draft.last = event;
    const { streamId, position } = event;
    const { id: eventId } = event.envelope;
    if (eventId > draft.latest) draft.latest = eventId;
    else this.#outdate(id, eventId);
    if (hasSource(this.#named, position)) this.#sources.addEvent(id, streamId, position, eventId);
    if (draft.version % eventsPerSnapshot !== 0) return;
    this.#snapshots.push({ id, eventId: draft.latest, body: this.#write(draft.model), version: draft.version });
  }

  /** After an event whose id is below that of an earlier one, the id of a snapshot between them does not tell which events it contains. */
  #outdate(id: string, eventId: Uuid): void {
    const known = this.#outdated.get(id);
    if (known === undefined || eventId < known) this.#outdated.set(id, eventId);
    this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.id !== id || snapshot.eventId < eventId);
  }

  #draftOf(id: string, event: StoredEvent, firsts: ReadonlyMap<string, StoredEvent>): Draft {
    const stored = this.#stored.get(id);
    if (stored === undefined) {
      const identity = identityOf(this.#named, id, firsts.get(id)!);
      return { identity, model: null, version: 0, last: event, latest: beforeAllIds };
    }
    const { body, version, key, owner, scope, lastEventId: latest } = stored;
    const model = body === null ? null : readStoredModel(this.#named, body);
    return { identity: { id, key, owner, scope }, model, version, last: event, latest };
  }

  #write(model: object | null): string | null {
    return model === null ? null : this.#named.writeModel(model);
  }
}

/** The event of each model that is first in the log: a late event never decides the owner of a model. */
function firstOfEach(
  events: readonly StoredEvent[],
  ids: readonly (string | null)[],
): ReadonlyMap<string, StoredEvent> {
  const firsts = new Map<string, StoredEvent>();
  for (let i = 0; i < events.length; i++) {
    const id = ids[i]!;
    if (id === null) continue;
    const known = firsts.get(id);
    if (known === undefined || comparePlaces(events[i]!, known) < 0) firsts.set(id, events[i]!);
  }
  return firsts;
}
