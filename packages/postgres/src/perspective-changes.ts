/** What is done to all tables of a perspective at once, inside a transaction: by rebuilds and by migrations alike. */
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
import type { ClientBase } from 'pg';
import { createTables } from './perspective-ddl.js';
import { rawTypes } from './raw-types.js';
import type { Row } from './rows.js';

const changes = new PerspectiveChanges('$', createTables);

export const { read: recordedStatement, readInRole: inRoleStatement } = changes;

/** Holds what is recorded of some tables until the transaction ends. */
export async function holdTables(client: ClientBase, tables: ModelTables): Promise<RecordedTables | undefined> {
  const text = `${recordedStatement} FOR UPDATE`;
  const { rows } = await client.query<Row>({ text, values: [tables.name], types: rawTypes });
  return rows[0] === undefined ? undefined : toRecordedTables(tables, rows[0]);
}

export async function tablesInRole(
  client: ClientBase,
  perspective: string,
  role: TableRole,
): Promise<readonly RecordedTables[]> {
  const { rows } = await client.query<Row>({ text: inRoleStatement, values: [perspective, role], types: rawTypes });
  return rows.map(toTablesInRole);
}

/** Those that are to replace others begin at their revision. */
export async function makeTables(
  client: ClientBase,
  tables: ModelTables,
  table: PerspectiveTable,
  revision: number,
): Promise<RecordedTables> {
  await run(client, changes.make(tables, table, revision));
  return (await holdTables(client, tables))!;
}

export function removeTables(client: ClientBase, tables: ModelTables): Promise<void> {
  return run(client, changes.remove(tables));
}

/** A batch that was begun before cannot be committed any more. */
export function emptyTables(client: ClientBase, tables: RecordedTables): Promise<void> {
  return run(client, changes.empty(tables));
}

export function replaceTables(client: ClientBase, serving: RecordedTables, by: RecordedTables): Promise<void> {
  return run(client, changes.replace(serving, by));
}

/** Records that the table of a perspective has another definition. */
export function redefineTable(client: ClientBase, table: PerspectiveTable): Promise<void> {
  return run(client, [changes.redefine(table)]);
}

/** Retains the tables that serve for hosts of their own version, where those of another version are about to replace them. */
export async function retainTables(client: ClientBase, serving: RecordedTables, next: PerspectiveTable): Promise<void> {
  const retained = await tablesInRole(client, serving.tables.perspective, 'retained');
  await run(client, changes.retain(serving, next, retained));
}

async function run(client: ClientBase, statements: readonly SqlStatement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, [...values]);
}
