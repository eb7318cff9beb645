import type { Uuid } from '../json/index.js';
import {
  snapshotsKept,
  type IndexedModel,
  type ModelRecord,
  type ModelSnapshot,
  type ModelSource,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type StoppedStream,
} from '../storage/index.js';
import type { BatchStorage } from './batch-storage.js';

const usualLargestCommit = 1_000;
/** How many characters of models are held at most, kept or not, and how many a model counts beside its own. */
const mostCharacters = 32_000_000;
const charactersBeside = 400;
/** How much is lost at most, in time, when the host is killed. */
const keepEveryMs = 1_000;

/**
 * Gathers what many batches do to tables that nobody else reads, so that a model is written once for all of them, and read never again
 * while there is room for it. What is gathered is kept as one commit, while the next batches are taken: whole or not at all, like each
 * of them. When somebody else has kept something meanwhile, that is a `PerspectiveMovedError`, and what was gathered is worth nothing.
 */
export class ReplayBuffer implements BatchStorage {
  readonly #perspective: string;
  readonly #storage: PerspectiveStorage;
  readonly #largestCommit: number;
  /** Models as they are after the last batch, as far as there is room. */
  readonly #models = new Map<string, ModelRecord>();
  #characters = 0;
  /** Whether there are no models but those. */
  #knowsAll: boolean;
  #stopped: Map<Uuid, StoppedStream> | undefined;
  #pending = new PendingChanges();
  #progress: Progress;
  #keptAt = performance.now();
  #keeping: Promise<void> | undefined;

  constructor(perspective: string, from: Progress, storage: PerspectiveStorage) {
    this.#perspective = perspective;
    this.#storage = storage;
    this.#largestCommit = storage.largestCommit ?? usualLargestCommit;
    this.#progress = from;
    this.#pending.from = from;
    this.#knowsAll = from.sequence < 0;
  }

  /** How far it is, kept or not. */
  get progress(): Progress {
    return this.#progress;
  }

