/**
 * Moves files out of the way of the next round and deletes them after the measurement: for minutes after a deletion, ext4 skips the
 * deleted entry whenever it creates a file, and a thousand of them cost the next round a tenth of a second.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const trash = fileURLToPath(new URL('../.cache/generator/trash', import.meta.url));

/** @param {string} path of a file or folder below `bench` that may not exist */
export function moveToTrash(path) {
  if (!existsSync(path)) return;
  mkdirSync(trash, { recursive: true });
  renameSync(path, join(trash, randomUUID()));
}

export function emptyTrash() {
  rmSync(trash, { recursive: true, force: true });
}
