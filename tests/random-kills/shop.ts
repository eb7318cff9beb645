import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '@svc/core/storage';
import { ShopHost } from './shop-host.js';

/** How a shop is started. */
export interface ShopParts {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly open: () => Storage;
  readonly random: () => number;
}

/** A shop whose hosts are killed at random, each followed by another one. */
export class Shop {
  readonly name: string;
  readonly open: () => Storage;
  kills = 0;
  /** How long the last host took to start. */
  #startMs = 300;
  /** The hosts that were killed, and those that will be. */
  #doomed = 0;
  /** How often a host was killed before it served requests. */
  killsAtStart = 0;
  /** Hosts that ended although nothing killed them. */
  readonly failures: string[] = [];
  readonly #parts: ShopParts;
  readonly #hosts = new Set<ShopHost>();

  constructor(parts: ShopParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.open = parts.open;
  }

  get hosts(): readonly ShopHost[] {
    return [...this.#hosts];
  }

  /** Kills hosts, one after the other, until the shop has had `most` kills. Then starts one that lives on. */
  async killHosts(most: number, pauseMs: number, onKill: () => Promise<void>): Promise<void> {
    while (this.#doomed < most) {
      this.#doomed++;
      const host = this.#start();
      if (await this.#moment(host, pauseMs)) await this.#kill(host, onKill);
      else this.#doomed--;
    }
    while (!(await this.#start().ready)) await sleep(50);
  }

  async #kill(host: ShopHost, onKill: () => Promise<void>): Promise<void> {
    this.kills++;
    if (!host.isReady) this.killsAtStart++;
    this.#hosts.delete(host);
    await host.kill();
    await onKill();
  }

  /** Waits for the moment to kill a host: while it starts, soon after, or when it has had time to take over work. */
  async #moment(host: ShopHost, pauseMs: number): Promise<boolean> {
    const { random } = this.#parts;
    const [kind, length] = [random(), random()];
    if (kind < 0.2) return await survives(host, this.#startMs * length);
    const began = performance.now();
    if (!(await host.ready)) return false;
    this.#startMs = performance.now() - began;
    return await survives(host, kind < 0.9 ? pauseMs * length : pauseMs * (1 + 4 * length));
  }

  async stop(): Promise<void> {
    const hosts = this.hosts;
    this.#hosts.clear();
    await Promise.all(hosts.map((host) => host.stop()));
  }

  /** For a test that fails. */
  async killAll(): Promise<void> {
    const hosts = this.hosts;
    this.#hosts.clear();
    await Promise.all(hosts.map((host) => host.kill()));
  }

  #start(): ShopHost {
    const host = new ShopHost(this.#parts.program, this.#parts.args);
    this.#hosts.add(host);
    void this.#watch(host);
    return host;
  }

  async #watch(host: ShopHost): Promise<void> {
    const { code, errors, wasReady } = await host.ended;
    if (!this.#hosts.delete(host)) return;
    // A host that cannot reach its database when it starts ends, and is started again.
    if (!wasReady && errors.includes('SVC_STORAGE_UNAVAILABLE')) return;
    this.failures.push(`${wasReady ? 'ready' : 'starting'} host ended with ${code}: ${errors.slice(-2_000)}`);
  }
}

/** Whether a host has not ended by itself after a time. */
function survives(host: ShopHost, ms: number): Promise<boolean> {
  return Promise.race([sleep(ms).then(() => true), host.ended.then(() => false)]);
}
