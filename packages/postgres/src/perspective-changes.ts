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
import type { ClientBase } from 'pg';
import { createTables } from './perspective-ddl.js';
import { rawTypes } from './raw-types.js';
import type { Row } from './row.js';
import { endCopy, makeWhole, segmentsExpression } from './segment-statements.js';

const changes = new PerspectiveChanges('$', createTables, segmentsExpression);

const { read: recordedStatement } = changes;
export const { readInRole: inRoleStatement, readServing: servingStatement } = changes;
export const recordedByNameStatement = changes.readWhere('name = ANY($1::text[])');

/** Locks the record of some tables until the transaction ends. */
export async function holdTables(client: ClientBase, tables: ModelTables): Promise<RecordedTables | undefined> {
  const values = [tables.name];
  await client.query('SELECT FROM svc_perspectives WHERE name = $1 FOR UPDATE', values);
  // In a statement of its own: the segments are those of the locked record.
  const { rows } = await client.query<Row>({ text: recordedStatement, values, types: rawTypes });
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

/** Creates tables. Tables that will replace others start at their revision. */
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

/** Reads the tables of a perspective in all roles. */
export async function allTables(client: ClientBase, perspective: string): Promise<readonly ModelTables[]> {
  const { rows } = await client.query<Row>({ text: changes.readAll, values: [perspective], types: rawTypes });
  return rows.map((row) => toTablesInRole(row).tables);
}

/** Removes all tables of a perspective. The caller has locked them. */
export function removeAllTables(client: ClientBase, perspective: string, all: readonly ModelTables[]): Promise<void> {
  return run(client, changes.removeAll(perspective, all));
}

/** Deletes all rows. A batch that began before can no longer commit. */
export async function emptyTables(client: ClientBase, tables: RecordedTables): Promise<void> {
  await makeWhole(client, tables);
  await run(client, changes.empty(tables));
}

export function replaceTables(client: ClientBase, serving: RecordedTables, by: RecordedTables): Promise<void> {
  return run(client, changes.replace(serving, by));
}

/** Records a new definition of the table of a perspective, whose models are no longer being copied. */
export async function redefineTable(client: ClientBase, table: PerspectiveTable): Promise<void> {
  await run(client, [changes.redefine(table)]);
  await endCopy(client, table.perspective);
}

/** Retains the serving tables for hosts of their version, before tables of another version replace them. */
export async function retainTables(client: ClientBase, serving: RecordedTables, next: PerspectiveTable): Promise<void> {
  const retained = await tablesInRole(client, serving.tables.perspective, 'retained');
  await run(client, changes.retain(serving, next, retained));
}

async function run(client: ClientBase, statements: readonly SqlStatement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, [...values]);
}
