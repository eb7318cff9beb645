import type { Operation } from './commands.js';
import { RequestError } from './errors.js';
import type { ReadOptions } from './options.js';
import { pathPart, textOf } from './paths.js';
import { readsOf, type Parameters } from './reads.js';

/** The models of a perspective. */
export interface Models<TModel, TWhere, TSort> {
  /** Returns the model with this key; null if there is none, or if the caller may not see it. */
  find(key: string, options?: ReadOptions): Promise<TModel | null>;
  /** Returns one page of models. */
  list(query?: ListQuery<TWhere, TSort>, options?: ReadOptions): Promise<Page<TModel>>;
  /** Iterates over the models of all pages. It requests a page when the previous one has been read. */
  all(query?: ModelsQuery<TWhere, TSort>, options?: ReadOptions): AsyncIterable<TModel>;
}

/** Which models, and in which order. */
export interface ModelsQuery<TWhere, TSort> {
  readonly where?: TWhere | undefined;
  /** A property, or `-` and a property for descending order. Default: `key`. */
  readonly sort?: TSort | undefined;
  /** At most 100. Default: 10 for `list`, 100 for `all`. */
  readonly pageSize?: number | undefined;
}

export interface ListQuery<TWhere, TSort> extends ModelsQuery<TWhere, TSort> {
  /** The `next` of the previous page of the same list. Null: the first page. */
  readonly after?: string | null | undefined;
  /** A page by its number, from 1 to 100. Use `after` to read further. */
  readonly page?: number | undefined;
}

export interface Page<TModel> {
  readonly items: readonly TModel[];
  /** Absent if the query has `after`. */
  readonly page?: number;
  readonly pageSize: number;
  readonly hasMore: boolean;
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/** The condition of a filter: a value, a range, or several values. */
export type Condition<T> =
  | T
  | {
      readonly gt?: T | undefined;
      readonly gte?: T | undefined;
      readonly lt?: T | undefined;
      readonly lte?: T | undefined;
      readonly in?: readonly T[] | undefined;
    };

/** The operation of models. `live` makes them live. */
export interface ModelsOperation<TModel, TWhere, TSort> extends Operation<Models<TModel, TWhere, TSort>> {
  readonly route: string;
  /** Reads a model from its JSON. */
  readonly read: (json: never) => TModel;
}

/** The models that a route serves. */
export function models<TModel, TWhere extends object, TSort extends string>(
  route: string,
  read: (json: never) => TModel = (json) => json,
): ModelsOperation<TModel, TWhere, TSort> {
  const bind: Operation<Models<TModel, TWhere, TSort>> = (connection) => {
    const get = readsOf(connection);

    async function list(query: ListQuery<TWhere, TSort> = {}, options?: ReadOptions): Promise<Page<TModel>> {
      const parameters = parametersOf(query);
      if (parameters === null) return { items: [], pageSize: query.pageSize ?? 10, hasMore: false, next: null };
      const page = (await get(route, parameters, options)) as Page<never>;
      return { ...page, items: page.items.map(read) };
    }

    return {
      list,
      async find(key, options) {
        if (key === '') throw new TypeError('The key is empty. Pass the key of a model.');
        try {
          return read((await get(`${route}/${pathPart('key', key)}`, [], options)) as never);
        } catch (error) {
          if (error instanceof RequestError && error.type === 'urn:svc:problem:not-found') return null;
          throw error;
        }
      },
      async *all(query, options) {
        let after: string | null = null;
        do {
          const page: Page<TModel> = await list({ pageSize: 100, ...query, after }, options);
          yield* page.items;
          after = page.next;
        } while (after !== null);
      },
    };
  };
  return Object.assign(bind, { route, read });
}

/** The parameters of a query; null if no model can match it. */
export function parametersOf({ where = {}, ...place }: ListQuery<object, string>): Parameters | null {
  const filters = filtersOf(where);
  // No parameter means no filter, so an empty choice must not be sent.
  if (filters === null) return null;
  const places = Object.entries(place).filter(([, value]) => value !== undefined && value !== null);
  return [...places, ...filters].map(([name, value]): [string, string] => [name, textOf(value)]);
}

/** The filters of a query; null if no model can match them. */
function filtersOf(where: object): [name: string, value: unknown][] | null {
  const filters: [string, unknown][] = [];
  for (const [property, condition] of Object.entries(where) as [string, unknown][]) {
    if (condition === undefined) continue;
    const isValue = typeof condition !== 'object' || condition === null || condition instanceof Date;
    for (const [operator, value] of Object.entries(isValue ? { eq: condition } : condition) as [string, unknown][]) {
      if (value === undefined) continue;
      const values = Array.isArray(value) ? value : [value];
      if (values.length === 0) return null;
      for (const one of values) filters.push([`filter[${property}][${operator}]`, one]);
    }
  }
  return filters;
}
