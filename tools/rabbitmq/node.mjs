/**
 * A temporary private RabbitMQ node: with its own folders, name, cookie and ports, on loopback, with a random password. It uses
 * installed programs and is stopped by its process id, and so is its name server (epmd).
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../ports/index.mjs';
import { findBinaries } from './binaries.mjs';

/** Usually a few seconds, up to a minute on a busy machine. A broker that fails to start exits long before. */
const startLimitMs = 180_000;
const user = 'svc';

/** Creates and starts a node. `settings` are lines of its configuration: `{ 'vm_memory_high_watermark.relative': '0.4' }`. */
export async function createNode(settings = {}) {
  const binaries = await findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'svc-rabbitmq-'));
  const node = new Node(binaries, folder, await freePorts(3), settings);
  try {
    await node.start();
    return node;
  } catch (error) {
    await node.remove();
    throw error;
  }
}

class Node {
  #binaries;
  #folder;
  #distributionPort;
  #epmdPort;
  #name = `svc-${randomBytes(6).toString('hex')}@localhost`;
  #password = randomBytes(16).toString('hex');
  #epmd = null;
  #server = null;

  constructor(binaries, folder, [port, distributionPort, epmdPort], settings) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.port = port;
    this.#distributionPort = distributionPort;
    this.#epmdPort = epmdPort;
    this.#write('.erlang.cookie', randomBytes(16).toString('hex'));
    chmodSync(join(folder, '.erlang.cookie'), 0o400);
    this.#write('enabled_plugins', '[].\n');
    this.#write('env.conf', '');
    const lines = {
      'listeners.tcp.1': `127.0.0.1:${port}`,
      default_user: user,
      default_pass: this.#password,
      'disk_free_limit.absolute': '1MB',
      'log.file.level': 'info',
      // A client that shares its processors with other tests may answer late.
      handshake_timeout: '60000',
      ...settings,
    };
    this.#write(
      'rabbitmq.conf',
      Object.entries(lines)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    );
  }

  get url() {
    return `amqp://${user}:${this.#password}@127.0.0.1:${this.port}`;
  }

  /** Where its data and its logs are. */
  get folder() {
    return this.#folder;
  }

  get password() {
    return this.#password;
  }

  async start() {
    this.#epmd ??= this.#spawn(join(this.#binaries.erlang, 'epmd'), ['-port', String(this.#epmdPort)]);
    const server = this.#spawn(join(this.#binaries.rabbitmq, 'rabbitmq-server'), []);
    this.#server = server;
    const end = performance.now() + startLimitMs;
    while (!(await this.#isReady())) {
      if (hasEnded(server)) throw new Error(`RabbitMQ did not start: ${this.#log()}`);
      if (performance.now() > end) throw new Error(`RabbitMQ did not start in time: ${this.#log()}`);
      await sleep(50);
    }
  }

  /** Stops the broker and leaves its data. `immediate`: like a power failure. */
  async stop(mode = 'fast') {
    await ended(this.#server, mode === 'immediate' ? 'SIGKILL' : 'SIGTERM');
    this.#server = null;
  }

  /** Runs `rabbitmqctl`, which takes a second or two. */
  async control(...args) {
    const child = this.#spawn(join(this.#binaries.rabbitmq, 'rabbitmqctl'), ['-n', this.#name, '--quiet', ...args]);
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`rabbitmqctl ${args[0]} failed: ${this.#log()}`);
    return output;
  }

  /**
   * Writes what the broker knows about its queues to disk. RabbitMQ 3.10 does that every three minutes only: a quorum queue that was
   * declared since loses its messages in a power failure.
   */
  async flushQueues() {
    await this.control('eval', '[dets:sync(Table) || Table <- dets:all()].');
  }

  /** Stops everything and deletes it. */
  async remove() {
    await this.stop('immediate');
    await ended(this.#epmd, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 });
  }

  #spawn(program, args) {
    const child = spawn(program, args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${this.#binaries.erlang}:${process.env.PATH}`,
        HOME: this.#folder,
        LANG: 'C.UTF-8',
        ERL_EPMD_PORT: String(this.#epmdPort),
        ERL_EPMD_ADDRESS: '127.0.0.1',
        RABBITMQ_NODENAME: this.#name,
        RABBITMQ_DIST_PORT: String(this.#distributionPort),
        RABBITMQ_MNESIA_BASE: join(this.#folder, 'data'),
        RABBITMQ_LOG_BASE: join(this.#folder, 'logs'),
        RABBITMQ_CONFIG_FILE: join(this.#folder, 'rabbitmq.conf'),
        RABBITMQ_CONF_ENV_FILE: join(this.#folder, 'env.conf'),
        RABBITMQ_ENABLED_PLUGINS_FILE: join(this.#folder, 'enabled_plugins'),
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
        // The script replaces itself with the node, so that this process is the one to stop.
        detached: 'true',
      },
    });
    const log = createWriteStream(join(this.#folder, 'log'), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once('error', (error) => log.write(error.message));
    child.once('close', () => log.end());
    return child;
  }

  async #isReady() {
    return (await speaksAmqp(this.port)) && !hasEnded(this.#server);
  }

  #write(name, text) {
    writeFileSync(join(this.#folder, name), text);
  }

  #log() {
    const file = join(this.#folder, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8').slice(-4_000) : '';
  }
}

/** A booting node listens only once it serves connections. */
function speaksAmqp(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('connect', () => socket.write('AMQP\u0000\u0000\u0009\u0001'));
    socket.once('data', () => done(true));
    socket.once('error', () => done(false));
    socket.once('end', () => done(false));
  });
}

const hasEnded = (child) => child === null || child.exitCode !== null || child.signalCode !== null;

async function ended(child, signal) {
  if (hasEnded(child) || child.pid === undefined) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await end;
}
