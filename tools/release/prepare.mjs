/** Writes a version into everything that names it, as a change to review and commit. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingOf } from './versions.mjs';

/** Returns the paths of the files that it changed. */
export function prepare(root, packages, version, date) {
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  const changes = [
    ...manifestsOf(root).map((path) => [path, (text) => withVersion(text, version, names)]),
    ...packages
      .map(({ folder }) => join(folder, 'src/migrations/library-version.ts'))
      .filter((path) => existsSync(path))
      .map((path) => [path, (text) => text.replace(/(libraryVersion = ')[^']+/, `$1${version}`)]),
    [join(root, 'CHANGELOG.md'), (text) => withDate(text, version, date)],
  ];
  const written = changes.map(([path, change]) => ({ path, text: change(readFileSync(path, 'utf8')) }));
  // Nothing is written if one of them fails.
  return written.filter(({ path, text }) => rewrite(path, text)).map(({ path }) => path);
}

/** The manifests of the repository, its packages and its examples. */
function manifestsOf(root) {
  const folders = ['packages', 'examples'].filter((name) => existsSync(join(root, name)));
  const inside = folders.flatMap((name) => readdirSync(join(root, name)).map((each) => join(root, name, each)));
  return [root, ...inside].map((folder) => join(folder, 'package.json'));
}

function withVersion(text, version, names) {
  const manifest = JSON.parse(text);
  if (manifest.version !== undefined) manifest.version = version;
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies']) {
    for (const name of Object.keys(manifest[kind] ?? {})) if (names.has(name)) manifest[kind][name] = `^${version}`;
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function withDate(text, version, date) {
  const heading = headingOf(text, version);
  if (heading === undefined) {
    throw new Error(`CHANGELOG.md has no section "## ${version}". Write what the version offers.`);
  }
  return text.replace(heading, `## ${version} - ${date}`);
}

function rewrite(path, text) {
  if (readFileSync(path, 'utf8') === text) return false;
  writeFileSync(path, text);
  return true;
}
