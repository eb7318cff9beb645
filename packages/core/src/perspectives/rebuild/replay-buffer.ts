import type { Uuid } from '../../json/index.js';
import { nextTurn } from '../../background/index.js';
import {
  asTables,
  type IndexedModel,
  type LogPlace,
  type ModelRecord,
  type ModelSnapshot,
  type ModelTables,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
  type StoredEvent,
  type TablesRef,
} from '../../storage/index.js';
import type { BatchStorage } from '../apply/batch-storage.js';
import { eventsPerSnapshot } from '../apply/apply-batch.js';
import { isLate } from '../apply/fold-order.js';
import { hasSource } from '../apply/has-source.js';
import { HeldModel, HeldModelLostError } from './held-model.js';
import { modelIdsOf } from '../apply/model-identity.js';
import { PendingChanges } from './pending-changes.js';
import type { NamedPerspective } from '../perspective.js';

/** The most characters of models in memory, committed or not, and how many a model counts in addition to its own. */
export const mostCharacters = 32_000_000;
const charactersPerModel = 400;
/** The most uncommitted characters of sources and snapshots. */
export const mostPendingCharacters = 16_000_000;
/** The most changed models before the first commit: their sizes are unknown until they are written. */
export const mostUnknown = 1_000;
/** How often changes are committed: the work that is lost when the host crashes. Less often where a commit takes long. */
export const commitEveryMs = 1_000;
export const timesAsLong = 10;
export const commitAtLeastEveryMs = 30_000;
/** How many models are written before other work gets a turn of the event loop. */
const modelsPerTurn = 1_000;

/**
 * Collects the changes of many batches to tables that only a rebuild uses, so that a model is read and written once for all of them. One commit
 * stores them atomically while the next batches are applied. If another host has committed to the tables, the commit fails with a
 * `PerspectiveMovedError` and the collected changes are discarded.
 */
export class ReplayBuffer implements BatchStorage {
  readonly #holdsModels: boolean;
  readonly #named: NamedPerspective;
  readonly #tables: ModelTables;
  readonly #storage: PerspectiveStorage;
  readonly #largestCommit: number;
  /** The models after the last batch, within the limit. */
  readonly #models = new Map<string, ModelRecord>();
  #characters = 0;
  readonly #sizes = new Map<string, number>();
  /** Whether `#models` has every model of the tables. */
  #hasAll: boolean;
  #stopped: Map<Uuid, StoppedStream> | undefined;
  #pending = new PendingChanges();
  #progress: Progress;
  #committing: Promise<void> | undefined;
  /** When the last commit started; Infinity during a commit. */
  #committedAt = performance.now();
  /** How long the last commit took per row. */
  #msPerRow = 0;

  constructor(
    named: NamedPerspective,
    tables: TablesRef,
    from: Progress,
    storage: PerspectiveStorage,
    holdsModels: boolean,
  ) {
    this.#holdsModels = holdsModels;
    this.#named = named;
    this.#tables = asTables(tables);
    this.#storage = storage;
    this.#largestCommit = storage.largestCommit;
    this.#progress = from;
    this.#pending.from = from;
    this.#hasAll = from.sequence < 0;
  }

  /** The progress, committed or not. */
  get progress(): Progress {
    return this.#progress;
  }

