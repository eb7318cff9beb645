import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  columnValue,
  isIndexableText,
  keyColumn,
  type IndexedType,
  type ModelPlace,
  type ModelRecord,
  type ModelSort,
  type PerspectiveStorage,
  type StoppedStream,
} from '../storage/index.js';
import { conditionsOf, sortOf, type LensQuery } from './lens-query.js';
import { columnTypes } from './list-request.js';
import { readPageToken, writePageToken } from './page-token.js';
import { pageBounds } from './page-numbers.js';
import type { NamedPerspective } from './perspective.js';
import type { TakenEvents, WaitOptions } from './taken-events.js';
import { readStoredModel } from './stored-model.js';

const { usual: usualPage, most: largestPage } = pageBounds.pageSize;

/** Some models, and where to go on; null: there are no more. */
export interface ModelPage<TModel> {
  readonly items: readonly TModel[];
  readonly next: string | null;
}

/** Reads the models of a perspective. */
export class PerspectiveLens<TModel extends object> {
  readonly #named: NamedPerspective;
  readonly #storage: PerspectiveStorage;
  readonly #taken: TakenEvents;
  readonly #types: ReadonlyMap<string, IndexedType>;

  constructor(named: NamedPerspective, storage: PerspectiveStorage, taken: TakenEvents) {
    this.#named = named;
    this.#storage = storage;
    this.#taken = taken;
    this.#types = columnTypes(named.columns);
  }

  /** The model with a key; null when there is none. */
  async find(key: string): Promise<TModel | null> {
    if (!isIndexableText(key)) return null;
    const [record] = await this.#storage.readModels(this.#named.name, [key]);
    return record === undefined || record.body === null ? null : this.#toModel(record.body);
  }

  /** Models that are asked for, at most 100 of them; by default the first 10, in the order of their keys. */
  async list(query: LensQuery<TModel> = {}): Promise<readonly TModel[]> {
    return (await this.page(query)).items;
  }

  /** The same, and where the next page begins. */
  async page({ where = {}, sort, offset = 0, limit = usualPage, after = null }: LensQuery<TModel> = {}): Promise<
    ModelPage<TModel>
  > {
    const { name } = this.#named;
    const order = sortOf(sort, this.#types);
    const conditions = conditionsOf(where, this.#types);
    const place = after === null ? null : readPageToken(name, order, conditions, this.#types, after);
    if (place === undefined) {
      throw new ServiceError('SVC_INVALID_VALUE', 'after is not what an earlier page of the same list gave as next.');
    }
    const size = Math.min(Math.max(0, limit), largestPage);
    const records = await this.#storage.listModels(name, {
      offset: Math.max(0, offset),
      limit: size + 1,
      scope: null,
      where: conditions,
      sort: order,
      after: place,
    });
    const shown = records.slice(0, size);
    const last = records.length > size ? shown.at(-1) : undefined;
    return {
      items: shown.flatMap(({ body }) => (body === null ? [] : [this.#toModel(body)])),
      next: last === undefined ? null : writePageToken(name, order, conditions, placeOf(last, order, this.#types)),
    };
  }

  /** Resolves once the perspective has taken an event; throws an `EventNotTakenError` when that takes too long. */
  waitFor(eventId: Uuid, options: WaitOptions = {}): Promise<void> {
    return this.#taken.wait({ ...options, eventId });
  }

  /** Streams of which it takes no more events, and why. */
  stoppedStreams(): Promise<readonly StoppedStream[]> {
    return this.#storage.readStopped(this.#named.name);
  }

  #toModel(body: string): TModel {
    return readStoredModel(this.#named, body) as TModel;
  }
}

/** Where a model stands in a list. */
export function placeOf(
  { key, body }: ModelRecord,
  { column }: ModelSort,
  types: ReadonlyMap<string, IndexedType>,
): ModelPlace {
  if (column === keyColumn) return { key, value: key };
  const model = JSON.parse(body ?? '{}') as Readonly<Record<string, unknown>>;
  return { key, value: columnValue(column, types.get(column)!, model[column]) };
}
