/** Finds PostgreSQL's programs, or installs them in a container or on a build machine. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const missing =
  'No PostgreSQL found: install it (Debian and Ubuntu: apt-get install postgresql, macOS: brew install postgresql), or set SVC_TEST_DATABASE_URL to a server on which databases may be created.';

/** The program folder of the newest installed version. */
export async function findBinaries() {
  const found = installed() ?? (mayInstall() && install() ? installed() : undefined);
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

/** A container or build machine: Debian, as root. */
function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install() {
  console.log('Installing PostgreSQL for the tests (apt-get install postgresql)');
  // Otherwise the package creates and starts its own cluster.
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) {
    mkdirSync('/etc/postgresql-common', { recursive: true });
    writeFileSync(settings, 'create_main_cluster = false\n');
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const flags = ['-y', '-q', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold'];
  const run = (args) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  return (
    run(['install', ...flags, 'postgresql']) || (run(['update', '-q']) && run(['install', ...flags, 'postgresql']))
  );
}
