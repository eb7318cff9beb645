/** The SQL of tables that are made of definitions. Names were checked when the definition was registered. */
import { hasIndex } from '../strategy.js';
import type { ColumnDefinition, TableDefinition } from '../table-definition.js';

/** Where the SQL of tables differs between databases. */
export interface TableDialect {
  /** A column with its type. */
  columnSql(column: ColumnDefinition): string;
  /** `table`: the one that gets the index, which may be another than that of the definition. */
  createIndex(definition: TableDefinition, table: string, columns: readonly string[]): string;
  /** What follows the columns of a table. */
  readonly tableOptions: string;
}

/** A name as a quoted identifier. */
export const quoted = (name: string): string => `"${name}"`;

/** Makes a table of a definition under any name, with its indexes. */
export function createTable(definition: TableDefinition, table: string, dialect: TableDialect): readonly string[] {
  const columns = definition.columns.map((column) => `  ${dialect.columnSql(column)}`);
  const key = `  PRIMARY KEY (${quoted(definition.key)})`;
  return [
    `CREATE TABLE ${quoted(table)} (\n${[...columns, key].join(',\n')}\n)${dialect.tableOptions}`,
    ...(definition.indexes ?? []).map((index) => dialect.createIndex(definition, table, index)),
  ];
}

/** Adds what a table lacks. */
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
