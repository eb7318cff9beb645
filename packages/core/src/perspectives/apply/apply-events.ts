import type { Uuid } from '../../json/index.js';
import { isReceived } from '../../messages/index.js';
import { comparePlaces, type StoredEvent } from '../../storage/index.js';
import { inFoldOrder, isBeforeStop } from './fold-order.js';
import { HeldModel, type ModelState } from './held-model.js';
import { readableModel, withoutPersonalTexts } from './hidden-texts.js';
import { modelIdOf, modelIdOrNull } from './model-identity.js';
import { PendingChanges } from './pending-changes.js';
import type { NamedPerspective } from '../perspective.js';
import type { ModelRewind } from './rewind.js';

/** The event that stopped a stream, and the error. */
export interface StreamFailure {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** What to apply: events, and the stored models that they belong to. */
export interface EventsToApply {
  readonly named: NamedPerspective;
  readonly events: readonly StoredEvent[];
  readonly stored: ReadonlyMap<string, ModelState>;
  /** The models to replay from a snapshot. Their events replace those of `events`. */
  readonly rewinds: readonly ModelRewind[];
}

/** The changes that events make, and the events that could not be applied. */
export interface AppliedEvents {
  readonly changes: PendingChanges;
  readonly models: ReadonlyMap<string, HeldModel>;
  readonly failures: readonly StreamFailure[];
  /** How many events were applied or tried. */
  readonly applied: number;
}

/**
 * Applies events to stored models, in the order of each model. An event that cannot be applied stops its stream and no other. All events are then
 * applied again to the stored models, without that event and the later ones of its stream: a failed `apply` may have changed a model partly.
 */
export function applyEvents(work: EventsToApply): AppliedEvents {
  const failures = new Map<Uuid, StreamFailure>();
  const events = orderedByModel(work.named, withRewinds(work));
  const isBefore = ({ streamId, position, envelope }: StoredEvent): boolean => {
    const stop = failures.get(streamId)?.event;
    if (stop === undefined) return true;
    return isBeforeStop({ ...envelope, position }, { eventId: stop.envelope.id, position: stop.position });
  };
  for (;;) {
    const attempt = new Attempt(work);
    const failure = attempt.run(failures.size === 0 ? events : events.filter(isBefore));
    if (failure === null) {
      const { changes, models } = attempt;
      return { changes, models, failures: [...failures.values()], applied: events.length };
    }
    failures.set(failure.event.streamId, failure);
  }
}

function withRewinds({ named, events, rewinds }: EventsToApply): readonly StoredEvent[] {
  if (rewinds.length === 0) return events;
  const rewound = new Set(rewinds.map(({ id }) => id));
  const usual = events.filter((event) => {
    const id = modelIdOrNull(named, event);
    return id === null || !rewound.has(id);
  });
  return [...usual, ...rewinds.flatMap((rewind) => rewind.events)];
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

class Attempt {
  readonly #named: NamedPerspective;
  readonly #stored: ReadonlyMap<string, ModelState>;
  readonly #rewinds: readonly ModelRewind[];
  readonly changes: PendingChanges;
  readonly models = new Map<string, HeldModel>();

  constructor({ named, stored, rewinds }: EventsToApply) {
    this.#named = named;
    this.#stored = stored;
    this.#rewinds = rewinds;
    this.changes = new PendingChanges(named);
    for (const rewind of rewinds) {
      const model = rewind.start(named);
      this.models.set(model.id, model);
      this.changes.rewind(model, rewind.snapshot);
    }
  }

  /** Applies events until one fails; null: none failed. */
  run(events: readonly StoredEvent[]): StreamFailure | null {
    let current: StoredEvent | undefined;
    try {
      const ids: (string | null)[] = [];
      for (current of events) ids.push(modelIdOf(this.#named, current));
      const firsts = firstOfEach(events, ids);
      const lasts = new Map<string, StoredEvent>();
      for (let i = 0; i < events.length; i++) {
        current = events[i]!;
        const id = ids[i]!;
        if (id === null) continue;
        this.changes.apply(current, this.#modelOf(id, firsts));
        lasts.set(id, current);
      }
      for (const model of this.changes.models.values()) {
        current = lasts.get(model.id);
        model.written();
      }
      return null;
    } catch (error) {
      if (current === undefined) throw error;
      return { event: current, error: this.#shown(error, current, events) };
    }
  }

  /** Without the personal texts that the model of the event can have: those of its stored state, and of its events up to this one. */
  #shown(error: unknown, event: StoredEvent, events: readonly StoredEvent[]): unknown {
    const named = this.#named;
    if (named.personalTextsOf === undefined) return error;
    const id = modelIdOrNull(named, event);
    if (id === null) return withoutPersonalTexts(error, named, [event], []);
    const upTo = events.slice(0, events.indexOf(event) + 1).filter((one) => modelIdOrNull(named, one) === id);
    const bodies = [
      this.#stored.get(id)?.body,
      ...this.#rewinds.map((one) => (one.id === id ? one.snapshot?.body : null)),
    ];
    const models = bodies.map((body) => readableModel(named, body ?? null));
    return withoutPersonalTexts(error, named, upTo, [this.models.get(id)?.model ?? null, ...models]);
  }

  #modelOf(id: string, firsts: ReadonlyMap<string, StoredEvent>): HeldModel {
    let model = this.models.get(id);
    if (model === undefined) {
      const stored = this.#stored.get(id);
      model =
        stored === undefined ? HeldModel.begun(this.#named, id, firsts.get(id)!) : HeldModel.of(this.#named, stored);
      this.models.set(id, model);
    }
    return model;
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
