/** Finds a shell, or installs it in a container or on a build machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from '../debian/install.mjs';

export function findShell(name) {
  const found = installed(name) ?? (mayInstall() && install(name) ? installed(name) : undefined);
  if (found === undefined) throw new Error(`No ${name} found: install it (Debian: apt-get install ${name}).`);
  return found;
}

function installed(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
