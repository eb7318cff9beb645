import { ServiceError } from '../errors/index.js';
import { MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { libraryVersion } from './library-version.js';
import type { MigrationDatabase } from './migration-database.js';
import type { MigrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import { begin, despiteLocks } from './patience.js';
import { definitionOf } from './strategy.js';
import { definitionText, type TableDefinition } from './table-definition.js';

/**
 * Puts the backup that the last rewrite of a table left behind in its place again. What was written since is carried over; where that cannot be
 * done without loss, it is refused and nothing changes.
 */
export async function rollBack(
  key: string,
  database: MigrationDatabase,
  settings: MigrationSettings,
  signal: AbortSignal,
): Promise<MigrationRecord> {
  const session = await begin(database, key, signal, () => {});
  try {
    const record = (await session.records()).find((known) => known.key === key);
    if (record === undefined) {
      throw new ServiceError('SVC_UNKNOWN_MIGRATION', `There is no migration ${key}. svc migrate status lists them.`);
    }
    const { backup } = record;
    const current = definitionOf(record.definition);
    if (record.status === MigrationStatus.MigratingInBackground) {
      throw refused(
        key,
        'it is being migrated. Wait until that has ended, or deploy the program before: the old table still serves',
      );
    }
    if (backup === null || current === null) {
      throw refused(key, 'there is no backup: its last change was made in place. Undo it by a further change');
    }
    if (!canCarryOver(backup.strategy, current, backup.definition)) {
      const rows = await session.writtenSince(backup.definition);
      if (rows > 0) {
        throw refused(
          key,
          `${rows} rows were written since that do not fit the old table. Change the definition back and deploy it: the rows are then made anew`,
        );
      }
    }
    const restored: MigrationRecord = {
      ...record,
      hash: backup.hash,
      status: MigrationStatus.Updated,
      description: 'Rolled back to its backup.',
      strategy: MigrationStrategy.DirectDdl,
      failureReason: null,
      error: null,
      libraryVersion,
      definition: definitionText(backup.definition),
      // From here on whichever program comes next is the newer one.
      previousHashes: [],
      backup: null,
      updatedAt: Date.now(),
    };
    await despiteLocks(database, settings, signal, () => session.restore(current, backup.definition, restored));
    return restored;
  } finally {
    await session.close().catch(() => {});
  }
}

/** Rows of the new table fit the old one when it was copied, and each of its columns is there or can be filled. */
function canCarryOver(strategy: MigrationStrategy, current: TableDefinition, old: TableDefinition): boolean {
  const names = new Set(current.columns.map(({ name }) => name));
  const { columns } = old;
  return (
    strategy === MigrationStrategy.ColumnCopy &&
    columns.every(({ name, fill }) => names.has(name) || fill !== undefined)
  );
}

function refused(key: string, why: string): ServiceError {
  return new ServiceError('SVC_ROLLBACK_REFUSED', `${key} cannot be rolled back: ${why}.`);
}
