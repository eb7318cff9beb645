import type { MigrationDatabase } from './migration-database.js';
import type { BackgroundIndex } from './migration-item.js';
import { begin } from './patience.js';

/** None on a database whose steps create all indexes. */
export function missingIndexes(
  database: MigrationDatabase,
  indexes: readonly BackgroundIndex[],
): Promise<readonly BackgroundIndex[]> {
  return database.missingIndexes?.(indexes) ?? Promise.resolve([]);
}

/** Builds what is missing, one index after the other. One process does it; the others wait until it has ended, and then look again. */
export async function buildIndexes(
  database: MigrationDatabase,
  key: string,
  indexes: readonly BackgroundIndex[],
  signal: AbortSignal,
): Promise<void> {
  const session = await begin(database, key, signal, () => {});
  try {
    for (const index of await missingIndexes(database, indexes)) {
      signal.throwIfAborted();
      await session.buildIndex?.(index, signal);
    }
  } finally {
    await session.close().catch(() => {});
  }
}
