import { folderArchive } from '@svc/core/storage';
import type { DatabaseCall } from '../database/run-in-databases.js';

/** Reads archived events from the folder given by `--archive`, if it is given. */
export function useArchive({ database, options }: Pick<DatabaseCall, 'database' | 'options'>): void {
  const folder = options.text('archive');
  if (folder !== undefined) database.storage.archive.use(folderArchive(folder));
}
