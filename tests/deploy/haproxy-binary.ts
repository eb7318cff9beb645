import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The installed HAProxy; where it can be installed (Debian, root), it is. */
export function haproxyBinary(): string {
  const found = installed();
  if (found !== undefined) return found;
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'haproxy']]) {
      execFileSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    }
  }
  const path = installed();
  if (path === undefined) throw new Error('These tests need HAProxy 2.4 or later: apt-get install haproxy.');
  return path;
}

function installed(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => `${folder}/haproxy`).find((path) => existsSync(path));
}
