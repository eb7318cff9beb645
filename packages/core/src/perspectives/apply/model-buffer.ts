import type { Uuid } from '../../json/index.js';
import { nextTurn } from '../../background/index.js';
import {
  asTables,
  beforeEverything,
  isAt,
  type IndexedModel,
  type LogPlace,
  type ModelRecord,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type StoppedStream,
  type StoredEvent,
  type TablesRef,
} from '../../storage/index.js';
import type { AppliedEvents } from './apply-events.js';
import { LoadedModels, type EventsInOrder } from './loaded-models.js';
import { stopsOf, type Stops } from './model-events.js';
import { PendingChanges } from './pending-changes.js';
import type { NamedPerspective } from '../perspective.js';

/** The most uncommitted characters of sources and snapshots. */
export const mostPendingCharacters = 16_000_000;
/** The most changed models before the first commit: their sizes are unknown until they are written. */
export const mostUnknown = 1_000;
/** How many models are written before other work gets a turn of the event loop. */
const modelsPerTurn = 1_000;

/** How much a buffer holds, and how often it commits. */
export interface BufferLimits {
  /** The most characters of models in memory, committed or not. */
  readonly mostCharacters: number;
  /** The time between the starts of two commits, for a commit of so many milliseconds. */
  readonly commitEvery: (commitMs: number) => number;
}

/** What is committed with models. */
export type CommitExtras = Pick<PerspectiveCommit, 'outgoing' | 'rewinds'>;

/**
 * The models of a perspective in memory, and their changes of one or more batches. A commit stores the changes atomically while the next batches
 * are applied. If another host has committed to the tables, the commit fails with a `PerspectiveMovedError`, and the buffer must be restarted.
 */
export class ModelBuffer {
  readonly #named: NamedPerspective;
  readonly #storage: PerspectiveStorage;
  readonly #limits: BufferLimits;
  readonly #onCommit: (place: LogPlace) => void;
  readonly #models: LoadedModels;
  #tables: TablesRef;
  #stopped: Map<Uuid, StoppedStream> | undefined;
  #pending: PendingChanges;
  /** The progress before the pending changes. */
  #from: Progress = { sequence: -1, revision: 0 };
  /** The place after the pending changes. */
  #to: LogPlace = beforeEverything;
  #isBroken = true;
  #committing: Promise<void> | undefined;
  /** The changes of the commit that is under way. */
  #underWay: PendingChanges | undefined;
  /** When the last commit started; Infinity during a commit. */
  #committedAt = 0;
  /** How long the last commit took per row. */
  #msPerRow = 0;

  constructor(
    named: NamedPerspective,
    storage: PerspectiveStorage,
    limits: BufferLimits,
    onCommit: (place: LogPlace) => void = () => {},
  ) {
    this.#named = named;
    this.#storage = storage;
    this.#limits = limits;
    this.#onCommit = onCommit;
    this.#models = new LoadedModels(named, storage, limits.mostCharacters);
    this.#tables = named.name;
    this.#pending = new PendingChanges(named);
  }

  /** The tables that the models belong to. */
  get tables(): TablesRef {
    return this.#tables;
  }

