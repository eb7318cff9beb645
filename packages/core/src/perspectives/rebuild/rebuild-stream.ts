import type { Uuid } from '../../json/index.js';
import {
  comparePlaces,
  PerspectiveMovedError,
  type LogPlace,
  type Progress,
  type StoredEvent,
} from '../../storage/index.js';
import { applyEvents, type AppliedEvents } from '../apply/apply-events.js';
import { counted, stoppedStream, type CountedFailure } from '../apply/failures.js';
import { isLate } from '../apply/fold-order.js';
import { ModelEvents, stopsOf, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import { modelIdOrNull } from '../apply/model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { identityOfRecord, ModelRewind } from '../apply/rewind.js';
import { batchSize } from './catch-up.js';

/** The result: how many events were applied, and which failed. */
export interface RebuiltStream {
  readonly replayed: number;
  readonly failures: readonly CountedFailure[];
}

/** Rebuilds every model that has events of a stream, from the model's first event. A stopped stream resumes. */
export async function rebuildStream(
  named: NamedPerspective,
  streamId: Uuid,
  parts: PerspectiveParts,
  signal?: AbortSignal,
): Promise<RebuiltStream> {
  for (;;) {
    const made = await ModelsOfStream.make(named, streamId, parts, signal);
    while (!(await made.tryToCommit())) {
      signal?.throwIfAborted();
      // The perspective has processed more events in the background. Only if they cannot be appended to what was read,
      // everything is read again.
      if (!(await made.tryToCatchUp())) break;
    }
    if (made.isCommitted) return made;
  }
}

/** The models that have events of a stream, rebuilt up to the perspective's last known progress. */
class ModelsOfStream implements RebuiltStream {
  readonly #named: NamedPerspective;
  readonly #streamId: Uuid;
  readonly #parts: PerspectiveParts;
  readonly #finder: ModelEvents;
  readonly #ids: ReadonlySet<string>;
  readonly #stops: Stops;
  readonly #applied: AppliedEvents;
  readonly failures: readonly CountedFailure[];
  #from: Progress;
  replayed: number;
  isCommitted = false;

  private constructor(
    named: NamedPerspective,
    streamId: Uuid,
    parts: PerspectiveParts,
    finder: ModelEvents,
    { from, ids, stops, earlier, applied }: StartedModels,
  ) {
    this.#named = named;
    this.#streamId = streamId;
    this.#parts = parts;
    this.#finder = finder;
    this.#from = from;
    this.#ids = ids;
    this.#stops = stops;
    this.#applied = applied;
    this.failures = counted(applied.failures, earlier);
    this.replayed = applied.applied;
  }

  static async make(
    named: NamedPerspective,
    streamId: Uuid,
    parts: PerspectiveParts,
    signal: AbortSignal | undefined,
  ): Promise<ModelsOfStream> {
    const { storage, log } = parts;
    const finder = ModelEvents.ofServing(named, parts);
    signal?.throwIfAborted();
    const from = await storage.readProgress(named.name);
    const upTo = await log.placeAt(from.sequence);
    const earlier = stopsOf(await storage.readStopped(named.name));
    const stops = await readStops(named, streamId, parts);
    const own = await finder.ofStream(streamId, upTo, stops);
    const ids = new Set([
      ...(named.perspective.keyOf === undefined ? [streamId] : await storage.readModelIds(named.name, streamId)),
      ...own.map((event) => modelIdOrNull(named, event)).filter((id) => id !== null),
    ]);
    // Includes events whose model cannot be determined: they fail when they are applied, and report why.
    const events: StoredEvent[] = own.filter((event) => modelIdOrNull(named, event) === null);
    const wanted = { after: null, count: Infinity, upTo, stops, signal };
    for (const id of ids) events.push(...(await finder.ofModel(id, wanted, own)));
    // Models that exist start empty, and retain their owners.
    const stored = await storage.readModels(named.name, [...ids]);
    const rewinds = stored.map((model) => {
      const ofModel = events.filter((event) => modelIdOrNull(named, event) === model.id);
      return new ModelRewind(identityOfRecord(model), [], null, ofModel);
    });
    const applied = applyEvents({ named, events, stored: new Map(), rewinds });
    return new ModelsOfStream(named, streamId, parts, finder, { from, ids, stops, earlier, applied });
  }

  /** False: the perspective has processed more events since. */
  async tryToCommit(): Promise<boolean> {
    const { changes } = this.#applied;
    try {
      await this.#parts.storage.commitPerspective({
        perspective: this.#named.name,
        from: this.#from,
        to: this.#from.sequence,
        models: [...changes.models.values()].map((model) => model.written()),
        ...changes.commit(),
        stopped: this.failures.map(stoppedStream),
        resumed: [this.#streamId],
      });
      this.isCommitted = true;
    } catch (error) {
      if (!(error instanceof PerspectiveMovedError)) throw error;
    }
    return this.isCommitted;
  }

  /** Adds the events that the perspective has processed since. False: they cannot be added, as when one is late for its model. */
  async tryToCatchUp(): Promise<boolean> {
    if (this.failures.length > 0) return false;
    const { storage, log } = this.#parts;
    const since = this.#from;
    const from = await storage.readProgress(this.#named.name);
    const events = await this.#processedSince(since, await log.placeAt(from.sequence));
    if (events === null || !isSame(this.#stops, await readStops(this.#named, this.#streamId, this.#parts)))
      return false;
    this.#from = from;
    return this.#append(events);
  }

  /** Null: the progress was reset to an earlier place, as by a rebuild. */
  async #processedSince(since: Progress, upTo: LogPlace): Promise<StoredEvent[] | null> {
    const { log } = this.#parts;
    if (comparePlaces(upTo, await log.placeAt(since.sequence)) < 0) return null;
    const found: StoredEvent[] = [];
    for await (const { records, upTo: end } of log.readReplayPages(since.sequence, batchSize, this.#finder.types)) {
      const processed = records.filter((record) => comparePlaces(record, upTo) <= 0);
      const events = this.#finder.of(processed, this.#stops);
      found.push(...events.filter((event) => this.#concerns(event)));
      if (comparePlaces(end, upTo) >= 0) break;
    }
    return found;
  }

  #concerns(event: StoredEvent): boolean {
    const id = modelIdOrNull(this.#named, event);
    return event.streamId === this.#streamId || (id !== null && this.#ids.has(id));
  }

  /** False: an event is late for its model, belongs to another model, or cannot be applied. */
  #append(events: readonly StoredEvent[]): boolean {
    const { changes, models } = this.#applied;
    try {
      for (const event of events) {
        const model = models.get(modelIdOrNull(this.#named, event) ?? '');
        if (model === undefined || isLate(event, model.lastEventId)) return false;
        changes.apply(event, model);
      }
      for (const model of changes.models.values()) model.written();
    } catch {
      return false;
    }
    this.replayed += events.length;
    return true;
  }
}

interface StartedModels {
  readonly from: Progress;
  readonly ids: ReadonlySet<string>;
  readonly stops: Stops;
  /** Where streams were stopped before, including this one. */
  readonly earlier: Stops;
  readonly applied: AppliedEvents;
}

/** Where other streams are stopped; this one resumes. */
async function readStops(named: NamedPerspective, streamId: Uuid, { storage }: PerspectiveParts): Promise<Stops> {
  const stopped = await storage.readStopped(named.name);
  return stopsOf(stopped.filter((stream) => stream.streamId !== streamId));
}

function isSame(a: Stops, b: Stops): boolean {
  return a.size === b.size && [...a].every(([streamId, { eventId }]) => b.get(streamId)?.eventId === eventId);
}
