import { setTimeout as sleep } from 'node:timers/promises';
import { ShopHost } from './host.mjs';

/** A host that ends by itself is a failure. After so many, a run cannot continue. */
const mostFailures = 5;

/** A shop and the processes of its hosts. They are killed at random moments, each followed by another one, or live on while other parts fail. */
export class Shop {
  name;
  /** Opens the storage of the shop for the checks. */
  open;
  sealKey;
  kills = 0;
  /** How often a host was killed before it served requests. */
  killsAtStart = 0;
  /** Hosts that ended although nothing killed them. */
  failures = [];
  /** How long the last host took to start. */
  #startMs = 300;
  /** The hosts that were killed, and those that will be. */
  #doomed = 0;
  #program;
  #configuration;
  #random;
  #hosts = new Set();

  constructor({ program, configuration, open, random }) {
    this.name = configuration.shop;
    this.sealKey = configuration.sealKey;
    this.open = open;
    this.#program = program;
    this.#configuration = configuration;
    this.#random = random;
  }

  get hosts() {
    return [...this.#hosts];
  }

  /** Kills hosts, one after the other, until the shop has had `most` kills or the run is over. Then starts one that lives on. */
  async killHosts(most, { pauseMs, isOver, onKill = async () => {} }) {
    while (this.#doomed < most && !isOver()) {
      this.#doomed++;
      const host = this.#start(this.#program);
      if (await this.#moment(host, pauseMs)) await this.#kill(host, onKill);
      else this.#doomed--;
    }
    await this.start();
  }

  /** Starts a host that lives on, and waits until it serves requests. `program`: that of another version. */
  async start(program = this.#program) {
    for (;;) {
      const host = this.#start(program);
      if (await host.ready) return host;
      await sleep(50);
    }
  }

  /** Ends one host: it completes its work, or is killed. */
  async end(host, isKilled) {
    this.#hosts.delete(host);
    await (isKilled ? host.kill() : host.stop());
  }

  async stop() {
    await Promise.all(this.hosts.map((host) => this.end(host, false)));
  }

  /** For a run that fails. */
  async killAll() {
    await Promise.all(this.hosts.map((host) => this.end(host, true)));
  }

  async #kill(host, onKill) {
    this.kills++;
    if (!host.isReady) this.killsAtStart++;
    await this.end(host, true);
    await onKill();
  }

  /** Waits for the moment to kill a host: while it starts, soon after, or when it has had time to take over work. */
  async #moment(host, pauseMs) {
    const [kind, length] = [this.#random(), this.#random()];
    if (kind < 0.2) return await survives(host, this.#startMs * length);
    const began = performance.now();
    if (!(await host.ready)) return false;
    this.#startMs = performance.now() - began;
    return await survives(host, kind < 0.9 ? pauseMs * length : pauseMs * (1 + 4 * length));
  }

  #start(program) {
    if (this.failures.length >= mostFailures)
      throw new Error(`Hosts of ${this.name} fail: ${this.failures.join('\n')}`);
    const host = new ShopHost(program, this.#configuration);
    this.#hosts.add(host);
    void this.#watch(host);
    return host;
  }

  async #watch(host) {
    const { code, errors, wasReady } = await host.ended;
    if (!this.#hosts.delete(host)) return;
    // A host that cannot reach its database when it starts ends, and is started again.
    if (!wasReady && errors.includes('SVC_STORAGE_UNAVAILABLE')) return;
    this.failures.push(`${wasReady ? 'ready' : 'starting'} host ended with ${code}: ${errors.slice(-2_000)}`);
  }
}

/** Whether a host has not ended by itself after a time. */
function survives(host, ms) {
  return Promise.race([sleep(ms).then(() => true), host.ended.then(() => false)]);
}
