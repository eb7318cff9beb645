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

/** A value, or a range of values, or some of them. Null: models that have none. */
export type Matching<T> = T | null | { gt?: T; gte?: T; lt?: T; lte?: T; in?: readonly (T | null)[] };

/** What can be filtered by. At run time it has to be indexed, too. */
export type Where<TModel> = {
  readonly [K in IndexableProperty<TModel>]?: Matching<NonNullable<TModel[K]>>;
} & { readonly key?: Matching<string> };

type SortName<TModel> = IndexableProperty<TModel> | typeof keyColumn;

/** A name, or `-` and a name for the other way round. Models of the same value are sorted by their keys. */
export type Sort<TModel> = SortName<TModel> | `-${SortName<TModel>}`;

/** Which models a list has, in which order, and which part of the list is returned. */
export interface LensQuery<TModel> {
  readonly where?: Where<TModel>;
  /** Default: `key`. */
  readonly sort?: Sort<TModel>;
  /** Default: 0. */
  readonly offset?: number;
  /** Default: 10, at most 100. */
  readonly limit?: number;
  /** Where an earlier page of the same list ended: its `next`. Null: from the first model on. */
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
