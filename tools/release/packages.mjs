/** The packages that are published, in the order in which they depend on each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each with its folder, its manifest, and the names of the other packages that it needs. A package follows those that it needs. */
export function publishedPackages(root) {
  const all = readdirSync(join(root, 'packages')).map((name) => {
    const folder = join(root, 'packages', name);
    return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
  });
  const names = new Set(all.map(({ manifest }) => manifest.name));
  const waiting = all.map(({ folder, manifest }) => ({
    folder,
    manifest,
    needs: Object.keys(rangesOf(manifest)).filter((name) => names.has(name)),
  }));
  const ordered = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ needs }) => needs.every((name) => ordered.some((each) => isNamed(each, name))));
    if (next === -1) throw new Error(`These packages need each other: ${waiting.map(nameOf).join(', ')}.`);
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

/** Everything that an installed package needs, with the versions that it accepts. */
export function rangesOf({ dependencies, optionalDependencies, peerDependencies }) {
  return { ...dependencies, ...optionalDependencies, ...peerDependencies };
}

const nameOf = ({ manifest }) => manifest.name;
const isNamed = (each, name) => nameOf(each) === name;
