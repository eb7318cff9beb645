/** The statements of a rewrite: a table `from`, and the one that takes its place. */
import { backupTable, nextTable, type Rewrite, type TableDefinition } from '@svc/core';
import { copiedColumns, quoted } from './table-sql.js';

/** Rows behind a key, in the order of keys. The parameter is the key, or null. */
export function rowsToCopy({ key }: TableDefinition): string {
  return `WHERE ?1 IS NULL OR ${quoted(key)} > ?1 ORDER BY ${quoted(key)}`;
}

/** Rows that were written since, in the order in which they were. The parameters are a revision, and a key or null. */
export function rowsToCatchUp(from: TableDefinition): string {
  return `WHERE ${behind(from)} ORDER BY ${quoted(from.revision)}, ${quoted(from.key)}`;
}

/** Where the last of the next rows is, and how many they are. */
export function endOfBatch({ table, key, revision }: TableDefinition, rows: string, limit: number): string {
  const batch = `SELECT ${quoted(key)} AS key, ${quoted(revision)} AS revision FROM ${quoted(table)} ${rows} LIMIT ${limit}`;
  return `
    WITH numbered AS (SELECT key, revision, row_number() OVER () AS number FROM (${batch}))
    SELECT key, revision, number AS rows FROM numbered ORDER BY number DESC LIMIT 1`;
}

export function copyRows({ from, to }: Rewrite, rows: string, limit: number): string {
  const { names, values, updates } = copiedColumns(from, to);
  return `
    INSERT INTO ${quoted(nextTable(to.table))} (${names})
    SELECT ${values} FROM (SELECT * FROM ${quoted(from.table)} ${rows} LIMIT ${limit}) old WHERE true
    ON CONFLICT (${quoted(to.key)}) DO UPDATE SET ${updates}`;
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
  return `FROM ${quoted(backup.table)} old WHERE ${quoted(backup.revision)} > (${newest})`;
}

export function restoreTable(current: TableDefinition, backup: TableDefinition): string {
  const table = quoted(current.table);
  const old = quoted(backupTable(current.table));
  const { names, values, updates } = copiedColumns(current, backup);
  return `
    INSERT INTO ${old} (${names}) SELECT ${values} ${writtenSince(backup)}
    ON CONFLICT (${quoted(backup.key)}) DO UPDATE SET ${updates};
    ${removeGone(current, backupTable(current.table))};
    DROP TABLE ${table};
    ALTER TABLE ${old} RENAME TO ${table};`;
}

function behind({ key, revision }: TableDefinition): string {
  return `${quoted(revision)} > ?1 OR (${quoted(revision)} = ?1 AND ?2 IS NOT NULL AND ${quoted(key)} > ?2)`;
}
