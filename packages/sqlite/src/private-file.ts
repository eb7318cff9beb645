import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;

/**
 * Creates the file and its parent folders, if missing, with access for their owner only. Does not change the mode of existing ones. SQLite
 * gives the files next to a database (`-wal`, `-shm`) the mode of the database.
 */
export function createPrivately(file: string): void {
  createFolder(dirname(file));
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', fileMode);
  } catch (error) {
    if (!exists(error)) throw error;
    // SQLite would create the missing target of a link with the mode of the umask.
    if (statSync(file, { throwIfNoEntry: false }) === undefined)
      createPrivately(resolve(dirname(file), readlinkSync(file)));
    return;
  }
  try {
    // The umask may have removed bits of the owner.
    fchmodSync(descriptor, fileMode);
  } finally {
    closeSync(descriptor);
  }
}

function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path, folderMode);
  } catch (error) {
    // Another process has created the folder and sets its mode.
    if (exists(error)) return;
    throw error;
  }
  chmodSync(path, folderMode);
}

function exists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
