/** Queries over the models of a perspective, as SQL. */
import { compareCodePoints, type ColumnValue } from '../models/column-values.js';
import {
  keyColumn,
  sortedByKey,
  type ColumnCondition,
  type ModelPlace,
  type ModelQuery,
  type ModelSelection,
  type ModelSort,
  type OwnerCondition,
} from '../models/model-query.js';
import {
  layoutOf,
  tableNamesOf,
  type IndexedType,
  type PerspectiveColumn,
  type PerspectiveTable,
} from '../models/perspective-table.js';
import { indexedColumn, modelsOf, scopeColumn } from './model-rows.js';
import type { RecordedTables } from './recorded-tables.js';
import type { ParameterMark } from './sql-statement.js';

/** The differences between databases in the SQL of lists. `TValue`: the types of parameters in addition to strings and numbers. */
export interface ListDialect<TValue> {
  readonly parameterMark: ParameterMark;
  /** The columns of a model with its revision, as a list of a SELECT. */
  readonly modelColumns: string;
  /** A value to compare a column with. `bind` returns the text of a parameter. */
  columnValue(type: IndexedType, value: Exclude<ColumnValue, null>, bind: Bind<TValue>): string;
  /** Whether a model allows one of these principals. */
  allowsAny(principals: readonly string[], bind: Bind<TValue>): string;
}

type Bind<TValue> = (value: TValue | string | number) => string;

export interface ListStatement<TValue> {
  readonly text: string;
  readonly values: (TValue | string | number)[];
}

/** A list of all owners queries up to this number of owners one by one; with more owners, all models are read and sorted. */
export const mostOwnersListed = 50;

/** Finds the owners of models, up to one more than the limit. It costs one index lookup per owner, however many models there are. */
export function ownersStatement({ tables }: RecordedTables): string {
  const { models } = tableNamesOf(tables.name);
  return `
    WITH RECURSIVE owners (owner) AS (
      SELECT (SELECT owner FROM ${models} ORDER BY owner LIMIT 1)
    UNION ALL
      SELECT (SELECT next.owner FROM ${models} next WHERE next.owner > owners.owner ORDER BY next.owner LIMIT 1)
      FROM owners WHERE owners.owner IS NOT NULL
    )
    SELECT owner FROM owners WHERE owner IS NOT NULL LIMIT ${mostOwnersListed + 1}`;
}

/** The statement for a query. `owners`: all owners, if they are known, for a query without an owner. */
export function listStatement<TValue>(
  recorded: RecordedTables,
  { offset, limit, owner, principals, where = [], sort = sortedByKey, after = null }: ModelQuery,
  owners: readonly string[] | null,
  dialect: ListDialect<TValue>,
): ListStatement<TValue> {
  const list = new List(recorded.table, dialect);
  const order = list.order(sort);
  const last = list.bind(limit + offset);
  const wanted: readonly (string | null)[] = owner === null ? (owners ?? [null]) : [owner.owner];
  const conditions = list.conditions(where, principals);
  // Each part reads a range of an index, and no more rows than needed.
  const parts = wanted.flatMap((one) => {
    const own = owner === null ? list.ofOwner(one) : list.owner(owner);
    const ranges = after === null ? [[]] : list.behind(after, sort, one);
    return ranges.map((range) => {
      const all = [...own, ...conditions, ...range].join(' AND ');
      return `SELECT * FROM (SELECT * FROM ${modelsOf(recorded)} WHERE ${all} ORDER BY ${order} LIMIT ${last}) part`;
    });
  });
  const text = `SELECT ${dialect.modelColumns} FROM (${parts.join(' UNION ALL ')}) found ORDER BY ${order} LIMIT ${list.bind(limit)} OFFSET ${list.bind(offset)}`;
  return { text, values: list.values };
}

/** The statement for the number of models, as `count`. */
export function countStatement<TValue>(
  recorded: RecordedTables,
  { owner, principals, where = [] }: ModelSelection,
  dialect: ListDialect<TValue>,
): ListStatement<TValue> {
  const list = new List(recorded.table, dialect);
  const all = [...(owner === null ? [] : list.owner(owner)), ...list.conditions(where, principals)].join(' AND ');
  return { text: `SELECT count(*) AS count FROM ${modelsOf(recorded)} WHERE ${all}`, values: list.values };
}

