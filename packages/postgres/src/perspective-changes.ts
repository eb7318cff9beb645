/** What is done to all that is kept of a perspective at once, inside a transaction: by rebuilds and by migrations alike. */
import { asideName, mostAside, tableOfText, tableText, type PerspectiveTable } from '@svc/core/storage';
import type { ClientBase } from 'pg';
import { createTables, dropCopy, dropTables, renameTables, swapTables } from './perspective-ddl.js';

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
  await client.query('UPDATE svc_perspectives SET revision = $2 WHERE name = $1', [from, revision]);
  await renameKept(client, from, perspective);
}

/**
 * Puts what is kept of a perspective aside, because the models of another version are about to take its place: hosts of its own version
 * go on with it there. Those that came least far go when there are too many, as nobody works on them.
 */
export async function putAside(client: ClientBase, { table }: Kept, next: PerspectiveTable): Promise<void> {
  const { perspective } = table;
  const [version, nextVersion] = [table.version ?? null, next.version ?? null];
  // Hosts of both use the same models, or nobody could tell which are whose.
  if (version === null || nextVersion === null || version === nextVersion) return;
  const aside = asideName(perspective, version);
  await removeTables(client, aside);
  // What that version once had is not what takes its place now.
  await removeTables(client, asideName(perspective, nextVersion));
  await client.query(renameTables(perspective, aside));
  await renameKept(client, perspective, aside);
  const text = `SELECT name FROM svc_perspectives WHERE name > $1 || '~~~' AND name < $1 || chr(127)
    ORDER BY sequence DESC OFFSET $2`;
  const { rows } = await client.query<{ name: string }>(text, [perspective, mostAside]);
  for (const { name } of rows) await removeTables(client, name);
}

async function renameKept(client: ClientBase, from: string, to: string): Promise<void> {
  await client.query('UPDATE svc_perspectives SET name = $2 WHERE name = $1', [from, to]);
  await client.query('UPDATE svc_perspectives_stopped SET perspective = $2 WHERE perspective = $1', [from, to]);
}

/** What `makeTables` records, as a statement for those who run nothing but SQL. */
export function recordTable(table: PerspectiveTable): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  return `INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (${text(table.perspective)}, -1, 0, ${text(tableText(table))})`;
}
