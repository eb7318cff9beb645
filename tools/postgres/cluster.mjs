/**
 * A temporary private PostgreSQL cluster: in its own folder, on a free port, with a random password. It uses installed binaries,
 * touches no other database, and is stopped by its process id.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.mjs';
import { freePort } from '../ports/index.mjs';
import { accepts, unprivilegedUser } from './processes.mjs';
import { storedPassword } from './stored-password.mjs';

const startLimitMs = 30_000;

/**
 * Creates and starts a cluster. `settings` are server settings: `{ max_connections: '50' }`. `files` are written to its data folder, such
 * as a certificate, and `access` are additional lines of its `pg_hba.conf`.
 */
export async function createCluster(settings = {}, { files = {}, access = [] } = {}) {
  const binaries = await findBinaries();
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  try {
    const cluster = new Cluster({ binaries, user, folder, port: await freePort(), settings });
    await cluster.initialize(files, access);
    await cluster.start();
    return cluster;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

class Cluster {
  #binaries;
  #user;
  #folder;
  #settings;
  #password;
  #server = null;
  /** Where the log of the running server begins. */
  #logStart = 0;

  constructor({ binaries, user, folder, port, settings, password = randomBytes(16).toString('hex') }) {
    this.#password = password;
    this.#binaries = binaries;
    this.#user = user;
    this.#folder = folder;
    this.port = port;
    this.#settings = { listen_addresses: '127.0.0.1', max_connections: '200', ...settings };
  }

  get url() {
    return this.urlOf('postgres');
  }

  urlOf(database) {
    return `postgres://postgres:${this.#password}@127.0.0.1:${this.port}/${database}`;
  }

  /** The id of the running server process. */
  get processId() {
    return this.#server.pid;
  }

  async initialize(files, access) {
    mkdirSync(this.#data);
    const passwordFile = join(this.#folder, 'password');
    writeFileSync(passwordFile, storedPassword(this.#password));
    if (this.#user !== null) {
      for (const path of [this.#folder, this.#data, passwordFile]) chownSync(path, this.#user.uid, this.#user.gid);
    }
    const flags = [
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-locale',
      '-N',
    ];
    await this.#finished(this.#spawn('initdb', ['-D', this.#data, ...flags]));
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.#data, name);
      // The server rejects a key that others can read.
      writeFileSync(path, text, { mode: 0o600 });
      if (this.#user !== null) chownSync(path, this.#user.uid, this.#user.gid);
    }
    appendFileSync(join(this.#data, 'pg_hba.conf'), access.map((line) => `${line}\n`).join(''));
  }

  /**
   * Creates and starts a streaming standby of this cluster. Its settings replace those of the primary, which has to name it in
   * `synchronous_standby_names` if it is to wait for it.
   */
  async createStandby(name, settings = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
    if (this.#user !== null) chownSync(folder, this.#user.uid, this.#user.gid);
    const standby = new Cluster({
      binaries: this.#binaries,
      user: this.#user,
      folder,
      port: await freePort(),
      settings: { ...this.#settings, ...settings },
      password: this.#password,
    });
    try {
      await standby.follow(this, name);
      return standby;
    } catch (error) {
      await standby.remove();
      throw error;
    }
  }

  /** Makes this cluster, which must not run, a standby of a running one. It loses what it has, and remains at its port. */
  async follow(primary, name) {
    const { synchronous_standby_names: _names, ...settings } = this.#settings;
    this.#settings = settings;
    // The sessions of a killed server may still write for a moment.
    rmSync(this.#data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    const flags = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
    const source = `${primary.url}?application_name=${name}`;
    await this.#finished(this.#spawn('pg_basebackup', ['-D', this.#data, '-d', source, ...flags]));
    await this.start();
  }

  /** Makes a standby a primary. Resolves when it accepts writes. */
  async promote() {
    await this.#finished(this.#spawn('pg_ctl', ['promote', '-D', this.#data, '--wait']));
  }

  async start() {
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#logStart = this.#logged().length;
    this.#server = this.#spawn('postgres', [
      '-D',
      this.#data,
      '-p',
      String(this.port),
      '-k',
      this.#folder,
      ...settings,
    ]);
    const end = performance.now() + startLimitMs;
    while (!(await this.#isListening())) {
      if (this.#server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${this.#log()}`);
      if (performance.now() > end) throw new Error(`PostgreSQL did not start in time: ${this.#log()}`);
      await sleep(20);
    }
  }

  /** Stops the server and leaves its data. `immediate`: like a power failure, without writing anything. */
  async stop(mode = 'fast') {
    const server = this.#server;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT');
    await ended;
  }

  /** Kills the server. Its sessions end when they notice it. */
  async kill() {
    const server = this.#server;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  /** Stops the server and deletes everything. */
  async remove() {
    await this.stop('immediate');
    // The sessions of a killed server may still write for a moment.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  get #data() {
    return join(this.#folder, 'data');
  }

  #spawn(program, args) {
    const child = spawn(join(this.#binaries, program), args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', PGDATA: undefined },
      ...(this.#user !== null && { uid: this.#user.uid, gid: this.#user.gid }),
    });
    const log = createWriteStream(join(this.#folder, 'log'), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once('close', () => log.end());
    return child;
  }

  async #finished(child) {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`Cannot create or change the PostgreSQL cluster: ${this.#log()}`);
  }

  /** A recovering server already listens and answers "starting up". */
  async #isListening() {
    if (!/database system is ready to accept (?:read-only )?connections/.test(this.#log())) return false;
    return await accepts(this.port);
  }

  #log() {
    return this.#logged().slice(this.#logStart);
  }

  #logged() {
    const file = join(this.#folder, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }
}
