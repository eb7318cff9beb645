/** What is done to all tables of a perspective at once, inside a transaction: by rebuilds and by migrations alike. */
import {
  PerspectiveChanges,
  toRecordedTables,
  type PerspectiveTable,
  type RecordedTables,
  type SqlStatement,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import { createTables } from './perspective-ddl.js';

const changes = new PerspectiveChanges('?', createTables);

export const recordedStatement = changes.read;

export function readTables(connection: Connection, name: string): RecordedTables | undefined {
  const [row] = connection.rows(changes.read, name);
  return row === undefined ? undefined : toRecordedTables(name, row);
}

/** Those that are to replace others begin at their revision. */
export function makeTables(connection: Connection, table: PerspectiveTable, revision: number): void {
  run(connection, changes.make(table, revision));
}

export function removeTables(connection: Connection, name: string): void {
  run(connection, changes.remove(name));
}

/** A batch that was begun before cannot be committed any more. */
export function emptyTables(connection: Connection, { table }: RecordedTables): void {
  run(connection, changes.empty(table));
}

export function replaceTables(
  connection: Connection,
  perspective: string,
  live: RecordedTables,
  by: RecordedTables,
): void {
  run(connection, changes.replace(perspective, live, by));
}

/** Records that the table of a perspective has another definition. */
export function redefineTable(connection: Connection, table: PerspectiveTable): void {
  run(connection, [changes.redefine(table)]);
}

/** Retains the tables of a perspective for processes of their own version, where those of another version are about to replace them. */
export function retainTables(connection: Connection, live: RecordedTables, next: PerspectiveTable): void {
  const statements = changes.retain(live, next);
  if (statements === null) return;
  run(connection, statements);
  const { text, values } = changes.readTooManyRetained(live.table.perspective);
  for (const { name } of connection.rows(text, ...values)) removeTables(connection, name as string);
}

function run(connection: Connection, statements: readonly SqlStatement[]): void {
  for (const { text, values } of statements) {
    if (values.length === 0) connection.exec(text);
    else connection.rows(text, ...values);
  }
}
