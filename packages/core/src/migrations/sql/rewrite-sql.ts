/** The SQL of rewrites that all databases share. */
import { backupTable, nextTable } from '../../storage/index.js';
import type { RewriteProgress } from '../migration-record.js';
import type { TableDefinition } from '../table-definition.js';
import { quoted } from './table-sql.js';

/** The query for the greatest revision in a table. */
export function lastRevision(definition: TableDefinition, table = definition.table): string {
  return `SELECT coalesce(max(${quoted(definition.revision)}), 0) AS revision FROM ${quoted(table)}`;
}

/** Deletes rows from the table `from` that are no longer in the table of the definition. Compares them only if the counts differ. */
export function removeGone(definition: TableDefinition, from: string): string {
  const [there, here, key] = [quoted(definition.table), quoted(from), quoted(definition.key)];
  return `
    DELETE FROM ${here} WHERE (SELECT count(*) FROM ${here}) <> (SELECT count(*) FROM ${there})
      AND NOT EXISTS (SELECT 1 FROM ${there} WHERE ${there}.${key} = ${here}.${key})`;
}

/** Replaces the table with the new one; the old table becomes the backup. */
export function swapTables(table: string): readonly string[] {
  return [
    `DROP TABLE IF EXISTS ${quoted(backupTable(table))}`,
    `ALTER TABLE ${quoted(table)} RENAME TO ${quoted(backupTable(table))}`,
    `ALTER TABLE ${quoted(nextTable(table))} RENAME TO ${quoted(table)}`,
  ];
}

/** The part after SELECT for the rows of a table that were written since its backup. */
export function writtenSince(backup: TableDefinition): string {
  const newest = lastRevision(backup, backupTable(backup.table));
  return `FROM ${quoted(backup.table)} old WHERE ${quoted(backup.revision)} > (${newest})`;
}

/** Replaces the table with its backup, which has all rows now. */
export function restoreBackup(current: TableDefinition): readonly string[] {
  const backup = backupTable(current.table);
  return [
    removeGone(current, backup),
    `DROP TABLE ${quoted(current.table)}`,
    `ALTER TABLE ${quoted(backup)} RENAME TO ${quoted(current.table)}`,
  ];
}

/** How many rows a batch has copied, and the last of them. */
export interface CopiedRows {
  readonly rows: number;
  readonly key: string | null;
  readonly revision: number;
}

/** The progress of a rewrite after a batch of at most `limit` rows. */
export function progressAfter(progress: RewriteProgress, copied: CopiedRows, limit: number): RewriteProgress {
  const rows = progress.rows + copied.rows;
  if (progress.phase === 'copy') {
    const phase = copied.rows < limit ? 'catchUp' : 'copy';
    return { ...progress, phase, copiedKey: copied.key ?? progress.copiedKey, rows };
  }
  if (copied.rows === 0) return progress;
  return { ...progress, revision: copied.revision, revisionKey: copied.key, rows };
}
