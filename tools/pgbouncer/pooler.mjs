/** A temporary private PgBouncer in front of one database: in its own folder, on a free port, stopped by its process id. */
import { spawn } from 'node:child_process';
import { chownSync, createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports/index.mjs';
import { accepts, unprivilegedUser } from '../postgres/processes.mjs';
import { findBinary } from './binary.mjs';

const startLimitMs = 30_000;

/** Starts a pooler of the database at `url`. `settings` are lines of its configuration: `{ default_pool_size: '3' }`. */
export async function createPooler(url, settings = {}) {
  const { hostname, port, pathname, username, password } = new URL(url);
  const binary = findBinary();
  const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'));
  const listenPort = await freePort();
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users.txt'),
    admin_users: username,
    pool_mode: 'transaction',
    max_client_conn: 500,
    // A login that fails on a busy machine must not block the others for 15 s.
    server_login_retry: 1,
    ...settings,
  };
  const parameters = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  const configuration = ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...parameters];
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration.join('\n'));
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  const user = unprivilegedUser();
  if (user !== null) {
    for (const path of [folder, join(folder, 'users.txt')]) chownSync(path, user.uid, user.gid);
  }
  const child = spawn(binary, [join(folder, 'pgbouncer.ini')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== null && user),
  });
  const log = createWriteStream(join(folder, 'log'), { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const logged = () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '');
  const ended = new Promise((resolve) => child.once('close', resolve));
  const remove = async () => {
    child.kill('SIGINT');
    await ended;
    log.end();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const end = performance.now() + startLimitMs; !(await accepts(listenPort));) {
    if (child.exitCode !== null || performance.now() > end) {
      const why = logged();
      await remove();
      throw new Error(`PgBouncer did not start: ${why}`);
    }
    await sleep(20);
  }
  const address = (database) => `postgres://${username}:${password}@127.0.0.1:${listenPort}${database}`;
  return { url: address(pathname), adminUrl: address('/pgbouncer'), remove };
}
