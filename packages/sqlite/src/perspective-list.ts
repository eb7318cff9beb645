/** Queries over the models of a perspective, as SQL. */
import {
  keyColumn,
  sortedByKey,
  tableNamesOf,
  type ColumnCondition,
  type ColumnValue,
  type ModelPlace,
  type ModelQuery,
  type ModelSort,
  type PerspectiveColumn,
  type ScopeCondition,
} from '@svc/core';
import type { SqlValue } from './engine.js';
import { quoted } from './perspective-ddl.js';
import { modelColumns, scopeColumn, sqlValue } from './perspective-rows.js';

export interface ListStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export function listStatement(
  perspective: string,
  columns: readonly PerspectiveColumn[],
  { offset, limit, scope, where = [], sort = sortedByKey, after = null }: ModelQuery,
): ListStatement {
  const list = new List(columns);
  const { models } = tableNamesOf(perspective);
  const order = list.order(sort);
  // One range of the index after another, each read no further than needed. Parameters stand in the order of the text.
  const ranges = after === null ? [() => []] : list.behind(after, sort);
  const parts = ranges.map((range) => {
    const conditions = [
      'body IS NOT NULL',
      ...where.map((condition) => list.condition(condition)),
      ...list.scope(scope),
      ...range(),
    ];
    return `SELECT * FROM (SELECT * FROM ${models} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${list.bind(limit + offset)})`;
  });
  const text = `SELECT ${modelColumns} FROM (${parts.join(' UNION ALL ')}) ORDER BY ${order} LIMIT ${list.bind(limit)} OFFSET ${list.bind(offset)}`;
  return { text, values: list.values };
}

const comparisons = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The parts of one statement, with their parameters. */
class List {
  readonly values: SqlValue[] = [];
  readonly #columns: ReadonlyMap<string, PerspectiveColumn>;

  constructor(columns: readonly PerspectiveColumn[]) {
    this.#columns = new Map(columns.map((column) => [column.name, column]));
  }

  bind(value: SqlValue): string {
    this.values.push(value);
    return '?';
  }

  condition(condition: ColumnCondition): string {
    const name = this.#nameOf(condition.column);
    if (condition.operator !== 'in') {
      if (condition.value === null) return condition.operator === 'eq' ? `${name} IS NULL` : 'FALSE';
      return `${name} ${comparisons[condition.operator]} ${this.#value(condition.column, condition.value)}`;
    }
    const known = condition.values.filter((value) => value !== null);
    const alternatives = known.map((value) => this.#value(condition.column, value));
    const parts = [
      ...(alternatives.length > 0 ? [`${name} IN (${alternatives.join(', ')})`] : []),
      ...(known.length < condition.values.length ? [`${name} IS NULL`] : []),
    ];
    return parts.length === 0 ? 'FALSE' : `(${parts.join(' OR ')})`;
  }

  /** A model of which nobody knows whose it is fulfils no condition. */
  scope(scope: ScopeCondition | null): string[] {
    if (scope === null) return [];
    const equal = Object.entries(scope.equal).map(([name, value]) => `${scopeColumn(name)} = ${this.bind(value)}`);
    const { anyOf } = scope;
    const any =
      anyOf === null
        ? []
        : [
            ...(anyOf.userId === undefined ? [] : [`user_id = ${this.bind(anyOf.userId)}`]),
            `EXISTS (SELECT 1 FROM json_each(allowed_principals) allowed JOIN json_each(${this.bind(JSON.stringify(anyOf.principals))}) own ON own.value = allowed.value)`,
          ];
    return ['extensions IS NOT NULL', ...equal, ...(any.length === 0 ? [] : [`(${any.join(' OR ')})`])];
  }

  /** Models without a value come first; in descending order, last. */
  order({ column, descending }: ModelSort): string {
    const direction = descending ? 'DESC' : 'ASC';
    return column === keyColumn ? `key ${direction}` : `${this.#nameOf(column)} ${direction}, key ${direction}`;
  }

  /** What is behind a place, as ranges that have nothing in common. */
  behind({ value, key }: ModelPlace, { column, descending }: ModelSort): (() => string[])[] {
    const than = descending ? '<' : '>';
    const name = this.#nameOf(column);
    if (column === keyColumn) return [() => [`key ${than} ${this.bind(key)}`]];
    if (value === null) {
      const same = (): string[] => [`${name} IS NULL`, `key ${than} ${this.bind(key)}`];
      return descending ? [same] : [same, () => [`${name} IS NOT NULL`]];
    }
    const further = (): string[] => [`(${name}, key) ${than} (${this.#value(column, value)}, ${this.bind(key)})`];
    return descending ? [further, () => [`${name} IS NULL`]] : [further];
  }

  #nameOf(column: string): string {
    return column === keyColumn ? 'key' : quoted(this.#columns.get(column)!);
  }

  #value(column: string, value: Exclude<ColumnValue, null>): string {
    return this.bind(sqlValue(column === keyColumn ? 'text' : this.#columns.get(column)!.type, value));
  }
}
