/** Finds PgBouncer, or installs it in a container or on a build machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from '../debian/install.mjs';

const missing =
  'No PgBouncer found: install it (Debian and Ubuntu: apt-get install pgbouncer, macOS: brew install pgbouncer).';

export function findBinary() {
  const found = installed() ?? (mayInstall() && install('pgbouncer') ? installed() : undefined);
  if (found === undefined) throw new Error(missing);
  return found;
}

function installed() {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...onPath, '/usr/sbin', '/opt/homebrew/bin', '/usr/local/bin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find((path) => existsSync(path));
}
