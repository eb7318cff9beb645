import type {
  LogPlace,
  ModelIdentity,
  ModelRecord,
  ModelSnapshot,
  PerspectiveStorage,
  StoredEvent,
  TablesRef,
} from '../../storage/index.js';
import type { ModelEvents, Stops } from './model-events.js';
import { isLate } from './fold-order.js';
import { beforeAllIds, HeldModel } from './held-model.js';
import type { NamedPerspective } from '../perspective.js';

/** A model that is replayed because of late events. */
export class ModelRewind {
  readonly id: string;
  readonly #identity: ModelIdentity;
  /** The late events, in ascending order of ids. All are from other databases, with ids below one that the model has processed. */
  readonly late: readonly StoredEvent[];
  /** The snapshot to start from; null: start from the first event. */
  readonly snapshot: ModelSnapshot | null;
  /** All events after the snapshot, including the late ones. */
  readonly events: readonly StoredEvent[];

  constructor(
    identity: ModelIdentity,
    late: readonly StoredEvent[],
    snapshot: ModelSnapshot | null,
    events: readonly StoredEvent[],
  ) {
    this.id = identity.id;
    this.#identity = identity;
    this.late = late;
    this.snapshot = snapshot;
    this.events = events;
  }

  /** The model at its snapshot. It retains its owner. */
  start(named: NamedPerspective): HeldModel {
    const { body = null, version = 0, eventId: lastEventId = beforeAllIds } = this.snapshot ?? {};
    return HeldModel.of(named, { ...this.#identity, body, version, lastEventId });
  }
}

interface RewindParts {
  readonly finder: ModelEvents;
  readonly storage: Pick<PerspectiveStorage, 'readSnapshot'>;
  readonly tables: TablesRef;
  readonly stops: Stops;
  readonly upTo: LogPlace;
}

/** The rewinds that the late events of a batch need: one per model. */
export async function planRewinds(
  byModel: ReadonlyMap<string, readonly StoredEvent[]>,
  stored: ReadonlyMap<string, ModelRecord>,
  { finder, storage, tables, stops, upTo }: RewindParts,
): Promise<ModelRewind[]> {
  const rewinds: ModelRewind[] = [];
  for (const [id, events] of byModel) {
    const model = stored.get(id);
    const late = model === undefined ? [] : events.filter((event) => isLate(event, model.lastEventId));
    if (model === undefined || late.length === 0) continue;
    late.sort((a, b) => (a.envelope.id < b.envelope.id ? -1 : 1));
    const snapshot = await storage.readSnapshot(tables, id, late[0]!.envelope.id);
    // The events that the model has processed since the snapshot, and those of this batch.
    const count = model.version - (snapshot?.version ?? 0) + events.length;
    const replayed = await finder.ofModel(id, { after: snapshot?.eventId ?? null, count, upTo, stops }, events);
    rewinds.push(new ModelRewind(identityOfRecord(model), late, snapshot, replayed));
  }
  return rewinds;
}

/** The identity of a model, without its state. */
export function identityOfRecord({ id, key, owner, scope }: ModelIdentity): ModelIdentity {
  return { id, key, owner, scope };
}
