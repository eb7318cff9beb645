import type { Uuid } from '../json/index.js';
import type { LogPlace, ModelRecord, ModelSnapshot, StoredEvent } from '../storage/index.js';
import type { BatchStorage } from './batch-storage.js';
import type { ModelEvents, Stops } from './model-events.js';
import type { NamedPerspective } from './perspective.js';

/** A model that is made anew, because events came late. */
export interface ModelRewind {
  readonly key: string;
  /** The late events, each below one that the model has already; the lowest first. */
  readonly late: readonly StoredEvent[];
  /** The id of the lowest late event. */
  readonly trigger: Uuid;
  /** What it goes on from; null: it begins anew. */
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
  byKey: ReadonlyMap<string, readonly StoredEvent[]>,
  kept: ReadonlyMap<string, ModelRecord>,
  { finder, storage, stops, upTo }: RewindParts,
): Promise<ModelRewind[]> {
  const rewinds: ModelRewind[] = [];
  for (const [key, events] of byKey) {
    const last = kept.get(key)?.lastEventId;
    if (last === undefined || !events.some(({ envelope }) => envelope.id < last)) continue;
    const late = events.filter(({ envelope }) => envelope.id < last);
    late.sort((a, b) => (a.envelope.id < b.envelope.id ? -1 : 1));
    const trigger = late[0]!.envelope.id;
    const snapshot = await storage.readSnapshot(named.name, key, trigger);
    const streams = [...new Set(events.map(({ streamId }) => streamId))];
    const replayed =
      snapshot !== null && named.perspective.keyOf === undefined
        ? // What the model has taken since the snapshot, and what it takes now: all of its own stream.
          await finder.newestOfStream(
            key as Uuid,
            snapshot.eventId,
            kept.get(key)!.version - snapshot.version + events.length,
            upTo,
            stops,
          )
        : await finder.ofModel(key, snapshot?.eventId ?? null, upTo, stops, streams);
    rewinds.push({ key, late, trigger, snapshot, events: replayed });
  }
  return rewinds;
}
