import type {
  IndexedModel,
  LogPlace,
  ModelRecord,
  ParsedRecord,
  Progress,
  StoredEvent,
  StoredRecord,
} from '../storage/index.js';
import { applyBatch, byEventId, keyOrNull, type ModelState, type StreamFailure } from './apply-batch.js';
import { stoppedStream } from './failures.js';
import { indexedValuesOf } from './indexed-values.js';
import { stopsOf, type ModelEvents } from './model-events.js';
import type { NamedPerspective } from './perspective.js';
import type { BatchStorage } from './batch-storage.js';
import { planRewinds, type ModelRewind } from './rewind.js';

/** What happened when a perspective took a batch. */
export interface Advance {
  readonly failures: readonly StreamFailure[];
  readonly rewinds: readonly ModelRewind[];
  /** How many events were applied. */
  readonly applied: number;
}

/**
 * Lets a perspective take a batch of records, and with them everything up to a place: the models and how far it has come are kept together, so each event counts once. A
 * model is what its events make of it in the order of their ids: one that comes late has its model made anew from the nearest
 * snapshot before it.
 */
export async function advance(
  named: NamedPerspective,
  from: Progress,
  { records, upTo }: { readonly records: readonly (StoredRecord | ParsedRecord)[]; readonly upTo: LogPlace },
  finder: ModelEvents,
  storage: BatchStorage,
): Promise<Advance> {
  const stops = stopsOf(await storage.readStopped(named.name));
  const events = finder.of(records, stops);
  const held = await storage.applyHeld?.(events, upTo);
  if (held === true) return { failures: [], rewinds: [], applied: events.length };
  const byKey = eventsByKey(named, events);
  const kept = new Map<string, ModelRecord>();
  if (byKey.size > 0) {
    for (const record of await storage.readModels(named.name, [...byKey.keys()])) kept.set(record.key, record);
  }
  const rewinds = await planRewinds(named, byKey, kept, { finder, storage, stops, upTo });
  const { states, all } = rewinds.length === 0 ? { states: kept, all: events } : replayed(named, events, kept, rewinds);
  const { models, snapshots, sources, failures } = applyBatch(named, states, all.toSorted(byEventId));
  await storage.commitPerspective({
    perspective: named.name,
    from,
    to: upTo.sequence,
    models: [
      ...models.values(),
      ...rewinds.filter(({ key }) => !models.has(key)).map((rewind) => withoutEvents(named, rewind)),
    ],
    sources,
    rewound: rewinds.map(({ key, snapshot }) => ({ key, afterEventId: snapshot?.eventId ?? null })),
    snapshots,
    stopped: failures.map(stoppedStream),
    resumed: [],
  });
  return { failures, rewinds, applied: all.length };
}

/** What there is to apply, and to what, when models are made anew. */
function replayed(
  named: NamedPerspective,
  events: readonly StoredEvent[],
  kept: ReadonlyMap<string, ModelRecord>,
  rewinds: readonly ModelRewind[],
): { states: ReadonlyMap<string, ModelState>; all: readonly StoredEvent[] } {
  const states = new Map<string, ModelState>(kept);
  const rewound = new Set<string>();
  for (const { key, snapshot } of rewinds) {
    rewound.add(key);
    if (snapshot === null) states.delete(key);
    else states.set(key, snapshot);
  }
  const usual = events.filter((event) => {
    const key = keyOrNull(named, event);
    return key === null || !rewound.has(key);
  });
  return { states, all: [...usual, ...rewinds.flatMap((rewind) => rewind.events)] };
}

/** What is left of a model when none of the events it was to be made of could be applied. */
export function withoutEvents(
  named: NamedPerspective,
  { key, snapshot, trigger }: Pick<ModelRewind, 'key' | 'snapshot' | 'trigger'>,
): IndexedModel {
  const { body = null, version = 0, scope = null } = snapshot ?? {};
  const indexed = indexedValuesOf(named, body);
  return { key, body, version, scope, lastEventId: snapshot?.eventId ?? trigger, indexed };
}

function eventsByKey(named: NamedPerspective, events: readonly StoredEvent[]): ReadonlyMap<string, StoredEvent[]> {
  const byKey = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const key = keyOrNull(named, event);
    if (key === null) continue;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [event]);
    else known.push(event);
  }
  return byKey;
}
