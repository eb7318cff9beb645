/** The generated files of a service on disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveToTrash } from './trash.mjs';

/** @param {string} sourceRoot */
export function removeGenerated(sourceRoot) {
  for (const folder of generatedFolders(sourceRoot)) moveToTrash(folder);
}

/**
 * Those that contain a text.
 *
 * @param {string} sourceRoot
 * @param {string} text
 */
export function generatedFilesWith(sourceRoot, text) {
  return generatedFolders(sourceRoot)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => contains(file, text));
}

/**
 * @param {string} file
 * @param {string} text
 */
export function contains(file, text) {
  return readFileSync(file, 'utf8').includes(text);
}

/** One in the source root, the last, and one in each folder of commands. @param {string} sourceRoot */
function generatedFolders(sourceRoot) {
  const folders = readdirSync(sourceRoot).map((name) => join(sourceRoot, name));
  return [...folders, sourceRoot].map((folder) => join(folder, 'generated')).filter((folder) => existsSync(folder));
}
