/** Versions of Node as npm has them: one package per platform, with the program. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/.cache/nodes', import.meta.url));
const name = `node-${process.platform}-${process.arch}`;

/** The versions that svc supports, oldest first. */
export const supportedNodes = ['20.19', '22', '24', '26'];

/** The folder with the program `node` of a version, such as `24` or `20.19.6`. Installs it at the first call. */
export function installedNode(version) {
  const target = join(folder, version);
  if (!existsSync(target)) install(version, target);
  return join(target, 'node_modules', name, 'bin');
}

function install(version, target) {
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(folder, 'new-'));
  try {
    const args = ['install', '--prefix', temporary, '--no-save', '--ignore-scripts', `${name}@${version}`];
    const { status, stderr } = spawnSync('npm', args, { cwd: temporary, encoding: 'utf8' });
    if (status !== 0) throw new Error(`Cannot install Node ${version}: "npm ${args.join(' ')}" failed.\n${stderr}`);
    // At once, so that an interrupted installation is not used.
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
