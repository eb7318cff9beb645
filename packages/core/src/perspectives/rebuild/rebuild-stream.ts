import type { Uuid } from '../../json/index.js';
import {
  comparePlaces,
  ModelSources,
  PerspectiveMovedError,
  type IndexedModel,
  type LogPlace,
  type ModelSnapshot,
  type Progress,
  type StoredEvent,
} from '../../storage/index.js';
import { withoutEvents } from '../apply/advance.js';
import { applyBatch, beforeAllIds, type ModelState } from '../apply/apply-batch.js';
import { counted, stoppedStream, type CountedFailure } from '../apply/failures.js';
import { isLate } from '../apply/fold-order.js';
import { ModelEvents, stopsOf, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import { modelIdOrNull } from '../apply/model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { batchSize } from '../apply/perspective-worker.js';
import { identityOfRecord } from '../apply/rewind.js';

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
  /** Where streams were stopped before, including this one. */
  readonly #earlier: Stops;
  /** The initial models: empty, with their previous owners. */
  readonly #initial: ReadonlyMap<string, ModelState>;
  readonly #models = new Map<string, IndexedModel>();
  #snapshots: ModelSnapshot[] = [];
  readonly #sources = new ModelSources();
  readonly failures: CountedFailure[] = [];
  #from: Progress;
  replayed = 0;
  isCommitted = false;

  private constructor(
    named: NamedPerspective,
    streamId: Uuid,
    parts: PerspectiveParts,
    finder: ModelEvents,
    { from, ids, stops, earlier, initial }: StartedModels,
  ) {
    this.#named = named;
    this.#streamId = streamId;
    this.#parts = parts;
    this.#finder = finder;
    this.#from = from;
    this.#ids = ids;
    this.#stops = stops;
    this.#earlier = earlier;
    this.#initial = initial;
  }

  static async make(
    named: NamedPerspective,
    streamId: Uuid,
    parts: PerspectiveParts,
    signal: AbortSignal | undefined,
  ): Promise<ModelsOfStream> {
    const { storage, log } = parts;
    const finder = new ModelEvents(named, parts);
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
    const initial = new Map<string, ModelState>();
    for (const model of await storage.readModels(named.name, [...ids])) {
      initial.set(model.id, { ...identityOfRecord(model), body: null, version: 0, lastEventId: beforeAllIds });
    }
    const made = new ModelsOfStream(named, streamId, parts, finder, { from, ids, stops, earlier, initial });
    made.#apply(events);
    return made;
  }

  /** False: the perspective has processed more events since. */
  async tryToCommit(): Promise<boolean> {
    const { storage } = this.#parts;
    const { name } = this.#named;
    const stored = await storage.readModels(name, [...this.#ids]);
    const gone = stored.filter(({ id }) => !this.#models.has(id));
    try {
      await storage.commitPerspective({
        perspective: name,
        from: this.#from,
        to: this.#from.sequence,
        models: [
          ...this.#models.values(),
          ...gone.map((model) =>
            withoutEvents(this.#named, {
              identity: identityOfRecord(model),
              snapshot: null,
              trigger: model.lastEventId,
            }),
          ),
        ],
        sources: this.#sources.all(),
        rewound: [...this.#ids].map((id) => ({ id, afterEventId: null })),
        snapshots: this.#snapshots,
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
    if (!events.every((event) => this.#canAppend(event))) return false;
    this.#from = from;
    this.#apply(events);
    return this.failures.length === 0;
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

  #canAppend(event: StoredEvent): boolean {
    const id = modelIdOrNull(this.#named, event);
    if (id === null || !this.#ids.has(id)) return false;
    return !isLate(event, this.#models.get(id)?.lastEventId ?? beforeAllIds);
  }

  #apply(events: readonly StoredEvent[]): void {
    const states = new Map<string, ModelState>([...this.#initial, ...this.#models]);
    const { models, snapshots, outdated, sources, failures } = applyBatch(this.#named, states, events);
    for (const [id, model] of models) this.#models.set(id, model);
    for (const source of sources) this.#sources.add(source);
    const isRight = ({ id, eventId }: ModelSnapshot): boolean => eventId < (outdated.get(id) ?? afterAllIds);
    this.#snapshots = [...this.#snapshots.filter(isRight), ...snapshots];
    this.failures.push(...counted(failures, this.#earlier));
    this.replayed += events.length;
  }
}

const afterAllIds = 'g';

interface StartedModels {
  readonly from: Progress;
  readonly ids: ReadonlySet<string>;
  readonly stops: Stops;
  readonly earlier: Stops;
  readonly initial: ReadonlyMap<string, ModelState>;
}

/** Where other streams are stopped; this one resumes. */
async function readStops(named: NamedPerspective, streamId: Uuid, { storage }: PerspectiveParts): Promise<Stops> {
  const stopped = await storage.readStopped(named.name);
  return stopsOf(stopped.filter((stream) => stream.streamId !== streamId));
}

function isSame(a: Stops, b: Stops): boolean {
  return a.size === b.size && [...a].every(([streamId, { eventId }]) => b.get(streamId)?.eventId === eventId);
}
