import { readOrThrow } from '../json/index.js';
import type { ModelPage, ModelRecord, PerspectiveStorage, StoppedStream } from '../storage/index.js';
import type { NamedPerspective } from './perspective.js';

const usualPage: ModelPage = { offset: 0, limit: 10 };
const largestPage = 100;

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
    return record === undefined ? null : this.#toModel(record);
  }

  /** Models in the order of their keys, at most 100 of them; by default the first 10. */
  async list(page: Partial<ModelPage> = {}): Promise<TModel[]> {
    const { offset, limit } = { ...usualPage, ...page };
    const bounded = { offset: Math.max(0, offset), limit: Math.min(Math.max(0, limit), largestPage) };
    const records = await this.#storage.listModels(this.#named.name, bounded);
    return records.map((record) => this.#toModel(record));
  }

  /** Streams of which it takes no more events, and why. */
  stoppedStreams(): Promise<readonly StoppedStream[]> {
    return this.#storage.readStopped(this.#named.name);
  }

  #toModel({ body }: ModelRecord): TModel {
    return readOrThrow(this.#named.readModel, JSON.parse(body)) as TModel;
  }
}
