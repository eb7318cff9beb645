/**
 * Where files go that are in the way of the next round. They are deleted when all is measured: for minutes after a file was
 * deleted, ext4 looks past it whenever a new one is made, and a thousand of them cost the next round a tenth of a second.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const aside = fileURLToPath(new URL('../.cache/generator/aside', import.meta.url));

/** @param {string} path of a file or folder below `bench` that may not be there */
export function putAside(path) {
  if (!existsSync(path)) return;
  mkdirSync(aside, { recursive: true });
  renameSync(path, join(aside, randomUUID()));
}

export function deleteAside() {
  rmSync(aside, { recursive: true, force: true });
}
