/** Declarations whose sources are gone. The compiler leaves them in `dist`, and npm would pack them. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Deletes them in every package, and returns their paths. */
export function removeStaleOutputs(root) {
  const stale = readdirSync(join(root, 'packages')).flatMap((name) => staleOutputs(join(root, 'packages', name)));
  for (const path of stale) rmSync(path);
  return stale;
}

function staleOutputs(folder) {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && declaration.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !existsSync(sourceOf(path, folder)));
}

const declaration = /\.d\.ts(?:\.map)?$/;
const sourceOf = (path, folder) =>
  join(folder, 'src', path.slice(join(folder, 'dist').length)).replace(declaration, '.ts');
