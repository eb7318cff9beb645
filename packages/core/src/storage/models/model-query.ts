import type { ScopeCondition } from '../../security/index.js';
import type { ColumnValue } from './column-values.js';

/** The name of the key in filters and sort orders. */
export const keyColumn = 'key';

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A condition for the value of a column. A model without the value only meets `eq` null. */
export type ColumnCondition =
  | { readonly column: string; readonly operator: Comparison; readonly value: ColumnValue }
  | { readonly column: string; readonly operator: 'in'; readonly values: readonly ColumnValue[] };

/**
 * The order of a list: by one column, then by key, then by owner; all of them reversed if `descending`.
 */
export interface ModelSort {
  readonly column: string;
  readonly descending: boolean;
}

/** The place of a model in a list. */
export interface ModelPlace {
  /** Its value in the sort column. */
  readonly value: ColumnValue;
  readonly key: string;
  /** Its owner, in a list of the models of every owner. */
  readonly owner?: string;
}

/** The owner that models must have. */
export interface OwnerCondition {
  /** As it is stored with models. */
  readonly owner: string;
  /** The scope values of the owner, by name; null: the value must be missing. Queries of `keyed` tables use them. */
  readonly values: Readonly<Record<string, string | null>>;
}

/** Which models a query is about. */
export interface ModelSelection {
  /** The owner of the models; null: every owner. */
  readonly owner: OwnerCondition | null;
  /** A further condition for the scope of a model; null: none. */
  readonly principals: ScopeCondition['anyOf'];
  /** A model must meet all of them. Default: none. */
  readonly where?: readonly ColumnCondition[];
}

/** A query for models: which, in which order, and how many. */
export interface ModelQuery extends ModelSelection {
  readonly offset: number;
  readonly limit: number;
  /** Default: by key. */
  readonly sort?: ModelSort;
  /** Only models after this place. Default: all. */
  readonly after?: ModelPlace | null;
}

export const sortedByKey: ModelSort = { column: keyColumn, descending: false };
