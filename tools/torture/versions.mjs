/** The program of a host with the packages of another commit, from which hosts are upgraded. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { entryPoints } from '../api/exports.mjs';
import { bundleOptions } from '../build/bundled-program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Below the repository, so that dependencies are found from there. */
const cache = join(root, 'node_modules/.cache/svc-torture');

/** The tag of the last release; null: there is none, or no history. */
export function lastRelease() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');
  return tag.status === 0 ? tag.stdout.trim() : null;
}

/** The version to upgrade from: a commit by any of its names, or the last release. */
export function versionOf(name) {
  if (name === null) {
    const release = lastRelease();
    if (release !== null) return release;
    throw new Error('There is no release yet. Name the commit to upgrade from: --from <commit>.');
  }
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', '--short=12', `${name}^{commit}`);
  if (status !== 0)
    throw new Error(`This checkout has no commit "${name}". Fetch it, or name another one with --from.`);
  return stdout.trim();
}

/** Bundles the program `entry` of this version with the packages of a version, and returns the path of the bundle. */
export async function programWith(entry, version) {
  const folder = join(cache, version);
  const outfile = join(cache, `${version}-program.mjs`);
  extract(version, folder);
  try {
    const files = new Map(entryPoints(folder).map(({ specifier, file }) => [specifier, file]));
    const packages = {
      name: 'packages of the version',
      setup: ({ onResolve }) => onResolve({ filter: /^@svc\// }, ({ path }) => ({ path: files.get(path) })),
    };
    await build({ ...bundleOptions, entryPoints: [fileURLToPath(entry)], outfile, plugins: [packages] });
    return outfile;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function extract(version, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `git archive '${version}' packages tsconfig.base.json | tar -x -C '${folder}'`;
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', archive], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot read the packages of ${version}: ${stderr}`);
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' });
}
