import type { IndexedModel, ModelRecord, Progress, StoredEvent, StoredRecord } from '../storage/index.js';
import { applyBatch, byEventId, keyOrNull, type ModelState, type StreamFailure } from './apply-batch.js';
import { stoppedStream } from './failures.js';
import { indexedValuesOf } from './indexed-values.js';
import { stopsOf, type ModelEvents, type PerspectiveParts } from './model-events.js';
import type { NamedPerspective } from './perspective.js';
import { planRewinds, type ModelRewind } from './rewind.js';

/** What happened when a perspective took a batch. */
export interface Advance {
  readonly failures: readonly StreamFailure[];
  readonly rewinds: readonly ModelRewind[];
  /** How many events were applied. */
  readonly applied: number;
}

/**
 * Lets a perspective take a batch of records: the models and how far it has come are kept together, so each event counts once. A
 * model is what its events make of it in the order of their ids: one that comes late has its model made anew from the nearest
 * snapshot before it.
 */
export async function advance(
  named: NamedPerspective,
  from: Progress,
  records: readonly StoredRecord[],
  finder: ModelEvents,
  parts: PerspectiveParts,
): Promise<Advance> {
  const { storage } = parts;
  const last = records.at(-1)!;
  const stops = stopsOf(await storage.readStopped(named.name));
  const events = finder.of(records, stops);
  const byKey = eventsByKey(named, events);
  const kept = new Map<string, ModelRecord>();
  if (byKey.size > 0) {
    for (const record of await storage.readModels(named.name, [...byKey.keys()])) kept.set(record.key, record);
  }
  const rewinds = await planRewinds(named, byKey, kept, { finder, storage, stops, upTo: last });
  const rewound = new Map(rewinds.map((rewind) => [rewind.key, rewind]));
  const states = new Map<string, ModelState>(kept);
  for (const { key, snapshot } of rewinds) {
    if (snapshot === null) states.delete(key);
    else states.set(key, snapshot);
  }
  const usual = events.filter((event) => {
    const key = keyOrNull(named, event);
    return key === null || !rewound.has(key);
  });
  const all = [...usual, ...rewinds.flatMap((rewind) => rewind.events)].toSorted(byEventId);
  const { models, snapshots, sources, failures } = applyBatch(named, states, all);
  await storage.commitPerspective({
    perspective: named.name,
    from,
    to: last.sequence,
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