  async readModels(_perspective: TablesRef, ids: readonly string[]): Promise<readonly ModelRecord[]> {
    await this.#load(ids);
    const models = ids.map((id) => this.#models.get(id)).filter((model) => model !== undefined);
    return models.map((model) => (model instanceof HeldModel ? written(model) : model));
  }

  async applyHeld(events: readonly StoredEvent[], upTo: LogPlace): Promise<boolean> {
    if (!this.#holdsModels) return false;
    const ids = modelIdsOf(this.#named, events);
    if (ids === null) return false;
    await this.#load(ids);
    try {
      const models = this.#inOrder(ids, events);
      if (models === null) return false;
      for (let i = 0; i < models.length; i++) if (models[i] !== null) this.#apply(events[i]!, models[i]!);
    } catch {
      throw new HeldModelLostError();
    }
    this.#progress = { ...this.#progress, sequence: upTo.sequence };
    return true;
  }

  async readStopped(): Promise<readonly StoppedStream[]> {
    this.#stopped ??= new Map(
      (await this.#storage.readStopped(this.#tables)).map((stopped) => [stopped.streamId, stopped]),
    );
    return [...this.#stopped.values()];
  }

  async readSources(
    _perspective: TablesRef,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage> {
    await this.#committing;
    const stored = await this.#storage.readSources(this.#tables, id, afterEventId, next);
    if (next !== null) return stored;
    return { ...stored, sources: [...this.#pending.sources.of(id, afterEventId), ...stored.sources] };
  }

  async readSnapshot(_perspective: TablesRef, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    await this.#committing;
    const pending = this.#pending.snapshotBefore(id, beforeEventId);
    if (pending !== undefined) return pending;
    const before = this.#pending.validBefore(id, beforeEventId);
    return before === null ? null : await this.#storage.readSnapshot(this.#tables, id, before);
  }

  commitPerspective(commit: PerspectiveCommit): void {
    this.#progress = { ...this.#progress, sequence: commit.to };
    for (const model of commit.models) this.#remember(model);
    for (const stopped of commit.stopped) this.#stopped?.set(stopped.streamId, stopped);
    this.#pending.add(commit);
  }

  /** Commits the collected changes if they are many or old. */
  async commitIfDue(): Promise<void> {
    const isFull = this.#heldCharacters > mostCharacters;
    if (!isFull && !this.#isLarge && !this.#isOld) return;
    await this.#startCommit();
    if (!isFull) return;
    await this.#committing;
    this.#models.clear();
    this.#sizes.clear();
    this.#characters = 0;
    this.#hasAll = false;
  }

  get #isLarge(): boolean {
    const { rows, characters, models } = this.#pending;
    const isUnknown = this.#sizes.size === 0 && models.size >= mostUnknown;
    return rows >= this.#largestCommit || characters >= mostPendingCharacters || isUnknown;
  }

  get #isOld(): boolean {
    const pause = Math.max(commitEveryMs, timesAsLong * this.#msPerRow * this.#pending.rows);
    return performance.now() >= this.#committedAt + Math.min(pause, commitAtLeastEveryMs);
  }

  /** Models that were never written count as the average of the others. */
  get #heldCharacters(): number {
    const known = this.#sizes.size;
    return known === 0 ? 0 : (this.#characters / known) * this.#models.size;
  }

  /** Resolves once everything is committed. */
  async commitAll(): Promise<void> {
    await this.#startCommit();
    await this.#committing;
  }

  /** Starts a commit after the previous one has ended. */
  async #startCommit(): Promise<void> {
    await this.#committing;
    const { from, ...pending } = this.#pending.commitOf(this.#tables, this.#progress.sequence);
    if (from.sequence === this.#progress.sequence) return;
    const models: IndexedModel[] = [];
    for (const model of this.#pending.models.values()) {
      models.push(this.#written(model));
      if (models.length % modelsPerTurn === 0) await nextTurn();
    }
    this.#progress = { ...this.#progress, revision: from.revision + 1 };
    this.#pending = new PendingChanges();
    this.#pending.from = this.#progress;
    this.#committing = this.#commit({ ...pending, from, models });
    // The next commit, or the caller of `commitAll`, receives the error.
    this.#committing.catch(() => {});
  }

  async #commit(commit: PerspectiveCommit): Promise<void> {
    const started = performance.now();
    this.#committedAt = Infinity;
    try {
      await this.#storage.commitPerspective(commit);
      this.#msPerRow = (performance.now() - started) / rowsOf(commit);
      this.#committedAt = started;
    } catch (error) {
      // The next batch commits at once and receives the error.
      this.#committedAt = -Infinity;
      throw error;
    }
  }

  async #load(ids: readonly (string | null)[]): Promise<void> {
    if (this.#hasAll) return;
    const unknown = new Set(ids.filter((id) => id !== null && !this.#models.has(id)) as string[]);
    if (unknown.size === 0) return;
    await this.#committing;
    for (const model of await this.#storage.readModels(this.#tables, [...unknown])) this.#remember(model);
  }

  /** The models that events belong to; null if one of the events is late for its model. */
  #inOrder(ids: readonly (string | null)[], events: readonly StoredEvent[]): (HeldModel | null)[] | null {
    const models: (HeldModel | null)[] = [];
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      const model = id === null ? null : this.#held(id, events[i]!);
      models.push(model);
      if (model === null) continue;
      const event = events[i]!;
      if (isLate(event, model.expectedId)) {
        this.#putBack(models);
        return null;
      }
      if (event.envelope.id > model.expectedId) model.expectedId = event.envelope.id;
    }
    return models;
  }

  /** Undoes the checks of `#inOrder`. */
  #putBack(models: readonly (HeldModel | null)[]): void {
    for (const model of models) {
      if (model === null) continue;
      model.expectedId = model.lastEventId;
      if (model.version === 0) this.#models.delete(model.id);
    }
  }

  #held(id: string, first: StoredEvent): HeldModel {
    const known = this.#models.get(id);
    if (known instanceof HeldModel) return known;
    const model = known === undefined ? HeldModel.begun(this.#named, id, first) : HeldModel.of(this.#named, known);
    this.#remember(model);
    return model;
  }

  #apply(event: StoredEvent, model: HeldModel): void {
    if (event.envelope.id < model.lastEventId) this.#pending.outdate(model.id, event.envelope.id);
    model.apply(event);
    if (!model.isChanged) {
      model.isChanged = true;
      this.#pending.models.set(model.id, model);
    }
    const { streamId, position } = event;
    if (hasSource(this.#named, position)) {
      this.#pending.sources.addEvent(model.id, streamId, position, event.envelope.id);
    }
    if (model.version % eventsPerSnapshot !== 0) return;
    const snapshot = model.snapshot();
    this.#pending.addSnapshot(snapshot);
    // The model may have grown since it was last measured.
    this.#measure(snapshot);
  }

  #remember(model: ModelRecord): void {
    this.#models.set(model.id, model);
    if (!(model instanceof HeldModel)) this.#measure(model);
  }

  /** The model in its stored form; later batches may change the model during the commit. */
  #written(model: IndexedModel | HeldModel): IndexedModel {
    if (!(model instanceof HeldModel)) return model;
    const text = written(model);
    this.#measure(text);
    model.isChanged = false;
    return text;
  }

  /** A model in memory counts with its size when it was last written. */
  #measure({ id, body }: Pick<ModelRecord, 'id' | 'body'>): void {
    const size = (body?.length ?? 0) + charactersPerModel;
    this.#characters += size - (this.#sizes.get(id) ?? 0);
    this.#sizes.set(id, size);
  }
}

function written(model: HeldModel): IndexedModel {
  try {
    return model.written();
  } catch {
    throw new HeldModelLostError();
  }
}

function rowsOf({ models, sources, snapshots }: PerspectiveCommit): number {
  return Math.max(1, models.length + sources.length + snapshots.length);
}
