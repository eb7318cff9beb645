/** Installs Debian packages in a container or on a build machine, without starting their services. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';

const policy = '/usr/sbin/policy-rc.d';

/** A container or build machine: Debian, as root. */
export function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** Installs a package for the tests. Returns whether it is installed now. */
export function install(name) {
  console.log(`Installing ${name} for the tests (apt-get install ${name})`);
  const ours = !existsSync(policy);
  if (ours) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    chmodSync(policy, 0o755);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const flags = [
    '-y',
    '-q',
    '--no-install-recommends',
    '-o',
    'Dpkg::Options::=--force-confold',
    '-o',
    'DPkg::Lock::Timeout=300',
  ];
  const run = (args) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  const wanted = ['install', ...flags, name];
  try {
    return run(wanted) || (run(['update', '-q']) && run(wanted));
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}