  /** The progress, committed or not. */
  get progress(): Progress {
    return { ...this.#from, sequence: this.#to.sequence };
  }

  /** The place up to which events are processed, committed or not. */
  get place(): LogPlace {
    return this.#to;
  }

  /** Whether there are changes, or progress, that are not stored. */
  get hasPending(): boolean {
    return this.#from.sequence !== this.#to.sequence || this.#committing !== undefined;
  }

  /** Waits for a commit that is under way, whatever its result. */
  async settle(): Promise<void> {
    await this.#committing?.catch(() => {});
  }

  /** Continues at a progress of tables. Models in memory remain if they are those of this progress. Call `settle` before. */
  startAt(tables: TablesRef, progress: Progress): void {
    if (!this.#isBroken && !this.hasPending && isAt(progress, this.#from) && isSame(tables, this.#tables)) return;
    this.#tables = tables;
    this.#from = progress;
    this.#to = { sequence: progress.sequence };
    this.#models.start(tables, progress.sequence < 0);
    this.#stopped = undefined;
    this.#pending = new PendingChanges(this.#named);
    this.#committing = undefined;
    this.#underWay = undefined;
    this.#committedAt = performance.now();
    this.#isBroken = false;
  }

  /** Where streams are stopped, with the uncommitted stops. */
  async readStops(): Promise<Stops> {
    this.#stopped ??= new Map(
      (await this.#storage.readStopped(this.#tables)).map((stopped) => [stopped.streamId, stopped]),
    );
    return stopsOf([...this.#stopped.values()]);
  }

  /** Loads the models of events. Null: the events are not in order for each model, or one of the models cannot be loaded. */
  load(events: readonly StoredEvent[]): Promise<EventsInOrder | null> {
    return this.#models.load(events, (id) => this.#pending.models.get(id) ?? this.#underWay?.models.get(id));
  }

  /** Applies events in order up to a place. Throws a `ModelsLostError` if one cannot be applied. */
  apply({ events, models }: EventsInOrder, upTo: LogPlace): void {
    try {
      for (let i = 0; i < models.length; i++) {
        const model = models[i]!;
        if (model !== null) this.#pending.apply(events[i]!, model);
      }
    } catch {
      throw this.#lost();
    }
    this.#to = upTo;
  }

  /** Reads stored models after everything is committed, and drops them from memory. */
  async readStored(ids: readonly string[]): Promise<readonly ModelRecord[]> {
    await this.flush();
    return await this.#models.readStored(ids);
  }

  /** Adds changes that were made to stored models. */
  add({ changes, models }: AppliedEvents, stopped: readonly StoppedStream[], upTo: LogPlace): void {
    for (const model of models.values()) this.#models.add(model);
    for (const stream of stopped) {
      changes.stop(stream);
      this.#stopped?.set(stream.streamId, stream);
    }
    this.#pending = changes;
    this.#to = upTo;
  }

  /** Commits the changes if they are many or old. Waits for a commit that is under way only if they are many. */
  async commitIfDue(): Promise<void> {
    if (this.#isLarge || this.#isOld) await this.#startCommit();
    this.#models.limit();
  }

  /** Resolves once everything is committed. */
  async flush(extras: CommitExtras = {}): Promise<void> {
    await this.#startCommit(extras);
    await this.#committing;
  }

  /** Commits without changes of models, after `flush`. */
  async commitOnly(extras: CommitExtras): Promise<void> {
    await this.flush();
    await this.#commit({ ...this.#commitOf([]), ...extras });
  }

  get #isLarge(): boolean {
    const { rows, characters, models } = this.#pending;
    const isUnknown = this.#msPerRow === 0 && models.size >= mostUnknown;
    // Changed models stay in memory until they are committed, whatever the cache drops.
    const isFull = models.size * this.#models.averageCharacters >= this.#limits.mostCharacters / 2;
    return rows >= this.#storage.largestCommit || characters >= mostPendingCharacters || isUnknown || isFull;
  }

  get #isOld(): boolean {
    // After a failed commit, the next batch receives its error at once.
    if (this.#isBroken) return true;
    return performance.now() >= this.#committedAt + this.#limits.commitEvery(this.#msPerRow * this.#pending.rows);
  }

  /** Starts a commit after the previous one has ended. */
  async #startCommit(extras: CommitExtras = {}): Promise<void> {
    await this.#committing;
    if (this.#from.sequence === this.#to.sequence && extras.rewinds === undefined) return;
    const commit = { ...this.#commitOf(await this.#written()), ...extras };
    this.#committing = this.#commit(commit);
    // The next commit, or the caller of `flush`, receives the error.
    this.#committing.catch(() => {});
  }

  #commitOf(models: readonly IndexedModel[]): PerspectiveCommit {
    const { sequence } = this.#to;
    const commit = {
      perspective: this.#named.name,
      tables: asTables(this.#tables),
      from: this.#from,
      to: sequence,
      models,
      ...this.#pending.commit(),
      resumed: [],
    };
    this.#from = { ...this.#from, sequence, revision: this.#from.revision + 1 };
    this.#underWay = this.#pending;
    this.#pending = new PendingChanges(this.#named);
    return commit;
  }

  async #written(): Promise<IndexedModel[]> {
    const written: IndexedModel[] = [];
    try {
      for (const model of this.#pending.writeModels()) {
        written.push(model);
        if (written.length % modelsPerTurn === 0) await nextTurn();
      }
    } catch {
      throw this.#lost();
    }
    for (const model of this.#pending.models.values()) this.#models.measure(model);
    return written;
  }

  async #commit(commit: PerspectiveCommit): Promise<void> {
    const started = performance.now();
    const place = this.#to;
    this.#committedAt = Infinity;
    try {
      await this.#storage.commitPerspective(commit);
      this.#msPerRow = (performance.now() - started) / rowsOf(commit);
      this.#committedAt = started;
      this.#committing = undefined;
      this.#underWay = undefined;
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
    if (commit.to !== commit.from.sequence) this.#onCommit(place);
  }

  #lost(): ModelsLostError {
    this.#isBroken = true;
    return new ModelsLostError();
  }
}

/**
 * A model in memory could not be changed or written, and its previous state is lost. The work resumes at the last commit and applies the next
 * batch to stored models.
 */
export class ModelsLostError extends Error {
  override readonly name = 'ModelsLostError';
}

function isSame(a: TablesRef, b: TablesRef): boolean {
  return asTables(a).name === asTables(b).name;
}

function rowsOf({ models, sources, snapshots }: PerspectiveCommit): number {
  return Math.max(1, models.length + sources.length + snapshots.length);
}
