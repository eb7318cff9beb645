import type { ScopeCondition } from '../security/index.js';
import type { ColumnValue } from './column-values.js';

/** What a model is sorted and filtered by when it is not a property: its key, a text. */
export const keyColumn = 'key';

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** What the value of a column must fulfil. A model without the value fulfils `eq` null alone. */
export type ColumnCondition =
  | { readonly column: string; readonly operator: Comparison; readonly value: ColumnValue }
  | { readonly column: string; readonly operator: 'in'; readonly values: readonly ColumnValue[] };

/** The order of a list: by one column, models of the same value by their keys; everything the other way round when `descending`. */
export interface ModelSort {
  readonly column: string;
  readonly descending: boolean;
}

/** The place of a model in a list. */
export interface ModelPlace {
  /** Its value in the column that is sorted by. */
  readonly value: ColumnValue;
  readonly key: string;
}

/** Which models, in which order, and how many of them. */
export interface ModelQuery {
  readonly offset: number;
  readonly limit: number;
  /** What the scope of a model must fulfil; null: nothing. */
  readonly scope: ScopeCondition | null;
  /** All of them. Default: none. */
  readonly where?: readonly ColumnCondition[];
  /** Default: by key. */
  readonly sort?: ModelSort;
  /** Only what comes behind this place. Default: from the first on. */
  readonly after?: ModelPlace | null;
}

export const sortedByKey: ModelSort = { column: keyColumn, descending: false };
