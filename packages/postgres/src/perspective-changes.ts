/** What is done to all tables of a perspective at once, inside a transaction: by rebuilds and by migrations alike. */
import {
  PerspectiveChanges,
  toRecordedTables,
  type PerspectiveTable,
  type RecordedTables,
  type SqlStatement,
} from '@svc/core/storage';
import type { ClientBase } from 'pg';
import { createTables } from './perspective-ddl.js';
import { rawTypes } from './raw-types.js';
import type { Row } from './rows.js';

const changes = new PerspectiveChanges('$', createTables);

export const recordedStatement = changes.read;

/** Holds what is recorded of some tables until the transaction ends. */
export async function holdTables(client: ClientBase, name: string): Promise<RecordedTables | undefined> {
  const { rows } = await client.query<Row>({ text: `${changes.read} FOR UPDATE`, values: [name], types: rawTypes });
  return rows[0] === undefined ? undefined : toRecordedTables(name, rows[0]);
}

/** Those that are to replace others begin at their revision. */
export async function makeTables(
  client: ClientBase,
  table: PerspectiveTable,
  revision: number,
): Promise<RecordedTables> {
  await run(client, changes.make(table, revision));
  return (await holdTables(client, table.perspective))!;
}

export function removeTables(client: ClientBase, name: string): Promise<void> {
  return run(client, changes.remove(name));
}

/** A batch that was begun before cannot be committed any more. */
export function emptyTables(client: ClientBase, { table }: RecordedTables): Promise<void> {
  return run(client, changes.empty(table));
}

export function replaceTables(
  client: ClientBase,
  perspective: string,
  live: RecordedTables,
  by: RecordedTables,
): Promise<void> {
  return run(client, changes.replace(perspective, live, by));
}

/** Records that the table of a perspective has another definition. */
export function redefineTable(client: ClientBase, table: PerspectiveTable): Promise<void> {
  return run(client, [changes.redefine(table)]);
}

/** Retains the tables of a perspective for hosts of their own version, where those of another version are about to replace them. */
export async function retainTables(client: ClientBase, live: RecordedTables, next: PerspectiveTable): Promise<void> {
  const statements = changes.retain(live, next);
  if (statements === null) return;
  await run(client, statements);
  const { text, values } = changes.readTooManyRetained(live.table.perspective);
  const { rows } = await client.query<{ name: string }>(text, [...values]);
  for (const { name } of rows) await removeTables(client, name);
}

async function run(client: ClientBase, statements: readonly SqlStatement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, [...values]);
}
