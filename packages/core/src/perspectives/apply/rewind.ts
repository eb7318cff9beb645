import type { Uuid } from '../../json/index.js';
import type { LogPlace, ModelIdentity, ModelRecord, ModelSnapshot, StoredEvent } from '../../storage/index.js';
import type { BatchStorage } from './batch-storage.js';
import type { ModelEvents, Stops } from './model-events.js';
import { isLate } from './fold-order.js';
import type { NamedPerspective } from '../perspective.js';

/** A model that is replayed, because events came late. */
export interface ModelRewind {
  readonly id: string;
  readonly identity: ModelIdentity;
  /** The late events, all from other databases, each below one that the model has already; the lowest first. */
  readonly late: readonly StoredEvent[];
  /** The id of the lowest late event. */
  readonly trigger: Uuid;
  /** What it continues from; null: its first event. */
  readonly snapshot: ModelSnapshot | null;
  /** Everything behind the snapshot, the late events among it. */
  readonly events: readonly StoredEvent[];
}

interface RewindParts {
  readonly finder: ModelEvents;
  readonly storage: BatchStorage;
  readonly stops: Stops;
  readonly upTo: LogPlace;
}

/** The models for which a batch has events that come late: all late events of a model are one rewind. */
export async function planRewinds(
  named: NamedPerspective,
  byModel: ReadonlyMap<string, readonly StoredEvent[]>,
  kept: ReadonlyMap<string, ModelRecord>,
  { finder, storage, stops, upTo }: RewindParts,
): Promise<ModelRewind[]> {
  const rewinds: ModelRewind[] = [];
  for (const [id, events] of byModel) {
    const model = kept.get(id);
    const late = model === undefined ? [] : events.filter((event) => isLate(event, model.lastEventId));
    if (model === undefined || late.length === 0) continue;
    late.sort((a, b) => (a.envelope.id < b.envelope.id ? -1 : 1));
    const trigger = late[0]!.envelope.id;
    const snapshot = await storage.readSnapshot(named.name, id, trigger);
    // What the model has processed since the snapshot, and what it processes now.
    const count = model.version - (snapshot?.version ?? 0) + events.length;
    const replayed = await finder.ofModel(id, { after: snapshot?.eventId ?? null, count, upTo, stops }, events);
    rewinds.push({ id, identity: identityOfRecord(model), late, trigger, snapshot, events: replayed });
  }
  return rewinds;
}

/** What a model is known by, without what it is. */
export function identityOfRecord({ id, key, owner, scope }: ModelIdentity): ModelIdentity {
  return { id, key, owner, scope };
}
