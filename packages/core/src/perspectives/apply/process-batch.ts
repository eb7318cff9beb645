import type {
  LogPlace,
  ModelRecord,
  ParsedRecord,
  PerspectiveStorage,
  StoredEvent,
  StoredRecord,
} from '../../storage/index.js';
import { applyEvents, type EventsToApply } from './apply-events.js';
import { counted, stoppedStream, type CountedFailure } from './failures.js';
import type { EventsInOrder } from './loaded-models.js';
import type { ModelBuffer } from './model-buffer.js';
import type { ModelEvents, Stops } from './model-events.js';
import { modelIdOrNull } from './model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { planRewinds, type ModelRewind } from './rewind.js';

/** The records that a perspective processes next, up to a place in the log. */
export interface Batch {
  readonly records: readonly (StoredRecord | ParsedRecord)[];
  readonly upTo: LogPlace;
}

/** The events of a batch for one perspective, with the models that they belong to, before they are applied. */
export interface PlannedBatch {
  readonly upTo: LogPlace;
  /** Where streams are stopped. */
  readonly stops: Stops;
  readonly rewinds: readonly ModelRewind[];
  /** Models in memory, or stored models. */
  readonly work: EventsInOrder | EventsToApply;
}

/** The result of a processed batch. */
export interface Advance {
  readonly failures: readonly CountedFailure[];
  /** How many events were applied. */
  readonly applied: number;
}

interface ProcessorParts {
  readonly buffer: ModelBuffer;
  readonly finder: ModelEvents;
  readonly storage: Pick<PerspectiveStorage, 'readSnapshot'>;
}

/**
 * Processes batches for a perspective. Usually events are applied to models in memory. A batch with a late event, or with one that cannot be
 * applied, is applied to stored models instead, because these can be restored.
 */
export class BatchProcessor {
  readonly #named: NamedPerspective;
  readonly #parts: ProcessorParts;

  constructor(named: NamedPerspective, parts: ProcessorParts) {
    this.#named = named;
    this.#parts = parts;
  }

  /** Selects the events of a batch and loads their models. `isCareful`: an event of the batch may not be applicable. */
  async plan({ records, upTo }: Batch, isCareful: boolean): Promise<PlannedBatch> {
    const { buffer, finder } = this.#parts;
    const stops = await buffer.readStops();
    const events = finder.of(records, stops);
    const inOrder = isCareful ? null : await buffer.load(events);
    if (inOrder !== null) return { upTo, stops, rewinds: [], work: inOrder };
    const byModel = eventsByModel(this.#named, events);
    const stored = new Map<string, ModelRecord>();
    for (const record of await buffer.readStored([...byModel.keys()])) stored.set(record.id, record);
    const rewinds = await planRewinds(byModel, stored, { ...this.#parts, tables: buffer.tables, stops, upTo });
    return { upTo, stops, rewinds, work: { named: this.#named, events, stored, rewinds } };
  }

  /** Applies a planned batch. The buffer commits its changes. `earlier`: where streams were stopped before a rebuild emptied the tables. */
  process({ upTo, stops, work }: PlannedBatch, earlier: Stops = stops): Advance {
    const { buffer } = this.#parts;
    if ('models' in work) {
      buffer.apply(work, upTo);
      return { failures: [], applied: work.events.length };
    }
    const result = applyEvents(work);
    const failures = counted(result.failures, earlier);
    buffer.add(result, failures.map(stoppedStream), upTo);
    return { failures, applied: result.applied };
  }
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
