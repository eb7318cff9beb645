/**
 * Three hosts on databases of their own count, while the network is cut, hosts are killed and the broker goes down. In the end every
 * host has every event once, in the order of its stream, and each has audited what it did itself, exactly.
 *
 * `SVC_CHAOS_EVENTS=100000` makes it long; `SVC_TEST_SEED` repeats a run.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Uuid } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { createNode, type RabbitMqNode } from '../../tools/rabbitmq/node.mjs';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { TcpProxy } from './tcp-proxy.js';

const events = Number(process.env['SVC_CHAOS_EVENTS'] ?? 300);
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const random = seeded(seed);
const script = await bundledProgram(new URL('chaos-host.mjs', import.meta.url));
const limitMs = 60_000 + events * 20;

let node: RabbitMqNode | undefined;
let database: TestDatabase | undefined;
let proxy: TcpProxy | undefined;
let hosts: Host[] = [];
const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'));

beforeAll(async () => {
  database = await createDatabase();
  node = await createNode();
  proxy = await TcpProxy.to(node.port);
  hosts = [
    new Host('first', 'sqlite', join(folder, 'first.db')),
    new Host('second', 'sqlite', join(folder, 'second.db')),
    new Host('third', 'postgres', database.url),
  ];
}, 240_000);
afterAll(async () => {
  for (const host of hosts) host.kill();
  await proxy?.close();
  // One that did not start in time, on a busy machine, leaves nothing behind.
  await Promise.all([node?.remove(), database?.remove()]);
  rmSync(folder, { recursive: true, force: true });
});

/** One host across its restarts. */
class Host {
  readonly name: string;
  readonly kind: 'sqlite' | 'postgres';
  readonly where: string;
  readonly streams: readonly Uuid[] = [newId(), newId(), newId(), newId()];
  /** What was answered for: `stream number`. */
  readonly answered: string[] = [];
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  #first = 0;
  isReady = false;
  isDone = false;

  constructor(name: string, kind: 'sqlite' | 'postgres', where: string) {
    this.name = name;
    this.kind = kind;
    this.where = where;
  }

  /** Goes on where the life before ended; numbers that were not answered for then may be missing, or there. */
  start(url: string, total: number): void {
    this.#first += 1_000_000;
    const left = Math.max(0, total - this.answered.length);
    const args = [this.kind, this.where, url, '', this.name, this.streams.join(','), String(this.#first), String(left)];
    const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.isReady = false;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === 'ready') this.isReady = true;
        else if (line === 'done') this.isDone = true;
        else this.answered.push(line);
      }
    });
    // It may be killed before it has read that it may begin.
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.#child = child;
  }

  errors = '';

  /** Lets it begin. */
  go(): void {
    this.#child!.stdin.write('go');
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async killed(): Promise<void> {
    const ended = new Promise((resolve) => this.#child!.once('close', resolve));
    this.kill();
    await ended;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child!.once('close', resolve));
    this.#child!.stdin.end();
    await ended;
  }

  open(): Storage {
    return this.kind === 'sqlite' ? sqlite({ file: this.where }) : postgres({ url: this.where });
  }
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    const state = hosts.map(({ name, answered, errors }) => `${name}: ${answered.length} answered ${errors}`);
    if (performance.now() > end) throw new Error(`${what}: not in time (seed ${seed}). ${state.join('; ')}`);
    await sleep(50);
  }
}

const answers = (): number => hosts.reduce((sum, { answered }) => sum + answered.length, 0);

it(
  `stores ${events} events of three hosts once and in order, whatever fails (seed ${seed})`,
  { timeout: limitMs * 2 },
  async () => {
    const broker = node!;
    const url = proxy!.through(broker.url);
    const each = Math.ceil(events / hosts.length);
    for (const host of hosts) host.start(url, each);
    // A queue has what was published since it was made: nobody begins before all are there.
    await until(() => hosts.every(({ isReady }) => isReady), 'all hosts are ready');
    await broker.flushQueues();
    for (const host of hosts) host.go();

    const outages = Math.max(2, Math.round(events / 3_000));
    for (let i = 1; i <= outages; i++) {
      await until(() => answers() > (events * i) / (outages + 1), 'commands are answered');
      proxy!.cut();
      const host = hosts[Math.floor(random() * hosts.length)]!;
      await sleep(random() * 100);
      await host.killed();
      if (i % 2 === 1) {
        await broker.stop(random() < 0.5 ? 'fast' : 'immediate');
        host.start(url, each);
        host.go();
        await broker.start();
      } else {
        host.start(url, each);
        host.go();
        proxy!.cut();
      }
    }
    const cutting = setInterval(() => proxy!.cut(), 1_500 + random() * 500);
    await until(() => hosts.every(({ isDone }) => isDone), 'all commands are answered');
    clearInterval(cutting);

    const storages = hosts.map((host) => host.open());
    for (const storage of storages) await storage.open();
    const owned = hosts.flatMap(({ streams }, owner) => streams.map((stream) => ({ stream, owner })));
    const isEverywhere = async (): Promise<boolean> => {
      for (const { stream, owner } of owned) {
        const last = await Promise.all(storages.map((storage) => storage.lastPosition(stream)));
        if (last.some((position) => position < last[owner]!)) return false;
      }
      return true;
    };
    await until(isEverywhere, 'every event is everywhere');
    await Promise.all(hosts.map((host) => host.stop()));
    for (const [i, storage] of storages.entries()) await expectExact(hosts[i]!, storage, storages);
    for (const storage of storages) await storage.close();
  },
);

async function expectExact(host: Host, storage: Storage, storages: readonly Storage[]): Promise<void> {
  for (const stream of host.streams) {
    const numbers = await numbersIn(storage, stream);
    expect(new Set(numbers).size, 'once').toBe(numbers.length);
    for (const other of storages) expect(await numbersIn(other, stream), `in order (seed ${seed})`).toEqual(numbers);
    const stored = new Set(numbers.map((number) => `${stream} ${number}`));
    const lost = host.answered.filter((line) => line.startsWith(stream) && !stored.has(line));
    expect(lost, 'everything that was answered is stored').toEqual([]);
  }
  const own: string[] = [];
  const audited: string[] = [];
  for await (const { id, type, body, metadata } of storage.readAll()) {
    if (type === 'trial.Counted' && metadata['origin'] === undefined) own.push(id);
    if (type === 'svc.EventAudited') {
      audited.push((JSON.parse(body) as { originalEventId: string }).originalEventId);
    }
  }
  expect(audited.toSorted(), 'each host audits what it did itself').toEqual(own.toSorted());
  expect(own.length).toBeGreaterThanOrEqual(host.answered.length);
}

/** One record at a time: a long run has more records than should be in memory. */
async function numbersIn(storage: Storage, stream: Uuid): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { body } of storage.readStream(stream))
    numbers.push((JSON.parse(body) as { number: number }).number);
  return numbers;
}

function seeded(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
