import type { ScopeCondition } from '../../security/index.js';
import type { ColumnValue } from './column-values.js';

/** What a model is sorted and filtered by when it is not a property: its key, a text. */
export const keyColumn = 'key';

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** What the value of a column must fulfil. A model without the value fulfils `eq` null alone. */
export type ColumnCondition =
  | { readonly column: string; readonly operator: Comparison; readonly value: ColumnValue }
  | { readonly column: string; readonly operator: 'in'; readonly values: readonly ColumnValue[] };

/**
 * The order of a list: by one column, models of the same value by their keys, and those of the same key by their owners; everything the other
 * way round when `descending`.
 */
export interface ModelSort {
  readonly column: string;
  readonly descending: boolean;
}

/** The place of a model in a list. */
export interface ModelPlace {
  /** Its value in the column that is sorted by. */
  readonly value: ColumnValue;
  readonly key: string;
  /** Its owner, in a list of the models of every owner. */
  readonly owner?: string;
}

/** The owner that models must have. */
export interface OwnerCondition {
  /** As models have it. */
  readonly owner: string;
  /** The values it is made of, by name; null where a value must be missing. Tables from before there were owners are asked for these. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** Which models, in which order, and how many of them. */
export interface ModelQuery {
  readonly offset: number;
  readonly limit: number;
  /** Whose models; null: those of every owner. */
  readonly owner: OwnerCondition | null;
  /** What the scope of a model must fulfil besides; null: nothing. */
  readonly principals: ScopeCondition['anyOf'];
  /** All of them. Default: none. */
  readonly where?: readonly ColumnCondition[];
  /** Default: by key. */
  readonly sort?: ModelSort;
  /** Only what comes behind this place. Default: from the first on. */
  readonly after?: ModelPlace | null;
}

export const sortedByKey: ModelSort = { column: keyColumn, descending: false };
