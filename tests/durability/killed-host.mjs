/**
 * A host that writes until it kills itself at a named point: `node killed-host.mjs <storage> <where> <failpoint> <nth> <first>`.
 * Standard output gets a line for every command that was answered, and one before each that is sent under an idempotency key, with the
 * key; pipes are written at once, so no line is lost with the process.
 */
import { newId } from '@svc/core';
import { around } from '@svc/core/hosting';
import { count, rejectingTransport, startTrialService } from './trial-service.mjs';

const [, , kind, where, failpoint, nth, first] = process.argv;

let left = Number(nth);

/** Ends the process without a word when a point has been passed often enough. */
function pass(point) {
  if (point === failpoint && --left <= 0) process.kill(process.pid, 'SIGKILL');
}

/** A storage that passes a point before each call, while the database works on it, and after it. */
function killing(inner) {
  return around(inner, {
    async commit(record) {
      const what = whatIs(record);
      pass(`before-${what}`);
      const committing = inner.commit(record);
      // Once the database has the record and before it has answered.
      setImmediate(() => setImmediate(() => pass(`during-${what}`)));
      await committing;
      pass(`after-${what}`);
    },
    async readOutgoing(lane, limit) {
      const messages = await inner.readOutgoing(lane, limit);
      if (messages.length > 0) pass('between-outbox-and-stream');
      return messages;
    },
    ...(inner.systemDelivery !== undefined && { systemDelivery: killingDelivery(inner.systemDelivery) }),
  });
}

function killingDelivery(inner) {
  return around(inner, {
    async deliver(limit) {
      pass('before-delivery');
      const delivering = inner.deliver(limit);
      setImmediate(() => setImmediate(() => pass('during-delivery')));
      const delivered = await delivering;
      if (delivered.size > 0) pass('after-delivery');
      return delivered;
    },
  });
}

function whatIs({ delivered, deadLetters, idempotency }) {
  if (deadLetters !== undefined && deadLetters.length > 0) return 'dead-letter';
  if (delivered !== null) return 'delivery';
  return idempotency === undefined ? 'commit' : 'keyed-commit';
}

// One of them alone: most of the time of such a short life goes into loading.
async function openStorage() {
  if (kind === 'sqlite') return (await import('@svc/sqlite')).sqlite({ file: where });
  return (await import('@svc/postgres')).postgres({ url: where, leaseMs: 300, pollMs: 100, transactions: 2 });
}

const service = await startTrialService(killing(await openStorage()), console.error, rejectingTransport);
const streams = [newId(), newId(), newId(), newId()];
let number = Number(first);
/** From then on it writes slowly: a point that is rarely passed must not make the log long. */
const slowFrom = number + 1_000;

await Promise.all(
  Array.from({ length: 12 }, async (_, writer) => {
    for (;;) {
      const mine = number++;
      const stream = streams[(writer + mine) % streams.length];
      const key = mine % 2 === 0 ? `key-${mine}` : undefined;
      if (key !== undefined) process.stdout.write(`? ${stream} ${mine} ${key}\n`);
      await count(service, stream, mine, key);
      process.stdout.write(`${stream} ${mine}\n`);
      if (mine > slowFrom) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }),
);
