/** The statements of a rewrite, which replaces the table `from`. */
import {
  backupTable,
  nextTable,
  quoted,
  restoreBackup,
  writtenSince,
  type Rewrite,
  type RewriteProgress,
  type TableDefinition,
} from '@svc/core/storage';
import { copiedColumns, typeOf } from './table-sql.js';

export interface Statement {
  readonly text: string;
  readonly values: (string | number | null)[];
}

/** Copies the next rows and returns their number and the key of the last one. */
export function copyStatement({ from, to }: Rewrite, progress: RewriteProgress, limit: number): Statement {
  const key = quoted(from.key);
  const revision = quoted(from.revision);
  const keyType = typeOf(from, from.key);
  const { names, values, updates } = copiedColumns(from, to);
  const isCopying = progress.phase === 'copy';
  const rows = isCopying
    ? `WHERE $1::text IS NULL OR ${key} > $1::text::${keyType} ORDER BY ${key}`
    : `WHERE ${behind(from)} ORDER BY ${revision}, ${key}`;
  const text = `
    WITH batch AS MATERIALIZED (SELECT * FROM ${quoted(from.table)} ${rows} LIMIT ${limit}),
    copied AS (
      INSERT INTO ${quoted(nextTable(to.table))} (${names}) SELECT ${values} FROM batch old
      ON CONFLICT (${quoted(to.key)}) DO UPDATE SET ${updates}
    )
    SELECT count(*) AS rows, (SELECT ${key}::text FROM batch ORDER BY ${isCopying ? '' : `${revision} DESC, `}${key} DESC LIMIT 1) AS key,
      max(${revision}) AS revision FROM batch`;
  return { text, values: isCopying ? [progress.copiedKey] : [progress.revision, progress.revisionKey] };
}

/** The number of rows left to catch up with, counted up to `limit` + 1. */
export function leftStatement({ from }: Rewrite, progress: RewriteProgress, limit: number): Statement {
  return {
    text: `SELECT count(*) AS rows FROM (SELECT FROM ${quoted(from.table)} WHERE ${behind(from)} LIMIT ${limit + 1}) left_over`,
    values: [progress.revision, progress.revisionKey],
  };
}

export function restoreTable(current: TableDefinition, backup: TableDefinition): readonly string[] {
  const old = quoted(backupTable(current.table));
  const { names, values, updates } = copiedColumns(current, backup);
  return [
    `INSERT INTO ${old} (${names}) SELECT ${values} ${writtenSince(backup)}
     ON CONFLICT (${quoted(backup.key)}) DO UPDATE SET ${updates}`,
    ...restoreBackup(current),
  ];
}

function behind(from: TableDefinition): string {
  const [key, revision] = [quoted(from.key), quoted(from.revision)];
  return `${revision} > $1::bigint OR (${revision} = $1::bigint AND $2::text IS NOT NULL AND ${key} > $2::text::${typeOf(from, from.key)})`;
}
