/** What is done to all that is kept of a perspective at once, inside a transaction: by rebuilds and by migrations alike. */
import { asideName, mostAside, tableOfText, tableText, type PerspectiveTable } from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { createTables, dropCopy, dropTables, renameTables, swapTables } from './perspective-ddl.js';

/** What is recorded of a perspective beside its tables. */
export interface Kept {
  readonly sequence: number;
  readonly revision: number;
  readonly table: PerspectiveTable;
  /** The table as text, as it stands there. */
  readonly text: string;
}

export const keptStatement = 'SELECT sequence, revision, definition FROM svc_perspectives WHERE name = ?';

export function toKept(row: Row, table: PerspectiveTable): Kept {
  return {
    sequence: row['sequence'] as number,
    revision: row['revision'] as number,
    table,
    text: row['definition'] as string,
  };
}

export function readKept(connection: Connection, name: string): Kept | undefined {
  const [row] = connection.rows(keptStatement, name);
  return row === undefined ? undefined : toKept(row, tableOfText(name, row['definition'] as string));
}

/** Makes the tables, empty. Those beside others begin at their revision, so that revisions never go back when they take their place. */
export function makeTables(connection: Connection, table: PerspectiveTable, revision: number): Kept {
  const text = tableText(table);
  connection.exec(createTables(table));
  const insert = 'INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (?, -1, ?, ?)';
  connection.rows(insert, table.perspective, revision, text);
  return { sequence: -1, revision, table, text };
}

/** What `makeTables` records, as a statement for those who run nothing but SQL. */
export function recordTable(table: PerspectiveTable): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  return `INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (${text(table.perspective)}, -1, 0, ${text(tableText(table))})`;
}

export function removeTables(connection: Connection, name: string): void {
  connection.exec(dropTables(name));
  connection.rows('DELETE FROM svc_perspectives WHERE name = ?', name);
  connection.rows('DELETE FROM svc_perspectives_stopped WHERE perspective = ?', name);
}

/** Empties the tables. Whoever was about to keep something in them cannot any more. */
export function emptyTables(connection: Connection, { table }: Kept): void {
  const { perspective } = table;
  connection.exec(`${dropCopy(perspective)} ${dropTables(perspective)} ${createTables(table)}`);
  connection.rows('DELETE FROM svc_perspectives_stopped WHERE perspective = ?', perspective);
  connection.rows('UPDATE svc_perspectives SET sequence = -1, revision = revision + 1 WHERE name = ?', perspective);
}

/** Puts everything that is kept under one name in the place of the other. */
export function replaceTables(connection: Connection, perspective: string, live: Kept, by: Kept): void {
  const from = by.table.perspective;
  // Above that of any of its models, as after a commit.
  const revision = Math.max(live.revision, by.revision) + 1;
  connection.exec(`${dropCopy(perspective)} ${swapTables(perspective, from)}`);
  connection.rows('DELETE FROM svc_perspectives WHERE name = ?', perspective);
  connection.rows('DELETE FROM svc_perspectives_stopped WHERE perspective = ?', perspective);
  connection.rows('UPDATE svc_perspectives SET revision = ? WHERE name = ?', revision, from);
  renameKept(connection, from, perspective);
}

/**
 * Puts what is kept of a perspective aside, because the models of another version are about to take its place: processes of its own
 * version go on with it there. Those that came least far go when there are too many, as nobody works on them.
 */
export function putAside(connection: Connection, perspective: string, { table }: Kept, next: PerspectiveTable): void {
  const [version, nextVersion] = [table.version ?? null, next.version ?? null];
  // Processes of both use the same models, or nobody could tell which are whose.
  if (version === null || nextVersion === null || version === nextVersion) return;
  const aside = asideName(perspective, version);
  removeTables(connection, aside);
  // What that version once had is not what takes its place now.
  removeTables(connection, asideName(perspective, nextVersion));
  connection.exec(renameTables(perspective, aside));
  renameKept(connection, perspective, aside);
  const sql = `SELECT name FROM svc_perspectives WHERE name > ?1 || '~~~' AND name < ?1 || char(127)
    ORDER BY sequence DESC LIMIT -1 OFFSET ?2`;
  for (const { name } of connection.rows(sql, perspective, mostAside)) removeTables(connection, name as string);
}

function renameKept(connection: Connection, from: string, to: string): void {
  connection.rows('UPDATE svc_perspectives SET name = ? WHERE name = ?', to, from);
  connection.rows('UPDATE svc_perspectives_stopped SET perspective = ? WHERE perspective = ?', to, from);
}
