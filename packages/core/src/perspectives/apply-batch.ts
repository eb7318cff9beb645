import type { Uuid } from '../json/index.js';
import type { IndexedModel, ModelRecord, ModelSnapshot, ModelSource, StoredEvent } from '../storage/index.js';
import { indexedValues, requireKey, requireScope } from './indexed-values.js';
import type { AppliedEvent, NamedPerspective } from './perspective.js';
import { readStoredModel } from './stored-model.js';
import { UnreadableEvent } from './unreadable-event.js';

/** A snapshot is taken each time a model has so many more events. */
export const eventsPerSnapshot = 100;

/** Where a stream stopped, and why. */
export interface StreamFailure {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** What a model goes on from. */
export type ModelState = Pick<ModelRecord, 'body' | 'version' | 'scope'>;

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
  model: object | null;
  version: number;
  last: StoredEvent;
  readonly scope: ModelRecord['scope'];
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
      for (current of events) this.#apply(current);
      for (const [key, { model, version, last, scope }] of this.#drafts) {
        current = last;
        const indexed = indexedValues(this.#named, model);
        const body = this.#write(model);
        this.#models.set(key, { key, body, version, lastEventId: last.envelope.id, scope, indexed });
      }
      return null;
    } catch (error) {
      return { event: current!, error };
    }
  }

  result(): Omit<AppliedBatch, 'failures'> {
    return { models: this.#models, snapshots: this.#snapshots, sources: [...this.#sources.values()] };
  }

  #apply(event: StoredEvent): void {
    const { perspective } = this.#named;
    const context = contextOf(event);
    const key = keyOf(perspective, event, () => context);
    if (key === null) return;
    let draft = this.#drafts.get(key);
    if (draft === undefined) this.#drafts.set(key, (draft = this.#draftOf(key, event)));
    draft.model = perspective.apply(draft.model, event.envelope.payload, context) as object | null;
    draft.version++;
    draft.last = event;
    const { streamId } = event;
    const { id } = event.envelope;
    // Without a `keyOf` the key says it.
    if (perspective.keyOf !== undefined) this.#sources.set(`${streamId} ${key}`, { key, streamId, lastEventId: id });
    if (draft.version % eventsPerSnapshot !== 0) return;
    const { version, scope } = draft;
    this.#snapshots.push({ key, eventId: id, body: this.#write(draft.model), version, scope });
  }

  #draftOf(key: string, first: StoredEvent): Draft {
    const kept = this.#kept.get(key);
    if (kept === undefined) requireScope(first.envelope.scope);
    if (kept === undefined) return { model: null, version: 0, last: first, scope: first.envelope.scope };
    const model = kept.body === null ? null : readStoredModel(this.#named, kept.body);
    return { model, version: kept.version, last: first, scope: kept.scope };
  }

  #write(model: object | null): string | null {
    return model === null ? null : this.#named.writeModel(model);
  }
}

/** The key of the model that an event belongs to. */
export function keyOf(
  perspective: NamedPerspective['perspective'],
  event: StoredEvent,
  context: () => AppliedEvent = () => contextOf(event),
): string | null {
  const { payload } = event.envelope;
  if (payload instanceof UnreadableEvent) throw payload.error;
  if (perspective.keyOf === undefined) return event.streamId;
  const key = perspective.keyOf(payload, context());
  if (key !== null) requireKey(key);
  return key;
}

/** Of each event; null when that of one of them cannot be told. */
export function keysOf({ perspective }: NamedPerspective, events: readonly StoredEvent[]): (string | null)[] | null {
  try {
    return events.map((event) => keyOf(perspective, event));
  } catch {
    return null;
  }
}

/** An event whose key cannot be told has none yet; applying it will fail, and say why. */
export function keyOrNull({ perspective }: NamedPerspective, event: StoredEvent): string | null {
  try {
    return keyOf(perspective, event);
  } catch {
    return null;
  }
}

export function contextOf({ streamId, position, envelope }: StoredEvent): AppliedEvent {
  const { id, timestamp, correlationId, scope } = envelope;
  return { id, streamId, position, timestamp, correlationId, scope };
}

/** Ids are made in the order of time: this is the order in which things happened. */
export function byEventId(a: StoredEvent, b: StoredEvent): number {
  return a.envelope.id < b.envelope.id ? -1 : 1;
}