const comparisons = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The parts of one statement, with their parameters. */
class List<TValue> {
  readonly values: ListStatement<TValue>['values'] = [];
  readonly bind: Bind<TValue>;
  readonly #table: PerspectiveTable;
  readonly #columns: ReadonlyMap<string, PerspectiveColumn>;
  readonly #dialect: ListDialect<TValue>;

  constructor(table: PerspectiveTable, dialect: ListDialect<TValue>) {
    this.#table = table;
    this.#columns = new Map(table.columns.map((column) => [column.name, column]));
    this.#dialect = dialect;
    this.bind = (value) => `${dialect.parameterMark}${this.values.push(value)}`;
  }

  /** The conditions of every query, for any owner of the models. */
  conditions(where: readonly ColumnCondition[], anyOf: ModelQuery['principals']): string[] {
    return ['body IS NOT NULL', ...where.map((condition) => this.#condition(condition)), ...this.#principals(anyOf)];
  }

  #condition(condition: ColumnCondition): string {
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

  /** A `keyed` table has columns for the values of an owner, and none for the owner. */
  owner({ owner, values }: OwnerCondition): string[] {
    if (layoutOf(this.#table) === 'owned') return this.ofOwner(owner);
    return Object.entries(values).map(([name, value]) =>
      value === null ? `${scopeColumn(name)} IS NULL` : `${scopeColumn(name)} = ${this.bind(value)}`,
    );
  }

  ofOwner(owner: string | null): string[] {
    return owner === null ? [] : [`owner = ${this.bind(owner)}`];
  }

  #principals(anyOf: ModelQuery['principals']): string[] {
    if (anyOf === null) return [];
    const any = [
      ...(anyOf.userId === undefined ? [] : [`user_id = ${this.bind(anyOf.userId)}`]),
      this.#dialect.allowsAny(anyOf.principals, this.bind),
    ];
    return [`(${any.join(' OR ')})`];
  }

  /** Models without a value come first; in descending order, last. */
  order({ column, descending }: ModelSort): string {
    const [direction, nulls] = descending ? ['DESC', 'NULLS LAST'] : ['ASC', 'NULLS FIRST'];
    if (column === keyColumn) return `key ${direction}, owner ${direction}`;
    return `${this.#nameOf(column)} ${direction} ${nulls}, key ${direction}, owner ${direction}`;
  }

  /** The models after a place among those of an owner, null for all owners, as disjoint ranges. */
  behind({ value, key, owner: last }: ModelPlace, { column, descending }: ModelSort, owner: string | null): string[][] {
    const than = descending ? '<' : '>';
    const name = this.#nameOf(column);
    // Models with the same value and key follow in the order of their owners.
    const comes = (names: string, values: string): string => {
      if (last === undefined) return `(${names}) ${than} (${values})`;
      if (owner === null) return `(${names}, owner) ${than} (${values}, ${this.bind(last)})`;
      const isLater = descending ? compareCodePoints(owner, last) < 0 : compareCodePoints(owner, last) > 0;
      return `(${names}) ${isLater ? `${than}=` : than} (${values})`;
    };
    if (column === keyColumn) return [[comes('key', this.bind(key))]];
    if (value === null) {
      const same = [`${name} IS NULL`, comes('key', this.bind(key))];
      return descending ? [same] : [same, [`${name} IS NOT NULL`]];
    }
    const further = [comes(`${name}, key`, `${this.#value(column, value)}, ${this.bind(key)}`)];
    return descending ? [further, [`${name} IS NULL`]] : [further];
  }

  #nameOf(column: string): string {
    return column === keyColumn ? 'key' : indexedColumn(this.#columns.get(column)!);
  }

  #value(column: string, value: Exclude<ColumnValue, null>): string {
    const type = column === keyColumn ? 'text' : this.#columns.get(column)!.type;
    return this.#dialect.columnValue(type, value, this.bind);
  }
}
