/** The SQL of tables that are made of definitions. Names were checked when the definition was registered. */
import { newId } from '@svc/core';
import { hasIndex, type ColumnDefinition, type ColumnType, type TableDefinition } from '@svc/core/storage';

/** Times are milliseconds since 1970, booleans 0 and 1, decimals texts in the order of the numbers, lists and JSON texts. */
const types: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  texts: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  decimal: 'TEXT',
  boolean: 'INTEGER',
  uuid: 'TEXT',
  timestamp: 'INTEGER',
  json: 'TEXT',
};

export const quoted = (name: string): string => `"${name}"`;

/** Makes a table of a definition under any name, with its indexes. */
export function createTable(definition: TableDefinition, name: string): readonly string[] {
  const columns = definition.columns.map((column) => `  ${columnSql(column)}`);
  return [
    `CREATE TABLE ${quoted(name)} (\n${columns.join(',\n')},\n  PRIMARY KEY (${quoted(definition.key)})\n) STRICT`,
    ...(definition.indexes ?? []).map((index) => createIndex(definition.table, name, index)),
  ];
}

/** Adds what a table lacks. */
export function extendTable(old: TableDefinition, next: TableDefinition): readonly string[] {
  const known = new Set(old.columns.map(({ name }) => name));
  const added = next.columns.filter(({ name }) => !known.has(name));
  return [
    ...added.map((column) => `ALTER TABLE ${quoted(next.table)} ADD COLUMN ${columnSql(column)}`),
    ...(next.indexes ?? [])
      .filter((index) => !hasIndex(old, index))
      .map((index) => createIndex(next.table, next.table, index)),
  ];
}

function columnSql({ name, type, required = false }: ColumnDefinition): string {
  return `${quoted(name)} ${types[type]}${required ? ' NOT NULL' : ''}`;
}

/** Index names are nobody's business, and must differ between a table and its backup. */
function createIndex(table: string, name: string, columns: readonly string[]): string {
  return `CREATE INDEX ${quoted(`${table}_${newId().slice(-8)}`)} ON ${quoted(name)} (${columns.map(quoted).join(', ')})`;
}
