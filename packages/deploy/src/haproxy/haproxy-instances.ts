import { setTimeout as sleep } from 'node:timers/promises';
import { DeployError } from '../deploy-error.js';
import type { InstanceRunner } from '../instances/index.js';
import { forcedBackend } from './haproxy-config.js';
import type { RuntimeSocket } from './runtime-socket.js';
import type { Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';

/** Brings instances into service and takes them out again, so that no request meets one that is not ready. */
export class HaproxyInstances {
  readonly #socket: RuntimeSocket;
  readonly #backend: string;
  readonly #runner: InstanceRunner;
  readonly #settings: HaproxySettings;
  readonly #remember: () => Promise<void>;

  /** @param remember called with every change, so that a restart of HAProxy in the middle of many finds what is in service */
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

  version(slot: Slot): Promise<string | null> {
    return this.#runner.version(slot);
  }

  /** Starts an instance, and lets HAProxy see it once it says that it is ready. One that does not get there is ended again. */
  async start(slot: Slot, version: string, signal: AbortSignal): Promise<void> {
    await this.#runner.start(slot, version);
    try {
      await this.#waitUntilReady(slot, signal);
    } catch (error) {
      // Left running it would count as one of the instances, and take no traffic.
      await this.#runner.stop(slot).catch(() => {});
      throw error;
    }
    await this.#setState(slot, 'ready');
  }

  async #waitUntilReady(slot: Slot, signal: AbortSignal): Promise<void> {
    const end = Date.now() + this.#settings.readyMs;
    while (!(await this.#isReady(slot))) {
      signal.throwIfAborted();
      if (Date.now() > end || (await this.#runner.version(slot)) === null) {
        throw new DeployError(
          'not-ready',
          `${slot.name} did not become ready; its log says why. It got no traffic, and was ended.`,
        );
      }
      await sleep(50);
    }
  }

  /** New requests go elsewhere first; then the instance drains and ends. */
  async stop(slot: Slot): Promise<void> {
    await this.#setState(slot, 'drain');
    await this.#runner.stop(slot);
    await this.#setState(slot, 'maint');
  }

  async #setState(slot: Slot, state: 'ready' | 'drain' | 'maint'): Promise<void> {
    const backends = [this.#backend, forcedBackend(this.#backend, slot.environment)];
    await this.#socket.tell(backends.map((backend) => `set server ${backend}/${slot.name} state ${state}`));
    await this.#remember();
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
