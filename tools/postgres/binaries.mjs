/** Finds PostgreSQL's programs, or installs them in a container or on a build machine. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from '../debian/install.mjs';

const missing =
  'No PostgreSQL found: install it (Debian and Ubuntu: apt-get install postgresql, macOS: brew install postgresql), or set SVC_TEST_DATABASE_URL to a server on which databases may be created.';

/** The program folder of the newest installed version. */
export async function findBinaries() {
  const found = installed() ?? (mayInstall() && installPostgres() ? installed() : undefined);
  if (found === undefined) throw new Error(missing);
  return found;
}

function installed() {
  const versions = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /^(?:postgresql@)?\d+$/.test(name))
          .toSorted((a, b) => Number(/\d+$/.exec(b)) - Number(/\d+$/.exec(a)))
          .map((name) => join(folder, name, 'bin'))
      : [],
  );
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...versions, ...onPath].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

function installPostgres() {
  // Otherwise the package creates its own cluster.
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) {
    mkdirSync('/etc/postgresql-common', { recursive: true });
    writeFileSync(settings, 'create_main_cluster = false\n');
  }
  return install('postgresql');
}
