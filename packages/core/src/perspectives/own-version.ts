import {
  around,
  asTables,
  behindEverything,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  type ModelTables,
  type PerspectiveStorage,
  type TablesRef,
} from '../storage/index.js';

/** How long hosts may take to notice that models of another version have replaced theirs. */
export const lookAgainMs = 1_000;

/**
 * A storage for readers on a host of one version: it reads the models of that version, whether their tables serve or are retained. While there
 * are none, as before they are first built, it reads those of the other version.
 */
export function asOwnVersion(storage: PerspectiveStorage): PerspectiveStorage {
  return view(storage, new OwnPlaces(storage), false);
}

/** A storage for readers whose models a replica serves, if the storage has one. */
export function onReplica(storage: PerspectiveStorage): PerspectiveStorage {
  const { replica } = storage;
  if (replica === undefined) return storage;
  return around(storage, {
    readProgress: (perspective) => replica.readProgress(perspective),
    readModels: (perspective, ids) => replica.readModels(perspective, ids),
    findModels: (perspective, key, limit) => replica.findModels(perspective, key, limit),
    listModels: (perspective, query) => replica.listModels(perspective, query),
  });
}

/** The same for the worker: a perspective whose models belong to another version has no events to process until they belong to this one. */
export function ofOwnVersion(storage: PerspectiveStorage): PerspectiveStorage {
  return view(storage, new OwnPlaces(storage), true);
}

/** Whether the serving models of a perspective belong to this host's version. */
export async function isInPlace(perspective: string, storage: PerspectiveStorage): Promise<boolean> {
  return (await storage.ownPlace(perspective))?.role === 'serving';
}

function view(storage: PerspectiveStorage, places: OwnPlaces, isStrict: boolean): PerspectiveStorage {
  const at = <T>(perspective: TablesRef, work: (place: ModelTables) => Promise<T>): Promise<T> =>
    places.at(asTables(perspective), work);
  const own: Partial<PerspectiveStorage> = {
    readProgress: (perspective) =>
      at(perspective, async (place) => {
        const progress = await storage.readProgress(place);
        const isOther = progress.ofOtherVersion === true;
        // The progress of another version says nothing about models that are read afterwards from this version's tables.
        if (isOther && (await places.isOwn(place.perspective))) {
          throw new PerspectiveDefinedOtherwiseError(place.perspective);
        }
        return { ...progress, tables: place, ...(isStrict && isOther && { sequence: behindEverything }) };
      }),
    readModels: (perspective, ids) => at(perspective, (place) => storage.readModels(place, ids)),
    findModels: (perspective, key, limit) => at(perspective, (place) => storage.findModels(place, key, limit)),
    listModels: (perspective, query) => at(perspective, (place) => storage.listModels(place, query)),
    readStopped: (perspective) => at(perspective, (place) => storage.readStopped(place)),
    readSources: (perspective, id, after, next) =>
      at(perspective, (place) => storage.readSources(place, id, after, next)),
    readModelIds: (perspective, streamId) => at(perspective, (place) => storage.readModelIds(place, streamId)),
    readSnapshot: (perspective, id, before) => at(perspective, (place) => storage.readSnapshot(place, id, before)),
    async commitPerspective(commit) {
      const { perspective, from } = commit;
      try {
        await storage.commitPerspective(commit);
      } catch (error) {
        if (!(error instanceof PerspectiveDefinedOtherwiseError)) throw error;
        // The tables are retained now, or removed: the worker reads its progress again from the current ones.
        places.forget(perspective);
        throw new PerspectiveMovedError(perspective, from.sequence, behindEverything);
      }
    },
  };
  return around(storage, own);
}

/** Which tables have the models of this host's version. Cached for a moment, so that a read needs no further query. */
class OwnPlaces {
  readonly #storage: PerspectiveStorage;
  readonly #known = new Map<string, { readonly place: Promise<ModelTables | null>; readonly until: number }>();

  constructor(storage: PerspectiveStorage) {
    this.#storage = storage;
  }

  /** Runs `work` with these tables when the serving ones are requested; retries it when they were replaced. */
  async at<T>(asked: ModelTables, work: (place: ModelTables) => Promise<T>): Promise<T> {
    const { perspective, role } = asked;
    if (role !== 'serving') return await work(asked);
    try {
      return await work((await this.#look(perspective)) ?? asked);
    } catch (error) {
      if (!(error instanceof PerspectiveDefinedOtherwiseError)) throw error;
      this.forget(perspective);
      return await work((await this.#look(perspective)) ?? asked);
    }
  }

  async isOwn(perspective: string): Promise<boolean> {
    return (await this.#look(perspective)) !== null;
  }

  forget(perspective: string): void {
    this.#known.delete(perspective);
  }

  #look(perspective: string): Promise<ModelTables | null> {
    const known = this.#known.get(perspective);
    const now = performance.now();
    if (known !== undefined && now < known.until) return known.place;
    const place = this.#storage.ownPlace(perspective);
    // A known place is used at once: the refresh in the background is for the next reads.
    const found = known === undefined ? place : place.catch(() => known.place);
    this.#known.set(perspective, { place: known?.place ?? found, until: now + lookAgainMs });
    found.then(
      (latest) => this.#known.set(perspective, { place: Promise.resolve(latest), until: now + lookAgainMs }),
      () => this.#known.delete(perspective),
    );
    return known?.place ?? found;
  }
}
