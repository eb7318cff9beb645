import type { Uuid } from '../json/index.js';
import {
  comparePlaces,
  type IndexedModel,
  type ModelIdentity,
  type ModelRecord,
  type ModelSnapshot,
  type ModelSource,
  type StoredEvent,
} from '../storage/index.js';
import { indexedValues } from './indexed-values.js';
import { contextOf, identityOf, modelIdOf } from './model-identity.js';
import type { NamedPerspective } from './perspective.js';
import { readStoredModel } from './stored-model.js';

/** A snapshot is taken each time a model has so many more events. */
export const eventsPerSnapshot = 100;

/** Where a stream stopped, and why. */
export interface StreamFailure {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** What a model continues from. */
export type ModelState = Pick<ModelRecord, 'body' | 'version'> & ModelIdentity;

/** What a batch of events makes of the models. */
export interface AppliedBatch {
  readonly models: ReadonlyMap<string, IndexedModel>;
  readonly snapshots: readonly ModelSnapshot[];
  readonly sources: readonly ModelSource[];
  readonly failures: readonly StreamFailure[];
}

/**
 * Applies events, in the order of their ids, to the models they belong to. An event that cannot be applied stops its stream there,
 * and only that one: everything is made anew from what was kept, without the event and those behind it in its stream, since a
 * failed `apply` may have left a model half changed.
 */
export function applyBatch(
  named: NamedPerspective,
  kept: ReadonlyMap<string, ModelState>,
  events: readonly StoredEvent[],
): AppliedBatch {
  const failures = new Map<Uuid, StreamFailure>();
  for (;;) {
    const attempt = new Attempt(named, kept);
    const isBefore = ({ streamId, envelope }: StoredEvent): boolean => {
      const stop = failures.get(streamId)?.event.envelope.id;
      return stop === undefined || envelope.id < stop;
    };
    const failure = attempt.run(failures.size === 0 ? events : events.filter(isBefore));
    if (failure === null) return { ...attempt.result(), failures: [...failures.values()] };
    failures.set(failure.event.streamId, failure);
  }
}

/** A model while events are applied to it. */
interface Draft {
  readonly identity: ModelIdentity;
  model: object | null;
  version: number;
  last: StoredEvent;
}

class Attempt {
  readonly #named: NamedPerspective;
  readonly #kept: ReadonlyMap<string, ModelState>;
  readonly #drafts = new Map<string, Draft>();
  readonly #models = new Map<string, IndexedModel>();
  readonly #snapshots: ModelSnapshot[] = [];
  readonly #sources = new Map<string, ModelSource>();

  constructor(named: NamedPerspective, kept: ReadonlyMap<string, ModelState>) {
    this.#named = named;
    this.#kept = kept;
  }

  /** The event it failed at; null when it did not. */
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
      for (const [id, { identity, model, version, last }] of this.#drafts) {
        current = last;
        const indexed = indexedValues(this.#named, model);
        const body = this.#write(model);
        this.#models.set(id, { ...identity, body, version, lastEventId: last.envelope.id, indexed });
      }
      return null;
    } catch (error) {
      return { event: current!, error };
    }
  }

  result(): Omit<AppliedBatch, 'failures'> {
    return { models: this.#models, snapshots: this.#snapshots, sources: [...this.#sources.values()] };
  }

  #apply(event: StoredEvent, id: string, firsts: ReadonlyMap<string, StoredEvent>): void {
    const { perspective } = this.#named;
    let draft = this.#drafts.get(id);
    if (draft === undefined) this.#drafts.set(id, (draft = this.#draftOf(id, event, firsts)));
    draft.model = perspective.apply(draft.model, event.envelope.payload, contextOf(event)) as object | null;
    draft.version++;
    draft.last = event;
    const { streamId } = event;
    const { id: eventId } = event.envelope;
    // Without a `keyOf` the id says it.
    if (perspective.keyOf !== undefined) this.#sources.set(`${streamId} ${id}`, { id, streamId, lastEventId: eventId });
    if (draft.version % eventsPerSnapshot !== 0) return;
    this.#snapshots.push({ id, eventId, body: this.#write(draft.model), version: draft.version });
  }

  #draftOf(id: string, event: StoredEvent, firsts: ReadonlyMap<string, StoredEvent>): Draft {
    const kept = this.#kept.get(id);
    if (kept === undefined) {
      return { identity: identityOf(this.#named, id, firsts.get(id)!), model: null, version: 0, last: event };
    }
    const { body, version, key, owner, scope } = kept;
    const model = body === null ? null : readStoredModel(this.#named, body);
    return { identity: { id, key, owner, scope }, model, version, last: event };
  }

  #write(model: object | null): string | null {
    return model === null ? null : this.#named.writeModel(model);
  }
}

/** Of each model the event that stands first in the log: one that comes late never decides whose a model is. */
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

/** Ids are made in the order of time: this is the order in which things happened. */
export function byEventId(a: StoredEvent, b: StoredEvent): number {
  return a.envelope.id < b.envelope.id ? -1 : 1;
}
