/** Queries over the models of a perspective, as SQL. */
import {
  compareCodePoints,
  keyColumn,
  layoutOf,
  sortedByKey,
  tableNamesOf,
  type ColumnCondition,
  type ColumnValue,
  type ModelPlace,
  type ModelQuery,
  type ModelSort,
  type OwnerCondition,
  type PerspectiveColumn,
  type PerspectiveTable,
} from '@svc/core/storage';
import type { SqlValue } from './engine.js';
import { quoted } from './perspective-ddl.js';
import { modelColumns, modelsOf, scopeColumn, sqlValue } from './perspective-rows.js';

export interface ListStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Finds the owners of models, so many at most: one look at an index for each of them, however many models they have. */
export function ownersStatement({ perspective }: PerspectiveTable, limit: number): string {
  const { models } = tableNamesOf(perspective);
  return `
    WITH RECURSIVE owners (owner) AS (
      SELECT min(owner) FROM ${models}
    UNION ALL
      SELECT (SELECT min(next.owner) FROM ${models} next WHERE next.owner > owners.owner) FROM owners
      WHERE owners.owner IS NOT NULL
    )
    SELECT owner FROM owners WHERE owner IS NOT NULL LIMIT ${limit}`;
}

/** The models of a query; of any owner, those of `owners` when they are known. */
export function listStatement(
  table: PerspectiveTable,
  { offset, limit, owner, principals, where = [], sort = sortedByKey, after = null }: ModelQuery,
  owners: readonly string[] | null,
): ListStatement {
  const list = new List(table);
  const order = list.order(sort);
  const wanted: readonly (string | null)[] = owner === null ? (owners ?? [null]) : [owner.owner];
  // One range of an index after another, each read no further than needed. Parameters stand in the order of the text.
  const parts = wanted.flatMap((one) => {
    const ranges = after === null ? [() => []] : list.behind(after, sort, one);
    return ranges.map((range) => {
      const conditions = [
        ...(owner === null ? list.ofOwner(one) : list.owner(owner)),
        'body IS NOT NULL',
        ...where.map((condition) => list.condition(condition)),
        ...list.principals(principals),
        ...range(),
      ];
      return `SELECT * FROM (SELECT * FROM ${modelsOf(table)} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${list.bind(limit + offset)})`;
    });
  });
  const text = `SELECT ${modelColumns} FROM (${parts.join(' UNION ALL ')}) ORDER BY ${order} LIMIT ${list.bind(limit)} OFFSET ${list.bind(offset)}`;
  return { text, values: list.values };
}

const comparisons = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The parts of one statement, with their parameters. */
class List {
  readonly values: SqlValue[] = [];
  readonly #table: PerspectiveTable;
  readonly #columns: ReadonlyMap<string, PerspectiveColumn>;

  constructor(table: PerspectiveTable) {
    this.#table = table;
    this.#columns = new Map(table.columns.map((column) => [column.name, column]));
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

  /** A table that knows models by their key alone has the values of an owner, and not the owner. */
  owner({ owner, values }: OwnerCondition): string[] {
    if (layoutOf(this.#table) === 'owned') return this.ofOwner(owner);
    return Object.entries(values).map(([name, value]) =>
      value === null ? `${scopeColumn(name)} IS NULL` : `${scopeColumn(name)} = ${this.bind(value)}`,
    );
  }

  ofOwner(owner: string | null): string[] {
    return owner === null ? [] : [`owner = ${this.bind(owner)}`];
  }

  principals(anyOf: ModelQuery['principals']): string[] {
    if (anyOf === null) return [];
    const any = [
      ...(anyOf.userId === undefined ? [] : [`user_id = ${this.bind(anyOf.userId)}`]),
      `EXISTS (SELECT 1 FROM json_each(allowed_principals) allowed JOIN json_each(${this.bind(JSON.stringify(anyOf.principals))}) own ON own.value = allowed.value)`,
    ];
    return [`(${any.join(' OR ')})`];
  }

  /** Models without a value come first; in descending order, last. */
  order({ column, descending }: ModelSort): string {
    const direction = descending ? 'DESC' : 'ASC';
    const names = column === keyColumn ? ['key', 'owner'] : [this.#nameOf(column), 'key', 'owner'];
    return names.map((name) => `${name} ${direction}`).join(', ');
  }

  /** What comes after a place among the models of an owner, null for all: as ranges that have nothing in common. */
  behind(
    { value, key, owner: last }: ModelPlace,
    { column, descending }: ModelSort,
    owner: string | null,
  ): (() => string[])[] {
    const than = descending ? '<' : '>';
    const name = this.#nameOf(column);
    // Of the same value and key, those of the owners that come later are still to come.
    const comes = (names: string, values: () => string): string => {
      if (last === undefined) return `(${names}) ${than} (${values()})`;
      if (owner === null) return `(${names}, owner) ${than} (${values()}, ${this.bind(last)})`;
      const isLater = descending ? compareCodePoints(owner, last) < 0 : compareCodePoints(owner, last) > 0;
      return `(${names}) ${isLater ? `${than}=` : than} (${values()})`;
    };
    const behindKey = (): string => comes('key', () => this.bind(key));
    if (column === keyColumn) return [() => [behindKey()]];
    if (value === null) {
      const same = (): string[] => [`${name} IS NULL`, behindKey()];
      return descending ? [same] : [same, () => [`${name} IS NOT NULL`]];
    }
    const further = (): string[] => [comes(`${name}, key`, () => `${this.#value(column, value)}, ${this.bind(key)}`)];
    return descending ? [further, () => [`${name} IS NULL`]] : [further];
  }

  #nameOf(column: string): string {
    return column === keyColumn ? 'key' : quoted(this.#columns.get(column)!);
  }

  #value(column: string, value: Exclude<ColumnValue, null>): string {
    return this.bind(sqlValue(column === keyColumn ? 'text' : this.#columns.get(column)!.type, value));
  }
}
