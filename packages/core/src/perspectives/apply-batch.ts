import { readOrThrow, type Uuid } from '../json/index.js';
import type { ModelRecord, StoredEvent } from '../storage/index.js';
import type { AppliedEvent, NamedPerspective } from './perspective.js';

/** Where a stream stopped, and why. */
export interface StreamFailure {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** What a batch of events makes of the models; null for a model that is no more. */
export interface AppliedBatch {
  readonly models: ReadonlyMap<string, ModelRecord | null>;
  readonly failures: readonly StreamFailure[];
}

/**
 * Applies events to the models they belong to, each in its order. An event that cannot be applied stops its stream there, and only that
 * one: everything is made anew from what was kept, without the event and those behind it in its stream, since a failed `apply` may
 * have left a model half changed.
 */
export function applyBatch(
  named: NamedPerspective,
  kept: ReadonlyMap<string, ModelRecord>,
  events: readonly StoredEvent[],
): AppliedBatch {
  const failures = new Map<Uuid, StreamFailure>();
  for (;;) {
    const attempt = applyAll(
      named,
      kept,
      events.filter(({ streamId, position }) => position < (failures.get(streamId)?.event.position ?? Infinity)),
    );
    if (!('error' in attempt)) return { models: attempt, failures: [...failures.values()] };
    failures.set(attempt.event.streamId, attempt);
  }
}

function applyAll(
  { perspective, readModel, writeModel }: NamedPerspective,
  kept: ReadonlyMap<string, ModelRecord>,
  events: readonly StoredEvent[],
): ReadonlyMap<string, ModelRecord | null> | StreamFailure {
  const drafts = new Map<string, Draft>();
  const applied = new Map<string, ModelRecord | null>();
  let current: StoredEvent | undefined;
  try {
    for (current of events) {
      const context = contextOf(current);
      const key = keyOf(perspective, current, context);
      if (key === null) continue;
      const draft = drafts.get(key) ?? draftOf(kept.get(key), current, readModel);
      draft.model = perspective.apply(draft.model, current.envelope.payload, context) as object | null;
      draft.version++;
      draft.last = current;
      drafts.set(key, draft);
    }
    for (const [key, { model, version, last, scope }] of drafts) {
      current = last;
      const body = model === null ? null : writeModel(model);
      applied.set(key, body === null ? null : { key, body, version, lastEventId: last.envelope.id, scope });
    }
    return applied;
  } catch (error) {
    return { event: current!, error };
  }
}

/** A model while events are applied to it. */
interface Draft {
  model: object | null;
  version: number;
  last: StoredEvent;
  readonly scope: ModelRecord['scope'];
}

function draftOf(kept: ModelRecord | undefined, first: StoredEvent, readModel: NamedPerspective['readModel']): Draft {
  if (kept === undefined) return { model: null, version: 0, last: first, scope: first.envelope.scope };
  const model = readOrThrow(readModel, JSON.parse(kept.body));
  return { model, version: kept.version, last: first, scope: kept.scope };
}

/** The key of the model that an event belongs to. */
export function keyOf(
  perspective: NamedPerspective['perspective'],
  event: StoredEvent,
  context: AppliedEvent = contextOf(event),
): string | null {
  return perspective.keyOf === undefined ? event.streamId : perspective.keyOf(event.envelope.payload, context);
}

function contextOf({ streamId, position, envelope }: StoredEvent): AppliedEvent {
  const { id, timestamp, correlationId, scope } = envelope;
  return { id, streamId, position, timestamp, correlationId, scope };
}
