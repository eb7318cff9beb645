import {
  around,
  behindEverything,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  type PerspectiveStorage,
  type Progress,
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
  return (await storage.ownPlace(perspective)) === perspective;
}

function view(storage: PerspectiveStorage, places: OwnPlaces, isStrict: boolean): PerspectiveStorage {
  const at = <T>(perspective: string, work: (place: string) => Promise<T>): Promise<T> => places.at(perspective, work);
  /** Where a progress was read: what was made from there is kept there, and not in another place that stands at the same revision. */
  const readAt = new WeakMap<Progress, string>();
  const own: Partial<PerspectiveStorage> = {
    readProgress: (perspective) =>
      at(perspective, async (place) => {
        const progress = await storage.readProgress(place);
        const isOther = progress.ofOtherVersion === true;
        // How far another version has come says nothing about what is read afterwards, from where this one's are.
        if (isOther && (await places.isOwn(perspective))) throw new PerspectiveDefinedOtherwiseError(perspective);
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
      try {
        await storage.commitPerspective({ ...commit, perspective: readAt.get(from) ?? perspective });
      } catch (error) {
        if (!(error instanceof PerspectiveDefinedOtherwiseError)) throw error;
        // They are aside by now, or have gone: what is left to take is looked at again there.
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
  readonly #known = new Map<string, { readonly place: Promise<string | null>; readonly until: number }>();

  constructor(storage: PerspectiveStorage) {
    this.#storage = storage;
  }

  /** Runs something where they are; once more when they are not there any more. */
  async at<T>(perspective: string, work: (place: string) => Promise<T>): Promise<T> {
    try {
      return await work((await this.#look(perspective)) ?? perspective);
    } catch (error) {
      if (!(error instanceof PerspectiveDefinedOtherwiseError)) throw error;
      this.forget(perspective);
      return await work((await this.#look(perspective)) ?? perspective);
    }
  }

  async isOwn(perspective: string): Promise<boolean> {
    return (await this.#look(perspective)) !== null;
  }

  forget(perspective: string): void {
    this.#known.delete(perspective);
  }

  #look(perspective: string): Promise<string | null> {
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
