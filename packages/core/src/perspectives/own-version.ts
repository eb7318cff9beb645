import {
  around,
  asTables,
  behindEverything,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  type ModelTables,
  type PerspectiveStorage,
  type Progress,
  type TablesRef,
} from '../storage/index.js';

/** How long hosts may take to notice that models of another version have taken the place of theirs. */
export const lookAgainMs = 1_000;

/**
 * A storage as those who read on a host of one version see it: a perspective is where the models of that version are. While they are
 * nowhere, as before they were ever made, it is what those of another version are.
 */
export function asOwnVersion(storage: PerspectiveStorage): PerspectiveStorage {
  return view(storage, new OwnPlaces(storage), false);
}

/** The same for the worker: of a perspective whose models are those of another version nothing is left to take, until they are its own. */
export function ofOwnVersion(storage: PerspectiveStorage): PerspectiveStorage {
  return view(storage, new OwnPlaces(storage), true);
}

/** Whether the models of a perspective are those of this host's version. */
export async function isInPlace(perspective: string, storage: PerspectiveStorage): Promise<boolean> {
  return (await storage.ownPlace(perspective))?.role === 'serving';
}

function view(storage: PerspectiveStorage, places: OwnPlaces, isStrict: boolean): PerspectiveStorage {
  const at = <T>(perspective: TablesRef, work: (place: ModelTables) => Promise<T>): Promise<T> =>
    places.at(asTables(perspective), work);
  /** Where a progress was read: what is made from there is committed there, and not to other tables at the same revision. */
  const readAt = new WeakMap<Progress, ModelTables>();
  const own: Partial<PerspectiveStorage> = {
    readProgress: (perspective) =>
      at(perspective, async (place) => {
        const progress = await storage.readProgress(place);
        const isOther = progress.ofOtherVersion === true;
        // How far another version has come says nothing about what is read afterwards, from where this one's are.
        if (isOther && (await places.isOwn(place.perspective))) {
          throw new PerspectiveDefinedOtherwiseError(place.perspective);
        }
        readAt.set(progress, place);
        return isStrict && isOther ? { ...progress, sequence: behindEverything } : progress;
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
      const tables = readAt.get(from);
      try {
        await storage.commitPerspective(tables === undefined ? commit : { ...commit, tables });
      } catch (error) {
        if (!(error instanceof PerspectiveDefinedOtherwiseError)) throw error;
        // They are retained by now, or have gone: what is left to take is looked at again there.
        places.forget(perspective);
        throw new PerspectiveMovedError(perspective, from.sequence, behindEverything);
      }
    },
  };
  return around(storage, own);
}

/** Where the models of this host's version are. Known for a moment, so that reading costs no further question. */
class OwnPlaces {
  readonly #storage: PerspectiveStorage;
  readonly #known = new Map<string, { readonly place: Promise<ModelTables | null>; readonly until: number }>();

  constructor(storage: PerspectiveStorage) {
    this.#storage = storage;
  }

  /** Runs something where they are, for those who ask for the tables that serve; retries it when they are not there any more. */
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
    // Nobody waits for what is known well enough: that it is looked for is what the next ones gain by.
    const found = known === undefined ? place : place.catch(() => known.place);
    this.#known.set(perspective, { place: known?.place ?? found, until: now + lookAgainMs });
    found.then(
      (latest) => this.#known.set(perspective, { place: Promise.resolve(latest), until: now + lookAgainMs }),
      () => this.#known.delete(perspective),
    );
    return known?.place ?? found;
  }
}
