/** Finds RabbitMQ's programs, or installs them in a container or on a build machine. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from '../debian/install.mjs';

const missing =
  'No RabbitMQ found: install it (Debian and Ubuntu: apt-get install rabbitmq-server, macOS: brew install rabbitmq), or set SVC_TEST_AMQP_URL to a broker for tests.';

/** The folders of `rabbitmq-server`, `rabbitmqctl` and `epmd`. */
export async function findBinaries() {
  const found = installed() ?? (mayInstall() && install('rabbitmq-server') ? installed() : undefined);
  if (found === undefined) throw new Error(missing);
  return found;
}

function installed() {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  // Debian's wrappers on the path switch to the user rabbitmq and its folders; the programs behind them do not.
  const rabbitmq = ['/usr/lib/rabbitmq/bin', '/opt/homebrew/sbin', '/usr/local/sbin', ...onPath].find((folder) =>
    existsSync(join(folder, 'rabbitmq-server')),
  );
  const erlang = [...onPath, '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', ...erlangFolders()].find((folder) =>
    existsSync(join(folder, 'epmd')),
  );
  return rabbitmq === undefined || erlang === undefined ? undefined : { rabbitmq, erlang };
}

function erlangFolders() {
  const root = '/usr/lib/erlang';
  return existsSync(root)
    ? readdirSync(root)
        .filter((name) => name.startsWith('erts-'))
        .map((name) => join(root, name, 'bin'))
    : [];
}
