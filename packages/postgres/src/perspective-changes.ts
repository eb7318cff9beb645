/** What is done to all that is kept of a perspective at once, inside a transaction: by rebuilds and by migrations alike. */
import { tableOfText, tableText, type PerspectiveTable } from '@svc/core';
import type { ClientBase } from 'pg';
import { createTables, dropCopy, dropTables, swapTables } from './perspective-ddl.js';

/** What is recorded of a perspective beside its tables. */
export interface Kept {
  readonly sequence: number;
  readonly revision: number;
  readonly table: PerspectiveTable;
  /** The table as text, as it stands there. */
  readonly text: string;
}

export const keptStatement = 'SELECT sequence, revision, definition FROM svc_perspectives WHERE name = $1';

export function toKept(name: string, row: Readonly<Record<string, string | null>> | undefined): Kept | undefined {
  if (row === undefined) return undefined;
  const text = row['definition']!;
  return {
    sequence: Number(row['sequence']),
    revision: Number(row['revision']),
    table: tableOfText(name, text),
    text,
  };
}

/** Holds what is recorded of a perspective until the transaction ends. */
export async function holdKept(client: ClientBase, name: string): Promise<Kept | undefined> {
  const { rows } = await client.query<Record<string, string>>(`${keptStatement} FOR UPDATE`, [name]);
  return toKept(name, rows[0]);
}

/** Makes the tables, empty. Those beside others begin at their revision, so that revisions never go back when they take their place. */
export async function makeTables(client: ClientBase, table: PerspectiveTable, revision: number): Promise<Kept> {
  const text = tableText(table);
  await client.query(createTables(table));
  const insert = 'INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES ($1, -1, $2, $3)';
  await client.query(insert, [table.perspective, revision, text]);
  return { sequence: -1, revision, table, text };
}

export async function removeTables(client: ClientBase, name: string): Promise<void> {
  await client.query(dropTables(name));
  await client.query('DELETE FROM svc_perspectives WHERE name = $1', [name]);
  await client.query('DELETE FROM svc_perspectives_stopped WHERE perspective = $1', [name]);
}

/** Empties the tables. Whoever was about to keep something in them cannot any more. */
export async function emptyTables(client: ClientBase, { table }: Kept): Promise<void> {
  const { perspective } = table;
  await client.query(`${dropCopy(perspective)}; ${dropTables(perspective)}`);
  await client.query(createTables(table));
  await client.query('DELETE FROM svc_perspectives_stopped WHERE perspective = $1', [perspective]);
  await client.query('UPDATE svc_perspectives SET sequence = -1, revision = revision + 1 WHERE name = $1', [
    perspective,
  ]);
}

/** Puts everything that is kept under one name in the place of the other. */
export async function replaceTables(client: ClientBase, perspective: string, live: Kept, by: Kept): Promise<void> {
  const from = by.table.perspective;
  await client.query(`${dropCopy(perspective)}; ${swapTables(perspective, from)}`);
  await client.query('DELETE FROM svc_perspectives WHERE name = $1', [perspective]);
  await client.query('DELETE FROM svc_perspectives_stopped WHERE perspective = $1', [perspective]);
  // Above that of any of its models, as after a commit.
  const revision = Math.max(live.revision, by.revision) + 1;
  await client.query('UPDATE svc_perspectives SET name = $1, revision = $3 WHERE name = $2', [
    perspective,
    from,
    revision,
  ]);
  await client.query('UPDATE svc_perspectives_stopped SET perspective = $1 WHERE perspective = $2', [
    perspective,
    from,
  ]);
}

/** What `makeTables` records, as a statement for those who run nothing but SQL. */
export function recordTable(table: PerspectiveTable): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  return `INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (${text(table.perspective)}, -1, 0, ${text(tableText(table))})`;
}
