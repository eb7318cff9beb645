/** The statements of a rewrite: a table `from`, and the one that takes its place. */
import { backupTable, nextTable, type TableDefinition } from '@svc/core/storage';
import { quoted } from './table-sql.js';

/** Rows behind a key, in the order of keys. The parameter is the key, or null. */
export function rowsToCopy({ key }: TableDefinition): string {
  return `WHERE ?1 IS NULL OR ${quoted(key)} > ?1 ORDER BY ${quoted(key)}`;
}

/** Rows that were written since, in the order in which they were. The parameters are a revision, and a key or null. */
export function rowsToCatchUp(from: TableDefinition): string {
  return `WHERE ${behind(from)} ORDER BY ${quoted(from.revision)}, ${quoted(from.key)}`;
}

/** The next rows themselves. */
export function batchOf({ table }: TableDefinition, rows: string, limit: number): string {
  return `SELECT * FROM ${quoted(table)} ${rows} LIMIT ${limit}`;
}

/** How many rows are left to catch up with, counted up to one more than `limit`. */
export function rowsLeft(from: TableDefinition, limit: number): string {
  return `SELECT count(*) AS rows FROM (SELECT 1 FROM ${quoted(from.table)} WHERE ${behind(from)} LIMIT ${limit + 1})`;
}

export function lastRevision(definition: TableDefinition, table = definition.table): string {
  return `SELECT coalesce(max(${quoted(definition.revision)}), 0) AS revision FROM ${quoted(table)}`;
}

/** Removes rows from one table that are not in the other any more; looks at them only when there are more than there should be. */
export function removeGone(definition: TableDefinition, from: string): string {
  const [there, here, key] = [quoted(definition.table), quoted(from), quoted(definition.key)];
  return `
    DELETE FROM ${here} WHERE (SELECT count(*) FROM ${here}) <> (SELECT count(*) FROM ${there})
      AND ${key} NOT IN (SELECT ${key} FROM ${there})`;
}

export function swapTables(table: string): string {
  return `
    DROP TABLE IF EXISTS ${quoted(backupTable(table))};
    ALTER TABLE ${quoted(table)} RENAME TO ${quoted(backupTable(table))};
    ALTER TABLE ${quoted(nextTable(table))} RENAME TO ${quoted(table)};`;
}

/** Rows of the table that were written since its backup was made. */
export function writtenSince(backup: TableDefinition): string {
  const newest = lastRevision(backup, backupTable(backup.table));
  return `SELECT * FROM ${quoted(backup.table)} WHERE ${quoted(backup.revision)} > (${newest})`;
}

/** Puts the backup, which has all rows by now, in the place of the table. */
export function restoreTable({ table, ...rest }: TableDefinition): string {
  const backup = backupTable(table);
  return `
    ${removeGone({ table, ...rest }, backup)};
    DROP TABLE ${quoted(table)};
    ALTER TABLE ${quoted(backup)} RENAME TO ${quoted(table)};`;
}

function behind({ key, revision }: TableDefinition): string {
  return `${quoted(revision)} > ?1 OR (${quoted(revision)} = ?1 AND ?2 IS NOT NULL AND ${quoted(key)} > ?2)`;
}
