import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;

/**
 * Creates the file and the folders above it, where they are missing, for their owner alone. What exists keeps its mode. SQLite gives the files
 * next to a database (`-wal`, `-shm`) the mode of the database.
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
    // The umask can only take bits away, but those of the owner may be among them.
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
    // Another process was faster, and the folder is its own.
    if (exists(error)) return;
    throw error;
  }
  chmodSync(path, folderMode);
}

function exists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
