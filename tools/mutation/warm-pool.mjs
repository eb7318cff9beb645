/**
 * A pool of Vitest whose process stays alive between runs, with the sources loaded. Vitest itself ends its processes with each run, and
 * loading the sources takes much longer than most tests.
 */
import { ForksPoolWorker } from 'vitest/node';

/** How Vitest marks what it sends to its processes, and what they answer. */
const isRequest = '__vitest_worker_request__';
const isResponse = '__vitest_worker_response__';

export class WarmPool {
  #fork = null;

  /** For Vitest: `pool: warmPool.initializer()`. */
  initializer() {
    return { name: 'svc-warm', createPoolWorker: (options) => new Borrowed(this, options) };
  }

  /** A process runs, and has loaded the sources. */
  isWarm() {
    return this.#fork !== null;
  }

  /** The process, as long as it runs. */
  async acquire(options) {
    if (this.#fork !== null) return this.#fork;
    const worker = new ForksPoolWorker(options);
    await worker.start();
    const fork = { worker, isStarted: false };
    worker.fork.once('exit', () => {
      if (this.#fork === fork) this.#fork = null;
    });
    return (this.#fork = fork);
  }

  /** Ends the process, also one that is busy in an endless loop. The next run starts another one. */
  async kill() {
    const fork = this.#fork;
    if (fork === null) return;
    this.#fork = null;
    const { fork: child } = fork.worker;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

/** What Vitest sees as the worker of one run. */
class Borrowed {
  name = 'svc-warm';
  cacheFs = true;
  #pool;
  #options;
  #fork = null;
  #listeners = [];

  constructor(pool, options) {
    this.#pool = pool;
    this.#options = options;
  }

  async start() {
    this.#fork = await this.#pool.acquire(this.#options);
  }

  on(event, listener) {
    this.#listeners.push({ event, listener });
    this.#fork.worker.on(event, listener);
  }

  off(event, listener) {
    this.#listeners = this.#listeners.filter((one) => one.listener !== listener);
    this.#fork.worker.fork.off(event, listener);
  }

  send(message) {
    if (message[isRequest] !== true) return this.#forward(message);
    if (message.type === 'stop') return this.#answer('stopped');
    if (message.type !== 'start') return this.#forward(message);
    if (this.#fork.isStarted) return this.#answer('started');
    this.#fork.isStarted = true;
    return this.#forward(message);
  }

  deserialize(data) {
    return data;
  }

  /** Gives the process back. */
  async stop() {
    for (const { event, listener } of this.#listeners) this.#fork.worker.fork.off(event, listener);
    this.#listeners = [];
  }

  #forward(message) {
    // The process of a mutant that does not end was killed.
    if (this.#fork.worker.fork.connected) this.#fork.worker.send(message);
  }

  #answer(type) {
    const response = { type, [isResponse]: true };
    for (const { event, listener } of this.#listeners)
      if (event === 'message') queueMicrotask(() => listener(response));
  }
}
