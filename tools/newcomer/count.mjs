/** Counts what a newcomer has to write and to know for the service in a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function countOf(folder, lock) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const sources = files.filter((path) => path.endsWith('.ts')).map((path) => readFileSync(path, 'utf8'));
  const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return {
    files: files.length,
    lines: sources.flatMap(linesOfCode).length,
    names: new Set(sources.flatMap(importedNames)).size,
    // "npm install", and each script.
    commands: 1 + Object.keys(scripts).length,
    dependencies: Object.keys(dependencies).length,
    developmentDependencies: Object.keys(devDependencies).length,
    installed: packagesOf(Object.keys(dependencies), lock).size,
  };
}

/** Without blank lines and comments. */
export function linesOfCode(source) {
  return source.split('\n').filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line));
}

/** The names that a file imports from packages; a module that is imported as a whole counts as one. */
export function importedNames(source) {
  return [...source.matchAll(/^import (?:(?:type )?(.+?) from )?'([^'.][^']*)';$/gm)].flatMap(([, names, module]) =>
    names?.startsWith('{') === true
      ? names
          .replace(/[{}]/g, '')
          .split(',')
          .map((name) => `${name.trim().replace(/^type /, '')} of ${module}`)
      : [module],
  );
}

/** The packages that npm installs for some, by the lock file of this repository: their dependencies and required peers, transitively. */
export function packagesOf(names, lock) {
  const found = new Set();
  const visit = (name, from) => {
    const path = locate(name, from, lock);
    if (path === null || found.has(path)) return;
    found.add(path);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = lock.packages[path];
    const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
    for (const needed of [...Object.keys(dependencies), ...peers]) visit(needed, path);
  };
  for (const name of names) visit(name, '');
  return found;
}

/** Where Node finds a package: in the nearest node_modules above; null: it is not installed. */
function locate(name, from, lock) {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$|(?:^|\/)[^/]+$/, '')) {
    const path = [folder, 'node_modules', name].filter(Boolean).join('/');
    const entry = lock.packages[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (folder === '') return null;
  }
}