  async readModels(_perspective: string, keys: readonly string[]): Promise<readonly ModelRecord[]> {
    const unknown = this.#knowsAll ? [] : keys.filter((key) => !this.#models.has(key));
    if (unknown.length > 0) {
      await this.#keeping;
      for (const model of await this.#storage.readModels(this.#perspective, unknown)) this.#remember(model);
    }
    return keys.map((key) => this.#models.get(key)).filter((model) => model !== undefined);
  }

  async readStopped(): Promise<readonly StoppedStream[]> {
    this.#stopped ??= new Map(
      (await this.#storage.readStopped(this.#perspective)).map((stopped) => [stopped.streamId, stopped]),
    );
    return [...this.#stopped.values()];
  }

  async readSources(_perspective: string, key: string, afterEventId: Uuid | null): Promise<readonly Uuid[]> {
    await this.#keeping;
    const kept = await this.#storage.readSources(this.#perspective, key, afterEventId);
    return [...new Set([...kept, ...this.#pending.sourcesOf(key, afterEventId)])];
  }

  async readSnapshot(_perspective: string, key: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    await this.#keeping;
    const pending = this.#pending.snapshotBefore(key, beforeEventId);
    if (pending !== undefined) return pending;
    const before = this.#pending.validBefore(key, beforeEventId);
    return before === null ? null : await this.#storage.readSnapshot(this.#perspective, key, before);
  }

  commitPerspective(commit: PerspectiveCommit): void {
    this.#progress = { ...this.#progress, sequence: commit.to };
    for (const model of commit.models) this.#remember(model);
    for (const stopped of commit.stopped) this.#stopped?.set(stopped.streamId, stopped);
    this.#pending.add(commit);
  }

  /** Lets what was gathered be kept when it is time to: there is much of it, or it is old. */
  async keepSome(): Promise<void> {
    const isFull = this.#characters > mostCharacters;
    if (!isFull && this.#pending.models.size < this.#largestCommit && performance.now() - this.#keptAt < keepEveryMs)
      return;
    await this.#keep();
    if (!isFull) return;
    await this.#keeping;
    this.#models.clear();
    this.#characters = 0;
    this.#knowsAll = false;
  }

  /** Resolves once everything is kept. */
  async keepAll(): Promise<void> {
    await this.#keep();
    await this.#keeping;
  }

  /** Once what was gathered before is kept. */
  async #keep(): Promise<void> {
    await this.#keeping;
    const { from, ...pending } = this.#pending.commitOf(this.#perspective, this.#progress.sequence);
    if (from.sequence === this.#progress.sequence) return;
    this.#progress = { ...this.#progress, revision: from.revision + 1 };
    this.#pending = new PendingChanges();
    this.#pending.from = this.#progress;
    this.#keptAt = performance.now();
    this.#keeping = Promise.resolve(this.#storage.commitPerspective({ ...pending, from }));
    // Told to whoever waits for it, or keeps more.
    this.#keeping.catch(() => {});
  }

  #remember(model: ModelRecord): void {
    this.#characters -= sizeOf(this.#models.get(model.key));
    this.#characters += sizeOf(model);
    this.#models.set(model.key, model);
  }
}

function sizeOf(model: ModelRecord | undefined): number {
  return model === undefined ? 0 : (model.body?.length ?? 0) + charactersBeside;
}

/** What batches did that is not kept yet, as one. */
class PendingChanges {
  from: Progress = { sequence: -1, revision: 0 };
  readonly models = new Map<string, IndexedModel>();
  readonly #sources = new Map<string, Map<Uuid, Uuid>>();
  /** By key, in the order of their events. */
  readonly #snapshots = new Map<string, readonly ModelSnapshot[]>();
  /** The event behind which a model was made anew; the lowest of several. */
  readonly #rewound = new Map<string, Uuid | null>();
  readonly #stopped = new Map<Uuid, StoppedStream>();

  add({ models, sources, rewound, snapshots, stopped }: PerspectiveCommit): void {
    for (const model of models) this.models.set(model.key, model);
    for (const { key, streamId, lastEventId } of sources) this.#addSource(key, streamId, lastEventId);
    for (const { key, afterEventId } of rewound) this.#rewind(key, afterEventId);
    for (const snapshot of snapshots) this.#addSnapshot(snapshot);
    for (const stream of stopped) this.#stopped.set(stream.streamId, stream);
  }

  sourcesOf(key: string, afterEventId: Uuid | null): Uuid[] {
    const streams = [...(this.#sources.get(key) ?? [])];
    return streams.filter(([, last]) => afterEventId === null || last > afterEventId).map(([streamId]) => streamId);
  }

  snapshotBefore(key: string, eventId: Uuid): ModelSnapshot | undefined {
    return this.#snapshots.get(key)?.findLast((snapshot) => snapshot.eventId < eventId);
  }

  /** Before which event snapshots that are kept are still right; null: none is. */
  validBefore(key: string, eventId: Uuid): Uuid | null {
    const after = this.#rewound.get(key);
    if (after === undefined) return eventId;
    if (after === null) return null;
    return after < eventId ? nextUuid(after) : eventId;
  }

  commitOf(perspective: string, to: number): PerspectiveCommit {
    const sources: ModelSource[] = [];
    for (const [key, streams] of this.#sources) {
      for (const [streamId, lastEventId] of streams) sources.push({ key, streamId, lastEventId });
    }
    return {
      perspective,
      from: this.from,
      to,
      models: [...this.models.values()],
      sources,
      rewound: [...this.#rewound].map(([key, afterEventId]) => ({ key, afterEventId })),
      snapshots: [...this.#snapshots.values()].flat(),
      stopped: [...this.#stopped.values()],
      resumed: [],
    };
  }

  #addSource(key: string, streamId: Uuid, lastEventId: Uuid): void {
    let streams = this.#sources.get(key);
    if (streams === undefined) this.#sources.set(key, (streams = new Map()));
    if ((streams.get(streamId) ?? '') < lastEventId) streams.set(streamId, lastEventId);
  }

  #rewind(key: string, afterEventId: Uuid | null): void {
    const known = this.#rewound.get(key);
    if (known === undefined || afterEventId === null || (known !== null && afterEventId < known)) {
      this.#rewound.set(key, afterEventId);
    }
    const right = this.#snapshots.get(key)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
    if (right !== undefined) this.#snapshots.set(key, right);
  }

  /** Those that would be thrown away are not kept at all. */
  #addSnapshot(snapshot: ModelSnapshot): void {
    const others = (this.#snapshots.get(snapshot.key) ?? []).filter(({ eventId }) => eventId !== snapshot.eventId);
    const all = [...others, snapshot].toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
    this.#snapshots.set(snapshot.key, all.slice(-snapshotsKept));
  }
}

/** The lowest id above another. */
function nextUuid(id: Uuid): Uuid {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Uuid;
}
