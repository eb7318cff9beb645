/**
 * Clients of live queries on two hosts, of which one is killed all the time, half of them over REST and half over GraphQL. Every client ends with
 * the models of the database, and sees no model go back in time. The long version: `SVC_LIVE_CHANGES=50000 SVC_LIVE_CLIENTS=200 npx vitest run tests/live/kill.test.ts`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService, newId, type Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../../tools/ports/index.mjs';
import { bundledProgram } from '../bundled-program.js';
import { createDatabase } from '../postgres/test-database.js';
import { Counted, messages } from './counted.mjs';
import { LiveClient } from './live-client.js';
import { Subscriber } from './subscription-client.js';

const changes = Number(process.env['SVC_LIVE_CHANGES'] ?? 300);
const clientCount = Number(process.env['SVC_LIVE_CLIENTS'] ?? 10);
const isLong = changes > 1_000;
/** A page has at most 100 models. */
const streams = Array.from({ length: 100 }, () => newId());

/** A host that is started again after each kill, on the same port. */
class KilledHost {
  kills = 0;
  readonly url: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;

  constructor(program: string, database: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#args = [program, database, String(port)];
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, this.#args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The host ended.')));
    await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => {});
  }

  async kill(): Promise<void> {
    const child = this.#process!;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    this.kills++;
  }
}

/** A client that connects to any of the hosts until it is stopped, and notices models that go back in time. */
abstract class Follower {
  readonly faults: string[] = [];
  connections = 0;
  /** How many events or results it has received. They are not stored: a long run would fill the memory. */
  received = 0;
  /** How often it got models again that it had. */
  resets = 0;
  protected isStopped = false;
  readonly #known = new Map<string, number>();

  /** Connects until it is stopped. */
  abstract run(urls: readonly string[]): Promise<void>;
  /** The keys and the numbers of its models, in their order. */
  abstract get shown(): string[];
  abstract close(): void;

  stop(): void {
    this.isStopped = true;
    this.close();
  }

  /** Returns how many of the models it had already. */
  protected check(models: readonly unknown[]): number {
    let repeated = 0;
    for (const { key, model } of models as { key: string; model: { n: number } }[]) {
      const known = this.#known.get(key) ?? 0;
      if (model.n < known) this.faults.push(`${key} went back to ${model.n}`);
      if (model.n === known) repeated++;
      this.#known.set(key, model.n);
    }
    return repeated;
  }
}

class RestFollower extends Follower {
  readonly #client = new LiveClient();

  constructor() {
    super();
    this.#client.onEvent = ({ name, data }) => {
      this.received += this.#client.events.splice(0).length;
      if (name === 'reset') this.resets++;
      if (name === 'page') this.check(data['models'] as unknown[]);
      if (name === 'upsert') this.check([data]);
    };
  }

  async run(urls: readonly string[]): Promise<void> {
    while (!this.isStopped) {
      const url = urls[Math.floor(Math.random() * urls.length)]!;
      try {
        await this.#client.connect(`${url}/counters/live?pageSize=100`);
        this.connections++;
        while (!this.#client.isEnded && !this.isStopped) await sleep(20);
      } catch {
        // The host is not there.
      }
      await sleep(50);
    }
  }

  get shown(): string[] {
    return this.#client.entries.map(({ key, model }) => `${key} ${String(model['n'])}`);
  }

  close(): void {
    this.#client.close();
  }
}

/** The client of graphql-sse connects again by itself. */
class GraphQLFollower extends Follower {
  #subscriber: Subscriber | undefined;

  run(urls: readonly string[]): Promise<void> {
    const query =
      'subscription ($since: String) { counters(pageSize: 100, since: $since) { place keys changed { key model { n } } } }';
    const subscriber = new Subscriber({ urls: shuffled(urls), query, retryAttempts: Infinity, retryMs: 50 });
    this.#subscriber = subscriber;
    subscriber.onList = ({ changed }) => {
      this.received += subscriber.results.splice(0).length;
      this.resets += this.check(changed);
      this.connections = subscriber.connections;
    };
    return Promise.resolve();
  }

  get shown(): string[] {
    const { keys = [], models = [] } = this.#subscriber ?? {};
    return keys.map((key, i) => `${key} ${String(models[i]!['n'])}`);
  }

  close(): void {
    this.#subscriber?.close();
  }
}

/** Many addresses in any order. */
function shuffled(urls: readonly string[]): string[] {
  return Array.from({ length: 1_000 }, () => urls[Math.floor(Math.random() * urls.length)]!);
}

async function append(writer: Service, numbers: Map<string, number>): Promise<void> {
  for (let done = 0; done < changes;) {
    const batch = Math.min(isLong ? 20 : 10, changes - done);
    await Promise.all(
      Array.from({ length: batch }, async () => {
        const streamId = streams[Math.floor(Math.random() * streams.length)]!;
        numbers.set(streamId, (numbers.get(streamId) ?? 0) + 1);
        await writer.eventStore.append(streamId, wrap('live.Counted', new Counted(), { streamId }));
      }),
    );
    done += batch;
    await sleep(isLong ? 5 : 50);
  }
}

it.each(['SQLite', 'PostgreSQL'])(
  'every client ends with the models, and sees none go back, while hosts on %s are killed',
  async (name) => {
    let database: string;
    let storage: Storage;
    if (name === 'SQLite') {
      const folder = mkdtempSync(join(tmpdir(), 'svc-live-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      database = join(folder, 'data.db');
      storage = sqlite({ file: database });
    } else {
      const created = await createDatabase();
      onTestFinished(() => created.remove());
      database = created.url;
      storage = postgres({ url: database });
    }
    const registry = { messages, receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };
    const writer = createService(registry).useStorage(storage).start();
    await writer.ready();
    const program = await bundledProgram(new URL('live-host.mjs', import.meta.url));
    const hosts = (await freePorts(2)).map((port) => new KilledHost(program, database, port));
    for (const host of hosts) await host.start();

    const followers: readonly Follower[] = Array.from({ length: clientCount }, (_, i) =>
      i % 2 === 0 ? new RestFollower() : new GraphQLFollower(),
    );
    const running = followers.map((follower) => follower.run(hosts.map(({ url }) => url)));
    for (const follower of followers) await expect.poll(() => follower.received, { timeout: 30_000 }).toBe(1);
    const numbers = new Map<string, number>();
    const state = { isWriting: true };
    const writing = append(writer, numbers).finally(() => (state.isWriting = false));
    const kills = (): number => hosts[0]!.kills + hosts[1]!.kills;
    while (state.isWriting || kills() < 3) {
      const host = hosts[Math.floor(Math.random() * 2)]!;
      await host.kill();
      await host.start();
      await sleep(isLong ? 2_000 : 300);
    }
    await writing;

    const expected = [...numbers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, n]) => `${key} ${n}`);
    for (const follower of followers) await expect.poll(() => follower.shown, { timeout: 60_000 }).toEqual(expected);
    for (const follower of followers) follower.stop();
    await Promise.all(running);
    for (const host of hosts) await host.kill();
    await writer.stop();
    expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
    const sum = (of: (follower: Follower) => number): number => followers.reduce((total, one) => total + of(one), 0);
    console.log(
      `${name}: ${changes} changes, ${clientCount} clients, ${kills() - 2} kills, ` +
        `${sum(({ connections }) => connections)} connections, ${sum(({ received }) => received)} events, ${sum(({ resets }) => resets)} resets`,
    );
    expect(sum(({ resets }) => resets)).toBe(0);
    expect(sum(({ connections }) => connections)).toBeGreaterThan(clientCount);
  },
  isLong ? 3_600_000 : 120_000,
);
