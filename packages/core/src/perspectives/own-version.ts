import {
  around,
  asTables,
  behindEverything,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  type ModelTables,
  type PerspectiveStorage,
  type SegmentStorage,
  type TablesRef,
} from '../storage/index.js';

/** How long hosts may take to notice that models of another version have replaced theirs. */
export const noticedWithinMs = 2_000;
/** How often a host that reads checks where its models are. */
export const checkEveryMs = 1_000;

/**
 * The storage of a host of one version. `readers` read the models of that version, whether their tables serve or are retained; while there are none,
 * as before they are first built, they read those of the other version. For the `worker`, a perspective whose models belong to another version has
 * no events to process until they belong to this one. All know the same tables: what the worker has committed, readers find. `live`: reads like
 * `readers`, but never from a replica, which has a change later than its notification.
 */
export function ofOwnVersion(storage: PerspectiveStorage): {
  readonly readers: PerspectiveStorage;
  readonly live: PerspectiveStorage;
  readonly worker: PerspectiveStorage;
} {
  const places = new OwnPlaces(storage);
  return {
    readers: view(onReplica(storage), places, false),
    live: view(storage, places, false),
    worker: view(storage, places, true),
  };
}

/** A storage for readers whose models a replica serves, if the storage has one. */
function onReplica(storage: PerspectiveStorage): PerspectiveStorage {
  const { replica } = storage;
  if (replica === undefined) return storage;
  return around(storage, {
    readProgress: (perspective) => replica.readProgress(perspective),
    readModels: (perspective, ids) => replica.readModels(perspective, ids),
    findModels: (perspective, key, limit) => replica.findModels(perspective, key, limit),
    listModels: (perspective, query) => replica.listModels(perspective, query),
    countModels: (perspective, selection) => replica.countModels(perspective, selection),
  });
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
        if (!isStrict || !isOther) return { ...progress, tables: place };
        return { sequence: behindEverything, revision: progress.revision, ofOtherVersion: true, tables: place };
      }),
    readModels: (perspective, ids) => at(perspective, (place) => storage.readModels(place, ids)),
    findModels: (perspective, key, limit) => at(perspective, (place) => storage.findModels(place, key, limit)),
    listModels: (perspective, query) => at(perspective, (place) => storage.listModels(place, query)),
    countModels: (perspective, selection) => at(perspective, (place) => storage.countModels(place, selection)),
    readStopped: (perspective) => at(perspective, (place) => storage.readStopped(place)),
    readSources: (perspective, id, after, next) =>
      at(perspective, (place) => storage.readSources(place, id, after, next)),
    readModelIds: (perspective, streamId) => at(perspective, (place) => storage.readModelIds(place, streamId)),
    readSnapshot: (perspective, id, before) => at(perspective, (place) => storage.readSnapshot(place, id, before)),
    ...(storage.segments !== undefined && { segments: ownSegments(storage.segments, at) }),
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

type AtPlace = <T>(perspective: TablesRef, work: (place: ModelTables) => Promise<T>) => Promise<T>;

function ownSegments(segments: SegmentStorage, at: AtPlace): SegmentStorage {
  return {
    divideAfterMs: segments.divideAfterMs,
    divide: (tables, from, count) => at(tables, (place) => segments.divide(place, from, count)),
    unite: (tables) => at(tables, (place) => segments.unite(place)),
    readStandings: (tables, limit) => at(tables, (place) => segments.readStandings(place, limit)),
  };
}

/** Which tables have the models of this host's version. Cached for a moment, so that a read needs no further query. */
class OwnPlaces {
  readonly #storage: PerspectiveStorage;
  readonly #known = new Map<string, { readonly place: ModelTables | null; readonly checkedAt: number }>();
  readonly #checks = new Map<string, Promise<ModelTables | null>>();

  constructor(storage: PerspectiveStorage) {
    this.#storage = storage;
  }

  /** Runs `work` with these tables when the serving ones are requested; retries it when they were replaced. */
  async at<T>(asked: ModelTables, work: (place: ModelTables) => Promise<T>): Promise<T> {
    const { perspective, role } = asked;
    if (role !== 'serving') return await work(asked);
    try {
      return await work(await this.#placeOf(asked));
    } catch (error) {
      if (!(error instanceof PerspectiveDefinedOtherwiseError)) throw error;
      this.forget(perspective);
      return await work(await this.#placeOf(asked));
    }
  }

  async #placeOf(asked: ModelTables): Promise<ModelTables> {
    const place = (await this.#look(asked.perspective)) ?? asked;
    return asked.segment === undefined ? place : { ...place, segment: asked.segment };
  }

  async isOwn(perspective: string): Promise<boolean> {
    return (await this.#look(perspective)) !== null;
  }

  /** A check that is under way may have begun before the tables were replaced, so its result no longer counts. */
  forget(perspective: string): void {
    this.#known.delete(perspective);
    this.#checks.delete(perspective);
  }

  async #look(perspective: string): Promise<ModelTables | null> {
    const known = this.#known.get(perspective);
    const age = known === undefined ? Infinity : performance.now() - known.checkedAt;
    // On a host that reads all the time, no read waits for the check. After a time without reads, the tables may have been replaced long ago.
    if (age >= noticedWithinMs) return await this.#check(perspective);
    if (age >= checkEveryMs) this.#check(perspective).catch(() => {});
    return known!.place;
  }

  #check(perspective: string): Promise<ModelTables | null> {
    const underWay = this.#checks.get(perspective);
    if (underWay !== undefined) return underWay;
    const check = this.#readPlace(perspective, () => this.#checks.get(perspective) === check);
    this.#checks.set(perspective, check);
    return check;
  }

  async #readPlace(perspective: string, isLatest: () => boolean): Promise<ModelTables | null> {
    const checkedAt = performance.now();
    try {
      const place = await this.#storage.ownPlace(perspective);
      if (isLatest()) this.#known.set(perspective, { place, checkedAt });
      return place;
    } finally {
      if (isLatest()) this.#checks.delete(perspective);
    }
  }
}
