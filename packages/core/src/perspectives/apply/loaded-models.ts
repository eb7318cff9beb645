import type { Uuid } from '../../json/index.js';
import { isReceived } from '../../messages/index.js';
import type { ModelRecord, PerspectiveStorage, StoredEvent, TablesRef } from '../../storage/index.js';
import { HeldModel } from './held-model.js';
import { ModelCache } from './model-cache.js';
import { modelIdsOf } from './model-identity.js';
import type { NamedPerspective } from '../perspective.js';

/** Events in order for each model, and the models they belong to. */
export interface EventsInOrder {
  readonly events: readonly StoredEvent[];
  readonly models: readonly (HeldModel | null)[];
}

/** The models of tables that are in memory, and those that are read when they are needed. */
export class LoadedModels {
  readonly #named: NamedPerspective;
  readonly #storage: Pick<PerspectiveStorage, 'readModels'>;
  readonly #cache: ModelCache;
  #tables: TablesRef;
  /** Whether every model of the tables is in memory. */
  #hasAll = false;

  constructor(named: NamedPerspective, storage: Pick<PerspectiveStorage, 'readModels'>, mostCharacters: number) {
    this.#named = named;
    this.#storage = storage;
    this.#cache = new ModelCache(mostCharacters);
    this.#tables = named.name;
  }

  /** Forgets all models, and continues with those of some tables. */
  start(tables: TablesRef, isEmpty: boolean): void {
    this.#tables = tables;
    this.#hasAll = isEmpty;
    this.#cache.clear();
  }

  add(model: HeldModel): void {
    this.#cache.set(model);
  }

  /** Counts a model whose size has become known. */
  measure(model: HeldModel): void {
    this.#cache.measure(model);
  }

  /** The size of a model on average. */
  get averageCharacters(): number {
    return this.#cache.averageCharacters;
  }

  /** Drops models if there are too many. */
  limit(): void {
    if (this.#cache.limit()) this.#hasAll = false;
  }

  /** Reads stored models and drops them from memory. */
  async readStored(ids: readonly string[]): Promise<readonly ModelRecord[]> {
    for (const id of ids) this.#cache.delete(id);
    this.#hasAll = false;
    return ids.length === 0 ? [] : await this.#storage.readModels(this.#tables, ids);
  }

  /**
   * Loads the models of events. `uncommitted`: returns a model whose changes are not stored yet, which may have left the cache. Null: the events are
   * not in order for each model, or one of the models cannot be loaded.
   */
  async load(
    events: readonly StoredEvent[],
    uncommitted: (id: string) => HeldModel | undefined,
  ): Promise<EventsInOrder | null> {
    const ids = modelIdsOf(this.#named, events);
    if (ids === null) return null;
    const known = (id: string): HeldModel | undefined => this.#cache.get(id) ?? uncommitted(id);
    const unknown = this.#unknownOf(ids, events, known);
    const records = unknown.length === 0 ? [] : await this.#storage.readModels(this.#tables, unknown);
    try {
      for (const record of records) this.#cache.set(HeldModel.of(this.#named, record));
      if (!areInOrder(ids, events, known)) return null;
      const models = ids.map((id, i) => (id === null ? null : (known(id) ?? this.#begin(id, events[i]!))));
      return { events, models };
    } catch {
      // A model that cannot be read, or cannot be created from its first event, fails again when the event is applied.
      return null;
    }
  }

  #unknownOf(
    ids: readonly (string | null)[],
    events: readonly StoredEvent[],
    known: (id: string) => HeldModel | undefined,
  ): string[] {
    if (this.#hasAll) return [];
    const isOfStream = this.#named.perspective.keyOf === undefined;
    const unknown = new Set<string>();
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      // Before the first event of a stream, a model of that stream cannot exist.
      if (id !== null && known(id) === undefined && !(isOfStream && events[i]!.position === 0)) unknown.add(id);
    }
    return [...unknown];
  }

  #begin(id: string, first: StoredEvent): HeldModel {
    const model = HeldModel.begun(this.#named, id, first);
    this.#cache.set(model);
    return model;
  }
}

/** Whether no event of another database is before one that its model has processed. */
function areInOrder(
  ids: readonly (string | null)[],
  events: readonly StoredEvent[],
  known: (id: string) => HeldModel | undefined,
): boolean {
  if (!events.some(({ envelope }) => isReceived(envelope))) return true;
  const latest = new Map<string, Uuid>();
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id === null) continue;
    const { envelope } = events[i]!;
    const last = latest.get(id) ?? known(id)?.lastEventId;
    if (last === undefined || envelope.id >= last) latest.set(id, envelope.id);
    else if (isReceived(envelope)) return false;
  }
  return true;
}
