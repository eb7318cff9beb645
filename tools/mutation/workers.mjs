/** The child processes of the command. */
import { fork } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, 'worker.mjs');
/** A child that does not close its tests in this time is killed. */
const closeMs = 10_000;

/** Gives each item to a child that is idle, and ends the children afterwards. `opening`: the session of a child. */
export async function spread(workers, opening, items, handle) {
  const waiting = [...items];
  const children = Array.from({ length: Math.min(workers, items.length) }, () => new Child());
  try {
    await Promise.all(
      children.map(async (child) => {
        await child.call('open', opening);
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await handle(child, item);
      }),
    );
  } finally {
    await Promise.all(children.map((child) => child.close()));
  }
}

class Child {
  #process = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });
  #pending = new Map();
  #nextId = 1;
  #ended;

  constructor() {
    this.#process.on('message', ({ id, result, error }) => {
      const { resolve, reject } = this.#pending.get(id);
      this.#pending.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.#ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.once('exit', (code) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`A test worker ended with ${code}.`));
    });
  }

  call(task, input) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#process.send({ id, task, input }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  async close() {
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), closeMs);
    if (this.#process.connected) this.#process.disconnect();
    await this.#ended;
    clearTimeout(timer);
  }
}
