import type { ModelPage, PerspectiveStorage, StoppedStream } from '../storage/index.js';
import { pageBounds } from './page-numbers.js';
import type { NamedPerspective } from './perspective.js';
import { readStoredModel } from './stored-model.js';

const { usual, most } = pageBounds.pageSize;

/** Reads the models of a perspective. */
export class PerspectiveLens<TModel extends object> {
  readonly #named: NamedPerspective;
  readonly #storage: PerspectiveStorage;

  constructor(named: NamedPerspective, storage: PerspectiveStorage) {
    this.#named = named;
    this.#storage = storage;
  }

  /** The model with a key; null when there is none. */
  async find(key: string): Promise<TModel | null> {
    const [record] = await this.#storage.readModels(this.#named.name, [key]);
    return record === undefined || record.body === null ? null : this.#toModel(record.body);
  }

  /** Models in the order of their keys, at most 100 of them; by default the first 10. */
  async list(page: Partial<Pick<ModelPage, 'offset' | 'limit'>> = {}): Promise<TModel[]> {
    const { offset = 0, limit = usual } = page;
    const bounded = { offset: Math.max(0, offset), limit: Math.min(Math.max(0, limit), most), scope: null };
    const records = await this.#storage.listModels(this.#named.name, bounded);
    return records.flatMap(({ body }) => (body === null ? [] : [this.#toModel(body)]));
  }

  /** Streams of which it takes no more events, and why. */
  stoppedStreams(): Promise<readonly StoppedStream[]> {
    return this.#storage.readStopped(this.#named.name);
  }

  #toModel(body: string): TModel {
    return readStoredModel(this.#named, body) as TModel;
  }
}
