import type {
  IndexedModel,
  LogPlace,
  ModelRecord,
  ParsedRecord,
  PerspectiveCommit,
  Progress,
  StoredEvent,
  StoredRecord,
} from '../../storage/index.js';
import { applyBatch, beforeAllIds, type ModelState } from './apply-batch.js';
import { counted, stoppedStream, type CountedFailure } from './failures.js';
import { indexedValuesOf } from './indexed-values.js';
import { stopsOf, type ModelEvents, type Stops } from './model-events.js';
import { modelIdOrNull } from './model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import type { BatchStorage } from './batch-storage.js';
import { planRewinds, type ModelRewind } from './rewind.js';

/** The records that a perspective processes next, up to a place in the log. */
export interface Batch {
  readonly records: readonly (StoredRecord | ParsedRecord)[];
  readonly upTo: LogPlace;
}

/** The events of a batch for one perspective, with the models and rewinds they need, before they are applied. */
export interface PlannedBatch {
  readonly named: NamedPerspective;
  readonly events: readonly StoredEvent[];
  /** The stored models that the events belong to. */
  readonly stored: ReadonlyMap<string, ModelRecord>;
  readonly rewinds: readonly ModelRewind[];
  /** Where streams are stopped. */
  readonly stops: Stops;
  readonly upTo: LogPlace;
}

/** The result of a processed batch. */
export interface Advance {
  readonly failures: readonly CountedFailure[];
  /** How many events were applied. */
  readonly applied: number;
}

/** The changes of a batch, to be committed. */
export interface AppliedPlan extends Advance {
  readonly changes: Omit<PerspectiveCommit, 'from'>;
}

/**
 * Processes a batch for a perspective. Its models and its progress are committed together, so each event takes effect once.
 * `earlier`: where streams were stopped before a rebuild emptied the tables.
 */
export async function advance(
  named: NamedPerspective,
  from: Progress,
  batch: Batch,
  finder: ModelEvents,
  storage: BatchStorage,
  earlier?: Stops,
): Promise<Advance> {
  const stops = stopsOf(await storage.readStopped(named.name));
  const events = finder.of(batch.records, stops);
  const held = await storage.applyHeld?.(events, batch.upTo);
  if (held === true) return { failures: [], applied: events.length };
  const plan = await planEvents(named, events, batch.upTo, stops, finder, storage);
  const { changes, ...advanced } = applyPlan(plan, earlier);
  await storage.commitPerspective({ ...changes, from });
  return advanced;
}

/** Selects the events of a batch for a perspective, and the models to rewind. */
export async function planBatch(
  named: NamedPerspective,
  { records, upTo }: Batch,
  finder: ModelEvents,
  storage: BatchStorage,
): Promise<PlannedBatch> {
  const stops = stopsOf(await storage.readStopped(named.name));
  return await planEvents(named, finder.of(records, stops), upTo, stops, finder, storage);
}

async function planEvents(
  named: NamedPerspective,
  events: readonly StoredEvent[],
  upTo: LogPlace,
  stops: Stops,
  finder: ModelEvents,
  storage: BatchStorage,
): Promise<PlannedBatch> {
  const byModel = eventsByModel(named, events);
  const stored = new Map<string, ModelRecord>();
  if (byModel.size > 0) {
    for (const record of await storage.readModels(named.name, [...byModel.keys()])) stored.set(record.id, record);
  }
  const rewinds = await planRewinds(named, byModel, stored, { finder, storage, stops, upTo });
  return { named, events, stored, rewinds, stops, upTo };
}

/**
 * Applies a batch. Each model applies its events in the order of `inFoldOrder`; a late event rewinds its model to the nearest snapshot before it.
 */
export function applyPlan(
  { named, events, stored, rewinds, stops, upTo }: PlannedBatch,
  earlier: Stops = stops,
): AppliedPlan {
  const { states, all } =
    rewinds.length === 0 ? { states: stored, all: events } : replayed(named, events, stored, rewinds);
  const { models, snapshots, outdated, sources, failures: failed } = applyBatch(named, states, all);
  const failures = counted(failed, earlier);
  const changes = {
    perspective: named.name,
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
  };
  return { changes, failures, applied: all.length };
}

/** The states and events of a batch with rewinds. A rewound model starts at its snapshot and retains its owner. */
function replayed(
  named: NamedPerspective,
  events: readonly StoredEvent[],
  stored: ReadonlyMap<string, ModelRecord>,
  rewinds: readonly ModelRewind[],
): { states: ReadonlyMap<string, ModelState>; all: readonly StoredEvent[] } {
  const states = new Map<string, ModelState>(stored);
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

/** A rewound model when none of its events could be applied: the state of its snapshot. */
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
