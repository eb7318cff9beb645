import type {
  IndexedModel,
  LogPlace,
  ModelRecord,
  ParsedRecord,
  Progress,
  StoredEvent,
  StoredRecord,
} from '../storage/index.js';
import { applyBatch, beforeAllIds, type ModelState, type StreamFailure } from './apply-batch.js';
import { stoppedStream } from './failures.js';
import { indexedValuesOf } from './indexed-values.js';
import { stopsOf, type ModelEvents } from './model-events.js';
import { modelIdOrNull } from './model-identity.js';
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
 * model is what its events make of it in the order of `inFoldOrder`: one that comes late rewinds its model to the nearest snapshot before
 * it.
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
  const byModel = eventsByModel(named, events);
  const kept = new Map<string, ModelRecord>();
  if (byModel.size > 0) {
    for (const record of await storage.readModels(named.name, [...byModel.keys()])) kept.set(record.id, record);
  }
  const rewinds = await planRewinds(named, byModel, kept, { finder, storage, stops, upTo });
  const { states, all } = rewinds.length === 0 ? { states: kept, all: events } : replayed(named, events, kept, rewinds);
  const { models, snapshots, outdated, sources, failures } = applyBatch(named, states, all);
  await storage.commitPerspective({
    perspective: named.name,
    from,
    to: upTo.sequence,
    models: [
      ...models.values(),
      ...rewinds.filter(({ id }) => !models.has(id)).map((rewind) => withoutEvents(named, rewind)),
    ],
    sources,
    rewound: [
      ...rewinds.map(({ id, snapshot }) => ({ id, afterEventId: snapshot?.eventId ?? null })),
      ...[...outdated].map(([id, afterEventId]) => ({ id, afterEventId })),
    ],
    snapshots,
    stopped: failures.map(stoppedStream),
    resumed: [],
  });
  return { failures, rewinds, applied: all.length };
}

/** What there is to apply, and to what, when models are rewound. They stay whose they are. */
function replayed(
  named: NamedPerspective,
  events: readonly StoredEvent[],
  kept: ReadonlyMap<string, ModelRecord>,
  rewinds: readonly ModelRewind[],
): { states: ReadonlyMap<string, ModelState>; all: readonly StoredEvent[] } {
  const states = new Map<string, ModelState>(kept);
  const rewound = new Set<string>();
  for (const { id, identity, snapshot } of rewinds) {
    rewound.add(id);
    const { body = null, version = 0, eventId: lastEventId = beforeAllIds } = snapshot ?? {};
    states.set(id, { ...identity, body, version, lastEventId });
  }
  const usual = events.filter((event) => {
    const id = modelIdOrNull(named, event);
    return id === null || !rewound.has(id);
  });
  return { states, all: [...usual, ...rewinds.flatMap((rewind) => rewind.events)] };
}

/** What is left of a model when none of the events it was to be made of could be applied. */
export function withoutEvents(
  named: NamedPerspective,
  { identity, snapshot, trigger }: Pick<ModelRewind, 'identity' | 'snapshot' | 'trigger'>,
): IndexedModel {
  const { body = null, version = 0 } = snapshot ?? {};
  const indexed = indexedValuesOf(named, body);
  return { ...identity, body, version, lastEventId: snapshot?.eventId ?? trigger, indexed };
}

function eventsByModel(named: NamedPerspective, events: readonly StoredEvent[]): ReadonlyMap<string, StoredEvent[]> {
  const byModel = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const id = modelIdOrNull(named, event);
    if (id === null) continue;
    const known = byModel.get(id);
    if (known === undefined) byModel.set(id, [event]);
    else known.push(event);
  }
  return byModel;
}
