import { ServiceError } from '../errors/index.js';
import { MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { oldestLibrary } from './library-version.js';
import type { MigrationDatabase } from './migration-database.js';
import type { MigrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import { begin, despiteLocks } from './patience.js';
import { definitionOf } from './strategy.js';
import { definitionText } from './table-definition.js';

/**
 * Restores the backup of a table's last copy, with the rows that were written since. A table that was replayed from events is replayed again by
 * the next program that starts.
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
      throw new ServiceError(
        'SVC_UNKNOWN_MIGRATION',
        `Cannot roll back ${key}: no such migration is recorded. svc migrate status lists them.`,
      );
    }
    const { backup } = record;
    const current = definitionOf(record.definition);
    if (record.status === MigrationStatus.MigratingInBackground) {
      throw rollbackError(
        key,
        'it is being migrated. Wait until the migration has ended, or deploy the previous program, which the old table still serves',
      );
    }
    const isReplayed = record.strategy === MigrationStrategy.EventReplay && record.status !== MigrationStatus.Failed;
    if (isReplayed) {
      const reopened: MigrationRecord = {
        ...record,
        description: 'Rolled back: the next program that starts replays it from events.',
        libraryVersion: oldestLibrary,
        previousHashes: [],
        updatedAt: Date.now(),
      };
      await session.write(reopened, record.hash);
      return reopened;
    }
    if (backup === null || current === null) {
      throw rollbackError(
        key,
        'it has no backup, because its last change was made in place. Undo it with a further change',
      );
    }
    const restored: MigrationRecord = {
      ...record,
      hash: backup.hash,
      status: MigrationStatus.Updated,
      description: 'Rolled back to its backup.',
      strategy: MigrationStrategy.DirectDdl,
      failureReason: null,
      error: null,
      definition: definitionText(backup.definition),
      // Any program that starts next counts as newer.
      libraryVersion: oldestLibrary,
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

function rollbackError(key: string, why: string): ServiceError {
  return new ServiceError('SVC_ROLLBACK_REFUSED', `Cannot roll back ${key}: ${why}.`);
}
