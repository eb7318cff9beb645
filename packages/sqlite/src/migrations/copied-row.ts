/** Copies rows to a table with another definition. Values are converted in JavaScript, because SQLite cannot express all conversions. */
import { columnValue, quoted, type ColumnDefinition, type IndexedType, type TableDefinition } from '@svc/core/storage';
import type { Connection } from '../connection.js';
import type { Row, SqlValue } from '../engine.js';
import { sqlValue } from '../perspective-rows.js';

/** Copies rows of a table `from` to a table of the definition `to`, and replaces rows with the same key. */
export function copyRows(
  connection: Connection,
  rows: readonly Row[],
  from: TableDefinition,
  to: TableDefinition,
  table: string,
): void {
  if (rows.length === 0) return;
  const names = to.columns.map(({ name }) => quoted(name));
  const updates = names.map((name) => `${name} = excluded.${name}`);
  const statement = connection.prepare(
    `INSERT INTO ${quoted(table)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${quoted(to.key)}) DO UPDATE SET ${updates.join(', ')}`,
  );
  const known = new Map(from.columns.map((column) => [column.name, column]));
  for (const row of rows) {
    statement.run(...to.columns.map((column) => valueOf(row, known.get(column.name), column)));
  }
}

function valueOf(row: Row, before: ColumnDefinition | undefined, { name, type, fill }: ColumnDefinition): SqlValue {
  const isKept = before !== undefined && JSON.stringify(before.fill) === JSON.stringify(fill);
  if (isKept || fill === undefined) return before === undefined ? null : row[name]!;
  const source = row[fill.column];
  let value: unknown = typeof source === 'string' ? JSON.parse(source) : null;
  for (const part of fill.path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[part];
  if (value === undefined || value === null) return null;
  if (type === 'json' || type === 'texts') return JSON.stringify(value);
  if (type === 'uuid') return value as string;
  return sqlValue(type satisfies IndexedType, columnValue(fill.path.join('.'), type, value));
}
