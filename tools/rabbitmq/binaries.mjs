/** Finds RabbitMQ's programs, or installs them in a container or on a build machine. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const missing =
  'No RabbitMQ found: install it (Debian and Ubuntu: apt-get install rabbitmq-server, macOS: brew install rabbitmq), or set SVC_TEST_AMQP_URL to a broker for tests.';

/** The folders of `rabbitmq-server`, `rabbitmqctl` and `epmd`. */
export async function findBinaries() {
  const found = installed() ?? (mayInstall() && install() ? installed() : undefined);
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

/** A container or build machine: Debian, as root. */
function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install() {
  console.log('Installing RabbitMQ for the tests (apt-get install rabbitmq-server)');
  // Otherwise the package starts its own broker.
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    chmodSync(policy, 0o755);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const flags = ['-y', '-q', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold'];
  const run = (args) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  const wanted = ['install', ...flags, 'rabbitmq-server'];
  try {
    return run(wanted) || (run(['update', '-q']) && run(wanted));
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}
