/** Packs packages as npm publishes them. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { outputOf } from './commands.mjs';

/** One tarball for each package, in their order, in a folder that is empty before. */
export function packAll(root, packages, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const workspaces = packages.flatMap((each) => ['--workspace', relative(root, each.folder)]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...workspaces];
  // A list, or since npm 11.16 an object by name.
  const packed = Object.values(JSON.parse(outputOf(root, 'npm', args)));
  return packages.map(({ manifest }) => {
    const { filename, entryCount, size, integrity } = packed.find(({ name }) => name === manifest.name);
    const { name, version } = manifest;
    return { name, version, file: join(folder, filename), files: entryCount, bytes: size, integrity };
  });
}

/** A table of tarballs. */
export function tarballTable(tarballs) {
  const rows = tarballs.map(({ name, version, files, bytes }) => [
    name,
    version,
    String(files),
    `${(bytes / 1000).toFixed(1)} kB`,
  ]);
  const all = [['package', 'version', 'files', 'packed'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map(([name, version, files, packed]) =>
      [name.padEnd(widths[0]), version.padEnd(widths[1]), files.padStart(widths[2]), packed.padStart(widths[3])].join(
        '  ',
      ),
    )
    .join('\n');
}
