/** The statements of a rewrite, which replaces the table `from`. */
import { quoted, type TableDefinition } from '@svc/core/storage';

/** Rows after a key, in the order of keys. The parameter is the key, or null. */
export function rowsToCopy({ key }: TableDefinition): string {
  return `WHERE ?1 IS NULL OR ${quoted(key)} > ?1 ORDER BY ${quoted(key)}`;
}

/** Rows that were written since a revision, in that order. The parameters are the revision, and a key or null. */
export function rowsToCatchUp(from: TableDefinition): string {
  return `WHERE ${behind(from)} ORDER BY ${quoted(from.revision)}, ${quoted(from.key)}`;
}

/** Selects the next rows. */
export function batchOf({ table }: TableDefinition, rows: string, limit: number): string {
  return `SELECT * FROM ${quoted(table)} ${rows} LIMIT ${limit}`;
}

/** The number of rows left to catch up with, counted up to `limit` + 1. */
export function rowsLeft(from: TableDefinition, limit: number): string {
  return `SELECT count(*) AS rows FROM (SELECT 1 FROM ${quoted(from.table)} WHERE ${behind(from)} LIMIT ${limit + 1})`;
}

function behind({ key, revision }: TableDefinition): string {
  return `${quoted(revision)} > ?1 OR (${quoted(revision)} = ?1 AND ?2 IS NOT NULL AND ${quoted(key)} > ?2)`;
}
