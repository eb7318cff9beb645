import { meetsAnyOf } from '../../security/index.js';
import { compareColumnValues, type ColumnValue } from '../models/column-values.js';
import {
  keyColumn,
  sortedByKey,
  type ColumnCondition,
  type ModelPlace,
  type ModelQuery,
} from '../models/model-query.js';
import type { IndexedModel } from '../models/perspective-storage.js';
import type { IndexedType, PerspectiveColumn } from '../models/perspective-table.js';

/** Runs a query over the models of its owner. Every database must return the same results. */
export function queryModels<TModel extends IndexedModel>(
  models: Iterable<TModel>,
  columns: readonly PerspectiveColumn[],
  { offset, limit, principals, where = [], sort = sortedByKey, after = null }: ModelQuery,
): readonly TModel[] {
  const types = new Map<string, IndexedType>([[keyColumn, 'text']]);
  for (const { name, type } of columns) types.set(name, type);
  const typeOf = (column: string): IndexedType => types.get(column)!;
  const order = (a: ModelPlace, b: ModelPlace): number => {
    const ascending =
      compareColumnValues(typeOf(sort.column), a.value, b.value) ||
      compareColumnValues('text', a.key, b.key) ||
      (a.owner === undefined || b.owner === undefined ? 0 : compareColumnValues('text', a.owner, b.owner));
    return sort.descending ? -ascending : ascending;
  };
  const placeOf = (model: IndexedModel): ModelPlace => ({
    key: model.key,
    value: valueOf(model, sort.column),
    owner: model.owner,
  });
  const found = [...models].filter(
    (model) =>
      model.body !== null &&
      meetsAnyOf(model.scope, principals) &&
      where.every((condition) => fulfils(condition, valueOf(model, condition.column), typeOf(condition.column))) &&
      (after === null || order(placeOf(model), after) > 0),
  );
  return found.toSorted((a, b) => order(placeOf(a), placeOf(b))).slice(offset, offset + limit);
}

function valueOf(model: IndexedModel, column: string): ColumnValue {
  return column === keyColumn ? model.key : (model.indexed[column] ?? null);
}

function fulfils(condition: ColumnCondition, value: ColumnValue, type: IndexedType): boolean {
  const isEqual = (other: ColumnValue): boolean => compareColumnValues(type, value, other) === 0;
  if (condition.operator === 'in') return condition.values.some(isEqual);
  if (condition.operator === 'eq') return isEqual(condition.value);
  if (value === null || condition.value === null) return false;
  const order = compareColumnValues(type, value, condition.value);
  switch (condition.operator) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}
