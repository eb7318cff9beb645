/** Queries over the models of a perspective, as SQL. */
import {
  keyColumn,
  sortedByKey,
  tableNamesOf,
  type ColumnCondition,
  type IndexedType,
  type ColumnValue,
  type ModelPlace,
  type ModelQuery,
  type ModelSort,
  type PerspectiveColumn,
  type ScopeCondition,
} from '@svc/core';
import { columnTypes, quoted } from './perspective-ddl.js';
import { modelColumns, scopeColumn } from './perspective-rows.js';

export interface ListStatement {
  readonly text: string;
  readonly values: (string | number | boolean | readonly string[] | null)[];
}

export function listStatement(
  perspective: string,
  columns: readonly PerspectiveColumn[],
  { offset, limit, scope, where = [], sort = sortedByKey, after = null }: ModelQuery,
): ListStatement {
  const list = new List(columns);
  const { models } = tableNamesOf(perspective);
  const order = list.order(sort);
  const last = limit + offset;
  const conditions = ['body IS NOT NULL', ...where.map((condition) => list.condition(condition)), ...list.scope(scope)];
  // One range of the index after another, each read no further than needed.
  const ranges = after === null ? [[]] : list.behind(after, sort);
  const parts = ranges.map(
    (range) =>
      `(SELECT * FROM ${models} WHERE ${[...conditions, ...range].join(' AND ')} ORDER BY ${order} LIMIT ${list.bind(last)})`,
  );
  const text = `SELECT ${modelColumns} FROM (${parts.join(' UNION ALL ')}) found ORDER BY ${order} LIMIT ${list.bind(limit)} OFFSET ${list.bind(offset)}`;
  return { text, values: list.values };
}

const comparisons = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The parts of one statement, with their parameters. */
class List {
  readonly values: ListStatement['values'] = [];
  readonly #columns: ReadonlyMap<string, PerspectiveColumn>;

  constructor(columns: readonly PerspectiveColumn[]) {
    this.#columns = new Map(columns.map((column) => [column.name, column]));
  }

  bind(value: ListStatement['values'][number]): string {
    return `$${this.values.push(value)}`;
  }

  condition(condition: ColumnCondition): string {
    const name = this.#nameOf(condition.column);
    if (condition.operator !== 'in') {
      if (condition.value === null) return condition.operator === 'eq' ? `${name} IS NULL` : 'false';
      return `${name} ${comparisons[condition.operator]} ${this.#value(condition.column, condition.value)}`;
    }
    const known = condition.values.filter((value) => value !== null);
    const alternatives = known.map((value) => this.#value(condition.column, value));
    const parts = [
      ...(alternatives.length > 0 ? [`${name} IN (${alternatives.join(', ')})`] : []),
      ...(known.length < condition.values.length ? [`${name} IS NULL`] : []),
    ];
    return parts.length === 0 ? 'false' : `(${parts.join(' OR ')})`;
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
            `allowed_principals && ${this.bind(anyOf.principals)}::text[]`,
          ];
    return ['extensions IS NOT NULL', ...equal, ...(any.length === 0 ? [] : [`(${any.join(' OR ')})`])];
  }

  /** Models without a value come first; in descending order, last. */
  order({ column, descending }: ModelSort): string {
    const [direction, nulls] = descending ? ['DESC', 'NULLS LAST'] : ['ASC', 'NULLS FIRST'];
    if (column === keyColumn) return `key ${direction}`;
    return `${this.#nameOf(column)} ${direction} ${nulls}, key ${direction}`;
  }

  /** What is behind a place, as ranges that have nothing in common. */
  behind({ value, key }: ModelPlace, { column, descending }: ModelSort): string[][] {
    const than = descending ? '<' : '>';
    const name = this.#nameOf(column);
    if (column === keyColumn) return [[`key ${than} ${this.bind(key)}`]];
    if (value === null) {
      const same = [`${name} IS NULL`, `key ${than} ${this.bind(key)}`];
      return descending ? [same] : [same, [`${name} IS NOT NULL`]];
    }
    const further = [`(${name}, key) ${than} (${this.#value(column, value)}, ${this.bind(key)})`];
    return descending ? [further, [`${name} IS NULL`]] : [further];
  }

  #nameOf(column: string): string {
    return column === keyColumn ? 'key' : quoted(this.#columns.get(column)!);
  }

  #value(column: string, value: Exclude<ColumnValue, null>): string {
    const type: IndexedType = column === keyColumn ? 'text' : this.#columns.get(column)!.type;
    if (type === 'timestamp') return timestampOf(`${this.bind(value)}::bigint`);
    return `${this.bind(value)}::${columnTypes[type]}`;
  }
}

/** Milliseconds since 1970 as a timestamp, exactly. */
export function timestampOf(milliseconds: string): string {
  return `(timestamptz 'epoch' + ${milliseconds} * interval '1 millisecond')`;
}
