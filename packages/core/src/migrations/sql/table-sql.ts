/** Renders definitions of tables as SQL. Names are checked when the definition is registered. */
import { hasIndex } from '../strategy.js';
import type { ColumnDefinition, TableDefinition } from '../table-definition.js';

/** The differences between databases in the SQL of tables. */
export interface TableDialect {
  /** A column with its type. */
  columnSql(column: ColumnDefinition): string;
  /** `table`: the table that gets the index, which may differ from that of the definition. */
  createIndex(definition: TableDefinition, table: string, columns: readonly string[]): string;
  /** The text after the columns of a table. */
  readonly tableOptions: string;
}

/** A name as a quoted identifier. */
export const quoted = (name: string): string => `"${name}"`;

/** Creates the table of a definition with its indexes, under any name. */
export function createTable(definition: TableDefinition, table: string, dialect: TableDialect): readonly string[] {
  const columns = definition.columns.map((column) => `  ${dialect.columnSql(column)}`);
  const key = `  PRIMARY KEY (${quoted(definition.key)})`;
  return [
    `CREATE TABLE ${quoted(table)} (\n${[...columns, key].join(',\n')}\n)${dialect.tableOptions}`,
    ...(definition.indexes ?? []).map((index) => dialect.createIndex(definition, table, index)),
  ];
}

/** Adds the columns and indexes that a table lacks. */
export function extendTable(old: TableDefinition, next: TableDefinition, dialect: TableDialect): readonly string[] {
  const known = new Set(old.columns.map(({ name }) => name));
  const added = next.columns.filter(({ name }) => !known.has(name));
  return [
    ...added.map((column) => `ALTER TABLE ${quoted(next.table)} ADD COLUMN ${dialect.columnSql(column)}`),
    ...(next.indexes ?? [])
      .filter((index) => !hasIndex(old, index))
      .map((index) => dialect.createIndex(next, next.table, index)),
  ];
}
