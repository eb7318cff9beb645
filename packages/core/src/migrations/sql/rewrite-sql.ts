/** What rewrites of tables have in common in all SQL databases. */
import { backupTable, nextTable } from '../../storage/index.js';
import type { RewriteProgress } from '../migration-record.js';
import type { TableDefinition } from '../table-definition.js';
import { quoted } from './table-sql.js';

/** The query for the greatest revision in a table. */
export function lastRevision(definition: TableDefinition, table = definition.table): string {
  return `SELECT coalesce(max(${quoted(definition.revision)}), 0) AS revision FROM ${quoted(table)}`;
}

/** Removes rows from the table `from` that are no longer in the one of the definition; looks at them only when there are too many. */
export function removeGone(definition: TableDefinition, from: string): string {
  const [there, here, key] = [quoted(definition.table), quoted(from), quoted(definition.key)];
  return `
    DELETE FROM ${here} WHERE (SELECT count(*) FROM ${here}) <> (SELECT count(*) FROM ${there})
      AND NOT EXISTS (SELECT 1 FROM ${there} WHERE ${there}.${key} = ${here}.${key})`;
}

/** The new table takes the place of the old one, which becomes its backup. */
export function swapTables(table: string): readonly string[] {
  return [
    `DROP TABLE IF EXISTS ${quoted(backupTable(table))}`,
    `ALTER TABLE ${quoted(table)} RENAME TO ${quoted(backupTable(table))}`,
    `ALTER TABLE ${quoted(nextTable(table))} RENAME TO ${quoted(table)}`,
  ];
}

/** Rows of the table that were written since its backup was made: what follows a SELECT. */
export function writtenSince(backup: TableDefinition): string {
  const newest = lastRevision(backup, backupTable(backup.table));
  return `FROM ${quoted(backup.table)} old WHERE ${quoted(backup.revision)} > (${newest})`;
}

/** The backup, which has all rows by now, takes the place of the table. */
export function restoreBackup(current: TableDefinition): readonly string[] {
  const backup = backupTable(current.table);
  return [
    removeGone(current, backup),
    `DROP TABLE ${quoted(current.table)}`,
    `ALTER TABLE ${quoted(backup)} RENAME TO ${quoted(current.table)}`,
  ];
}

/** How many rows one batch has copied, and where the last of them is. */
export interface CopiedRows {
  readonly rows: number;
  readonly key: string | null;
  readonly revision: number;
}

/** How far a rewrite is after a batch of at most `limit` rows. */
export function progressAfter(progress: RewriteProgress, copied: CopiedRows, limit: number): RewriteProgress {
  const rows = progress.rows + copied.rows;
  if (progress.phase === 'copy') {
    const phase = copied.rows < limit ? 'catchUp' : 'copy';
    return { ...progress, phase, copiedKey: copied.key ?? progress.copiedKey, rows };
  }
  if (copied.rows === 0) return progress;
  return { ...progress, revision: copied.revision, revisionKey: copied.key, rows };
}
