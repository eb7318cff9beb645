/**
 * A host that writes until it kills itself at a named point: `node killed-host.mjs <storage> <where> <failpoint> <nth> <first>`.
 * Standard output gets a line for every command that was answered; pipes are written at once, so no line is lost with the process.
 */
import { newId } from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { count, startTrialService } from './trial-service.mjs';

const [, , kind, where, failpoint, nth, first] = process.argv;

/** Hands everything on, and ends the process without a word when a point has been passed often enough. */
class KillingStorage {
  #inner;
  #left = Number(nth);

  constructor(inner) {
    this.#inner = inner;
  }

  async commit(record) {
    const what = record.delivered !== null ? 'delivery' : 'commit';
    this.#pass(`before-${what}`);
    const committing = this.#inner.commit(record);
    // Once the database has the record and before it has answered.
    setImmediate(() => setImmediate(() => this.#pass(`during-${what}`)));
    await committing;
    this.#pass(`after-${what}`);
  }

  async readOutgoing(lane, limit) {
    const messages = await this.#inner.readOutgoing(lane, limit);
    if (messages.length > 0) this.#pass('between-outbox-and-stream');
    return messages;
  }

  open = () => this.#inner.open();
  close = () => this.#inner.close();
  onOutgoing = (listener) => this.#inner.onOutgoing(listener);
  readStream = (...args) => this.#inner.readStream(...args);
  readAll = (...args) => this.#inner.readAll(...args);
  lastPosition = (...args) => this.#inner.lastPosition(...args);
  positionOf = (...args) => this.#inner.positionOf(...args);

  #pass(point) {
    if (point === failpoint && --this.#left <= 0) process.kill(process.pid, 'SIGKILL');
  }
}

const storage =
  kind === 'sqlite' ? sqlite({ file: where }) : postgres({ url: where, leaseMs: 300, pollMs: 100, transactions: 2 });
const service = await startTrialService(new KillingStorage(storage), console.error);
const streams = [newId(), newId(), newId(), newId()];
let number = Number(first);

await Promise.all(
  Array.from({ length: 12 }, async (_, writer) => {
    for (;;) {
      const mine = number++;
      const stream = streams[(writer + mine) % streams.length];
      await count(service, stream, mine);
      process.stdout.write(`${stream} ${mine}\n`);
    }
  }),
);
