import { ServiceError } from '../../errors/index.js';
import {
  columnValue,
  type keyColumn,
  sortedByKey,
  type ColumnCondition,
  type IndexedType,
  type ModelSort,
} from '../../storage/index.js';
import { mostAlternatives } from './list-request.js';
import type { IndexableProperty } from '../perspective-options.js';

/** The condition of a filter: a value, a range, or several values. Null: models without a value. */
export type Matching<T> = T | null | { gt?: T; gte?: T; lt?: T; lte?: T; in?: readonly (T | null)[] };

/** The filters of a list, by property. At run time the property must be indexed. */
export type Where<TModel> = {
  readonly [K in IndexableProperty<TModel>]?: Matching<NonNullable<TModel[K]>>;
} & { readonly key?: Matching<string> };

type SortName<TModel> = IndexableProperty<TModel> | typeof keyColumn;

/** The order of a list: a property, or `-` and a property for descending order. Ties are ordered by key. */
export type Sort<TModel> = SortName<TModel> | `-${SortName<TModel>}`;

/** Which models a list has, in which order, and which part of the list is returned. */
export interface LensQuery<TModel> {
  readonly where?: Where<TModel>;
  /** Default: `key`. */
  readonly sort?: Sort<TModel>;
  /** Default: 0. */
  readonly offset?: number;
  /** Default: 10, at most 1,000. */
  readonly limit?: number;
  /** The `next` of an earlier page of the same list. Null: start with the first model. */
  readonly after?: string | null;
}

type Types = ReadonlyMap<string, IndexedType>;

export function conditionsOf(where: object, types: Types): readonly ColumnCondition[] {
  return Object.entries(where as Record<string, unknown>).flatMap(([column, matching]): ColumnCondition[] => {
    if (matching === undefined) return [];
    const type = requireIndexed(column, types);
    if (matching === null || typeof matching !== 'object' || matching instanceof Date) {
      return [{ column, operator: 'eq', value: columnValue(column, type, matching) }];
    }
    return Object.entries(matching as Record<string, unknown>).flatMap(([operator, value]): ColumnCondition[] => {
      if (value === undefined) return [];
      if (operator === 'in') {
        const values = (value as readonly unknown[]).map((one) => columnValue(column, type, one));
        if (values.length > mostAlternatives) throw tooMany(column);
        return [{ column, operator, values }];
      }
      return [{ column, operator: operator as 'gt', value: columnValue(column, type, value) }];
    });
  });
}

export function sortOf(sort: string | undefined, types: Types): ModelSort {
  if (sort === undefined) return sortedByKey;
  const descending = sort.startsWith('-');
  const column = descending ? sort.slice(1) : sort;
  requireIndexed(column, types);
  return { column, descending };
}

function requireIndexed(column: string, types: Types): IndexedType {
  const type = types.get(column);
  if (type !== undefined) return type;
  throw new ServiceError(
    'SVC_NOT_INDEXED',
    `Models cannot be filtered or sorted by ${column}, which is not indexed. Name it in @perspective({ indexed: […] }), and run svc generate.`,
  );
}

function tooMany(column: string): ServiceError {
  return new ServiceError(
    'SVC_INVALID_VALUE',
    `The filter of ${column} has more than ${mostAlternatives} values. Split the query.`,
  );
}
