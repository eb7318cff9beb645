import type { Uuid } from '../../json/index.js';
import {
  asTables,
  behindEverything,
  comparePlaces,
  isOfSegment,
  PerspectiveMovedError,
  type LogPlace,
  type ModelTables,
  type Progress,
  type StoredEvent,
} from '../../storage/index.js';
import { applyEvents, type AppliedEvents } from '../apply/apply-events.js';
import { counted, stoppedStream, type CountedFailure } from '../apply/failures.js';
import { isLate } from '../apply/fold-order.js';
import { ModelEvents, stopsOf, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import { modelIdOrNull } from '../apply/model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { partsOf } from '../apply/perspective-work.js';
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
    const { segments } = await parts.storage.readProgress(named.name);
    const rebuilt: RebuiltStream[] = [];
    const all = partsOf(named.name, segments?.length ?? 1);
    for (const { segment } of all) {
      const target = {
        named,
        streamId,
        tables: { ...asTables(named.name), ...(segment !== undefined && { segment }) },
      };
      const one = await rebuildPart(target, parts, signal);
      if (one === null) break;
      rebuilt.push(one);
    }
    if (rebuilt.length < all.length) continue;
    const replayed = rebuilt.reduce((sum, one) => sum + one.replayed, 0);
    return { replayed, failures: rebuilt.flatMap(({ failures }) => failures) };
  }
}

/** The models to rebuild: those with events of a stream, in all tables or in a segment. */
interface StreamTarget {
  readonly named: NamedPerspective;
  readonly streamId: Uuid;
  readonly tables: ModelTables;
}

/** Rebuilds the models of tables or of a segment. Null: the perspective is no longer divided as it was. */
async function rebuildPart(
  target: StreamTarget,
  parts: PerspectiveParts,
  signal: AbortSignal | undefined,
): Promise<RebuiltStream | null> {
  for (;;) {
    const made = await ModelsOfStream.make(target, parts, signal);
    if (made === null) return null;
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
  readonly #target: StreamTarget;
  readonly #parts: PerspectiveParts;
  readonly #finder: ModelEvents;
  readonly #ids: ReadonlySet<string>;
  readonly #stops: Stops;
  readonly #applied: AppliedEvents;
  readonly failures: readonly CountedFailure[];
  #from: Progress;
  replayed: number;
  isCommitted: boolean;

  private constructor(
    target: StreamTarget,
    parts: PerspectiveParts,
    finder: ModelEvents,
    { from, ids, stops, earlier, applied }: StartedModels,
  ) {
    this.#target = target;
    this.#parts = parts;
    this.#finder = finder;
    this.#from = from;
    this.#ids = ids;
    this.#stops = stops;
    this.#applied = applied;
    this.failures = counted(applied.failures, earlier);
    this.replayed = applied.applied;
    // A segment without models of the stream has nothing to commit, unless it has stopped at it, or stops now.
    const isConcerned = ids.size > 0 || earlier.has(target.streamId) || applied.failures.length > 0;
    this.isCommitted = target.tables.segment !== undefined && !isConcerned;
  }

  /** Null: the perspective is no longer divided as it was. */
  static async make(
    target: StreamTarget,
    parts: PerspectiveParts,
    signal: AbortSignal | undefined,
  ): Promise<ModelsOfStream | null> {
    const { named, streamId, tables } = target;
    const { segment } = tables;
    const { storage, log } = parts;
    const finder = ModelEvents.ofServing(named, parts, segment);
    signal?.throwIfAborted();
    const from = await storage.readProgress(tables);
    if (from.sequence === behindEverything || from.segments !== undefined) return null;
    const upTo = await log.placeAt(from.sequence);
    const earlier = stopsOf(await storage.readStopped(tables));
    const stops = await readStops(target, parts);
    const own = await finder.ofStream(streamId, upTo, stops);
    const known = named.perspective.keyOf === undefined ? [streamId] : await storage.readModelIds(named.name, streamId);
    const ids = new Set([
      ...known.filter((id) => segment === undefined || isOfSegment(id, segment)),
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
    return new ModelsOfStream(target, parts, finder, { from, ids, stops, earlier, applied });
  }

  /** False: the perspective has processed more events since. */
  async tryToCommit(): Promise<boolean> {
    if (this.isCommitted) return true;
    const { changes } = this.#applied;
    const { named, streamId, tables } = this.#target;
    try {
      await this.#parts.storage.commitPerspective({
        perspective: named.name,
        tables,
        from: this.#from,
        to: this.#from.sequence,
        models: [...changes.models.values()].map((model) => model.written()),
        ...changes.commit(),
        stopped: this.failures.map(stoppedStream),
        resumed: [streamId],
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
    const from = await storage.readProgress(this.#target.tables);
    if (from.sequence === behindEverything || from.segments !== undefined) return false;
    const events = await this.#processedSince(since, await log.placeAt(from.sequence));
    if (events === null || !isSame(this.#stops, await readStops(this.#target, this.#parts))) return false;
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
    const id = modelIdOrNull(this.#target.named, event);
    return event.streamId === this.#target.streamId || (id !== null && this.#ids.has(id));
  }

  /** False: an event is late for its model, belongs to another model, or cannot be applied. */
  #append(events: readonly StoredEvent[]): boolean {
    const { changes, models } = this.#applied;
    try {
      for (const event of events) {
        const id = modelIdOrNull(this.#target.named, event);
        const model = id === null ? undefined : models.get(id);
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
async function readStops({ streamId, tables }: StreamTarget, { storage }: PerspectiveParts): Promise<Stops> {
  const stopped = await storage.readStopped(tables);
  return stopsOf(stopped.filter((stream) => stream.streamId !== streamId));
}

function isSame(a: Stops, b: Stops): boolean {
  return a.size === b.size && [...a].every(([streamId, { eventId }]) => b.get(streamId)?.eventId === eventId);
}
