import { setTimeout as sleep } from 'node:timers/promises';
import { DeployError } from '../deploy-error.js';
import type { InstanceRunner } from '../instances/index.js';
import { forcedBackend } from './haproxy-config.js';
import type { RuntimeSocket } from './runtime-socket.js';
import { readServers, type ServerState, type Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';

/** An instance that was started and not stopped. It may run without getting traffic. */
export interface RunningInstance extends Pick<ServerState, 'inService' | 'ready'> {
  readonly slot: Slot;
  readonly version: string;
}

/** Brings instances into service and takes them out of it, so that no request reaches an instance that is not ready. */
export class HaproxyInstances {
  readonly #socket: RuntimeSocket;
  readonly #backend: string;
  readonly #runner: InstanceRunner;
  readonly #settings: HaproxySettings;
  readonly #remember: () => Promise<void>;

  /** @param remember called after every change, so that HAProxy restores the current servers when it restarts in between */
  constructor(
    socket: RuntimeSocket,
    backend: string,
    runner: InstanceRunner,
    settings: HaproxySettings,
    remember: () => Promise<void>,
  ) {
    this.#socket = socket;
    this.#backend = backend;
    this.#runner = runner;
    this.#settings = settings;
    this.#remember = remember;
  }

  /** The instances that run in these slots, with their state in HAProxy. */
  async running(slots: readonly Slot[]): Promise<readonly RunningInstance[]> {
    const servers = await readServers(this.#socket, this.#backend);
    const found = await Promise.all(slots.map(async (slot) => ({ slot, version: await this.#runner.version(slot) })));
    return found.flatMap(({ slot, version }) => {
      const server = servers.find(({ name }) => name === slot.name);
      if (version === null) return [];
      return [{ slot, version, inService: server?.inService ?? false, ready: server?.ready ?? false }];
    });
  }

  /** Starts an instance and brings it into service. */
  async start(slot: Slot, version: string, signal: AbortSignal): Promise<void> {
    await this.#runner.start(slot, version);
    await this.bringIn(slot, signal);
  }

  /** Enables the server of a slot and resolves once HAProxy considers it ready. An instance that does not become ready is stopped. */
  async bringIn(slot: Slot, signal: AbortSignal): Promise<void> {
    const end = Date.now() + this.#settings.readyMs;
    try {
      await this.#waitUntil(() => this.#isReady(slot), slot, end, signal);
      await this.#setState(slot, 'ready');
      await this.#waitUntil(() => this.#isSeen(slot), slot, end, signal);
    } catch (error) {
      // A running instance would block the next attempt.
      await this.stop(slot).catch(() => {});
      throw error;
    }
  }

  async #waitUntil(condition: () => Promise<boolean>, slot: Slot, end: number, signal: AbortSignal): Promise<void> {
    while (!(await condition())) {
      signal.throwIfAborted();
      if (Date.now() > end || (await this.#runner.version(slot)) === null) {
        throw new DeployError(
          'not-ready',
          `${slot.name} did not become ready. It got no traffic and was stopped. See its log for the reason.`,
        );
      }
      await sleep(50);
    }
  }

  /** Directs new requests elsewhere, then lets the instance drain and stop. */
  async stop(slot: Slot): Promise<void> {
    await this.#setState(slot, 'drain');
    await this.#runner.stop(slot);
    await this.#setState(slot, 'maint');
  }

  async #setState(slot: Slot, state: 'ready' | 'drain' | 'maint'): Promise<void> {
    const backends = [this.#backend, forcedBackend(this.#backend, slot.environment)];
    await this.#socket.send(backends.map((backend) => `set server ${backend}/${slot.name} state ${state}`));
    await this.#remember();
  }

  async #isSeen(slot: Slot): Promise<boolean> {
    const [instance] = await this.running([slot]);
    return instance?.ready ?? false;
  }

  async #isReady(slot: Slot): Promise<boolean> {
    try {
      const answer = await fetch(`http://${slot.address}${this.#settings.probe}`, {
        signal: AbortSignal.timeout(2000),
      });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      return false;
    }
  }
}
