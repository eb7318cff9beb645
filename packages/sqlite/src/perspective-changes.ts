/** Changes all tables of a perspective together, inside a transaction of a rebuild or a migration. */
import {
  PerspectiveChanges,
  toRecordedTables,
  toTablesInRole,
  type ModelTables,
  type PerspectiveTable,
  type RecordedTables,
  type SqlStatement,
  type TableRole,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import { createTables } from './perspective-ddl.js';

const changes = new PerspectiveChanges('?', createTables);

export const { read: recordedStatement, readServing: servingStatement } = changes;

export function readTables(connection: Connection, tables: ModelTables): RecordedTables | undefined {
  const [row] = connection.rows(recordedStatement, tables.name);
  return row === undefined ? undefined : toRecordedTables(tables, row);
}

export function tablesInRole(connection: Connection, perspective: string, role: TableRole): readonly RecordedTables[] {
  return connection.rows(changes.readInRole, perspective, role).map(toTablesInRole);
}

/** Creates tables. Tables that will replace others start at their revision. */
export function makeTables(
  connection: Connection,
  tables: ModelTables,
  table: PerspectiveTable,
  revision: number,
): void {
  run(connection, changes.make(tables, table, revision));
}

export function removeTables(connection: Connection, tables: ModelTables): void {
  run(connection, changes.remove(tables));
}

/** Removes all tables of a perspective. Returns those that it had. */
export function removeAllTables(connection: Connection, perspective: string): readonly ModelTables[] {
  const all = connection.rows(changes.readAll, perspective).map((row) => toTablesInRole(row).tables);
  run(connection, changes.removeAll(perspective, all));
  return all;
}

/** Deletes all rows. A batch that began before can no longer commit. */
export function emptyTables(connection: Connection, tables: RecordedTables): void {
  run(connection, changes.empty(tables));
}

export function replaceTables(connection: Connection, serving: RecordedTables, by: RecordedTables): void {
  run(connection, changes.replace(serving, by));
}

/** Records a new definition of the table of a perspective. */
export function redefineTable(connection: Connection, table: PerspectiveTable): void {
  run(connection, [changes.redefine(table)]);
}

/** Retains the serving tables for processes of their version, before tables of another version replace them. */
export function retainTables(connection: Connection, serving: RecordedTables, next: PerspectiveTable): void {
  const retained = tablesInRole(connection, serving.tables.perspective, 'retained');
  run(connection, changes.retain(serving, next, retained));
}

function run(connection: Connection, statements: readonly SqlStatement[]): void {
  for (const { text, values } of statements) {
    if (values.length === 0) connection.exec(text);
    else connection.rows(text, ...values);
  }
}
