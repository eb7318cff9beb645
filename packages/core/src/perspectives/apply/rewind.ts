import type { Uuid } from '../../json/index.js';
import type { LogPlace, ModelIdentity, ModelRecord, ModelSnapshot, StoredEvent } from '../../storage/index.js';
import type { BatchStorage } from './batch-storage.js';
import type { ModelEvents, Stops } from './model-events.js';
import { isLate } from './fold-order.js';
import type { NamedPerspective } from '../perspective.js';

/** A model that is replayed because of late events. */
export interface ModelRewind {
  readonly id: string;
  readonly identity: ModelIdentity;
  /** The late events, in ascending order of ids. All are from other databases, with ids below one that the model has processed. */
  readonly late: readonly StoredEvent[];
  /** The id of the lowest late event. */
  readonly trigger: Uuid;
  /** The snapshot to start from; null: start from the first event. */
  readonly snapshot: ModelSnapshot | null;
  /** All events after the snapshot, including the late ones. */
  readonly events: readonly StoredEvent[];
}

interface RewindParts {
  readonly finder: ModelEvents;
  readonly storage: BatchStorage;
  readonly stops: Stops;
  readonly upTo: LogPlace;
}

/** The rewinds that the late events of a batch need: one per model. */
export async function planRewinds(
  named: NamedPerspective,
  byModel: ReadonlyMap<string, readonly StoredEvent[]>,
  stored: ReadonlyMap<string, ModelRecord>,
  { finder, storage, stops, upTo }: RewindParts,
): Promise<ModelRewind[]> {
  const rewinds: ModelRewind[] = [];
  for (const [id, events] of byModel) {
    const model = stored.get(id);
    const late = model === undefined ? [] : events.filter((event) => isLate(event, model.lastEventId));
    if (model === undefined || late.length === 0) continue;
    late.sort((a, b) => (a.envelope.id < b.envelope.id ? -1 : 1));
    const trigger = late[0]!.envelope.id;
    const snapshot = await storage.readSnapshot(named.name, id, trigger);
    // The events that the model has processed since the snapshot, and those of this batch.
    const count = model.version - (snapshot?.version ?? 0) + events.length;
    const replayed = await finder.ofModel(id, { after: snapshot?.eventId ?? null, count, upTo, stops }, events);
    rewinds.push({ id, identity: identityOfRecord(model), late, trigger, snapshot, events: replayed });
  }
  return rewinds;
}

/** The identity of a model, without its state. */
export function identityOfRecord({ id, key, owner, scope }: ModelIdentity): ModelIdentity {
  return { id, key, owner, scope };
}
