/** The SQL of tables that are made of definitions. Names were checked when the definition was registered. */
import { hasIndex, newId, type ColumnDefinition, type ColumnType, type TableDefinition } from '@svc/core';

const types: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  decimal: 'TEXT',
  boolean: 'INTEGER',
  uuid: 'TEXT',
  timestamp: 'TEXT',
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

/** The names of the columns of `to`, and for each what it is made of in a row `old` of a table `from`. */
export function copiedColumns(
  from: TableDefinition,
  to: TableDefinition,
): { names: string; values: string; updates: string } {
  const known = new Map(from.columns.map((column) => [column.name, column]));
  const names = to.columns.map(({ name }) => quoted(name));
  const values = to.columns.map((column) => {
    const before = known.get(column.name);
    const isKept = before !== undefined && JSON.stringify(before.fill) === JSON.stringify(column.fill);
    if (isKept || column.fill === undefined) return before === undefined ? 'NULL' : `old.${quoted(column.name)}`;
    return fillSql(column);
  });
  const updates = names.map((name) => `${name} = excluded.${name}`);
  return { names: names.join(', '), values: values.join(', '), updates: updates.join(', ') };
}

function columnSql({ name, type, required = false }: ColumnDefinition): string {
  return `${quoted(name)} ${types[type]}${required ? ' NOT NULL' : ''}`;
}

/** Index names are nobody's business, and must differ between a table and its backup. */
function createIndex(table: string, name: string, columns: readonly string[]): string {
  return `CREATE INDEX ${quoted(`${table}_${newId().slice(-8)}`)} ON ${quoted(name)} (${columns.map(quoted).join(', ')})`;
}

function fillSql({ type, fill }: ColumnDefinition): string {
  const path = `$${fill!.path.map((part) => `.${JSON.stringify(part)}`).join('')}`.replaceAll("'", "''");
  const source = `old.${quoted(fill!.column)}`;
  if (type === 'json') return `${source} -> '${path}'`;
  const value = `${source} ->> '${path}'`;
  // Numbers that are kept as text are text.
  return types[type] === 'TEXT' ? `CAST(${value} AS TEXT)` : value;
}
