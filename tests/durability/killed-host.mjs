/**
 * A host that writes until it kills itself at a named point: `node killed-host.mjs <storage> <where> <failpoint> <nth> <first>`.
 * Standard output gets a line for every command that was answered, and one before each that is sent under an idempotency key, with the
 * key; pipes are written at once, so no line is lost with the process.
 */
import { newId } from '@svc/core';
import { count, refusingTransport, startTrialService } from './trial-service.mjs';

const [, , kind, where, failpoint, nth, first] = process.argv;

/** Hands everything on, and ends the process without a word when a point has been passed often enough. */
class KillingStorage {
  #inner;
  #left = Number(nth);

  constructor(inner) {
    this.#inner = inner;
  }

  async commit(record) {
    const what = whatIs(record);
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

  /** Only where the database does that by itself. */
  get deliverSystemEvents() {
    if (this.#inner.deliverSystemEvents === undefined) return undefined;
    return async (limit) => {
      this.#pass('before-delivery');
      const delivering = this.#inner.deliverSystemEvents(limit);
      setImmediate(() => setImmediate(() => this.#pass('during-delivery')));
      const delivered = await delivering;
      if (delivered.size > 0) this.#pass('after-delivery');
      return delivered;
    };
  }

  open = () => this.#inner.open();
  close = () => this.#inner.close();
  onOutgoing = (listener) => this.#inner.onOutgoing(listener);
  readStream = (...args) => this.#inner.readStream(...args);
  readAll = (...args) => this.#inner.readAll(...args);
  lastPosition = (...args) => this.#inner.lastPosition(...args);
  positionOf = (...args) => this.#inner.positionOf(...args);
  findIdempotent = (...args) => this.#inner.findIdempotent(...args);
  readDeadLetters = (...args) => this.#inner.readDeadLetters(...args);
  findDeadLetter = (...args) => this.#inner.findDeadLetter(...args);

  #pass(point) {
    if (point === failpoint && --this.#left <= 0) process.kill(process.pid, 'SIGKILL');
  }
}

function whatIs({ delivered, deadLetters, idempotency }) {
  if (deadLetters !== undefined) return 'dead-letter';
  if (delivered !== null) return 'delivery';
  return idempotency === undefined ? 'commit' : 'keyed-commit';
}

// One of them alone: most of the time of such a short life goes into loading.
async function openStorage() {
  if (kind === 'sqlite') return (await import('@svc/sqlite')).sqlite({ file: where });
  return (await import('@svc/postgres')).postgres({ url: where, leaseMs: 300, pollMs: 100, transactions: 2 });
}

const service = await startTrialService(new KillingStorage(await openStorage()), console.error, refusingTransport);
const streams = [newId(), newId(), newId(), newId()];
let number = Number(first);

await Promise.all(
  Array.from({ length: 12 }, async (_, writer) => {
    for (;;) {
      const mine = number++;
      const stream = streams[(writer + mine) % streams.length];
      const key = mine % 2 === 0 ? `key-${mine}` : undefined;
      if (key !== undefined) process.stdout.write(`? ${stream} ${mine} ${key}\n`);
      await count(service, stream, mine, key);
      process.stdout.write(`${stream} ${mine}\n`);
    }
  }),
);
