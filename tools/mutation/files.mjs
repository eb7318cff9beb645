import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of a folder and those in it, or the one file, sorted, as paths from `root` with `/`. Empty if there is nothing. */
export function filesOf(root, path) {
  const whole = join(root, path);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
}
