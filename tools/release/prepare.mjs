/** Writes a version into all manifests and into the changelog, as a change to review and commit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingOf } from './versions.mjs';

/** Returns the paths of the files that it changed. */
export function prepare(root, packages, version, date) {
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  const manifests = packages.map(({ folder }) => join(folder, 'package.json'));
  const changed = manifests.filter((path) => rewrite(path, (text) => withVersion(text, version, names)));
  if (rewrite(join(root, 'CHANGELOG.md'), (text) => withDate(text, version, date))) changed.push('CHANGELOG.md');
  return changed;
}

function withVersion(text, version, names) {
  const manifest = JSON.parse(text);
  manifest.version = version;
  for (const ranges of [manifest.dependencies, manifest.optionalDependencies, manifest.peerDependencies]) {
    for (const name of Object.keys(ranges ?? {})) if (names.has(name)) ranges[name] = `^${version}`;
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function withDate(text, version, date) {
  const heading = headingOf(text, version);
  if (heading === undefined)
    throw new Error(`CHANGELOG.md has no section "## ${version}". Write what the version offers.`);
  return text.replace(heading, `## ${version} - ${date}`);
}

function rewrite(path, change) {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) return false;
  writeFileSync(path, after);
  return true;
}
