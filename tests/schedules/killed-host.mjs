/**
 * A host that schedules and runs commands until it kills itself at a named point: `node killed-host.mjs <storage> <where> <failpoint> <nth> <first>`.
 * Standard output gets a line for every command that was answered.
 */
import { around } from '@svc/core/hosting';
import { begin, startScheduling } from './scheduling-service.mjs';

const [, , kind, where, failpoint, nth, first] = process.argv;

let left = Number(nth);

function pass(point) {
  if (point === failpoint && --left <= 0) process.kill(process.pid, 'SIGKILL');
}

/** A storage that passes a point before each call, while the database works on it, and after it. */
function killing(inner) {
  return around(inner, {
    async commit(record, signal) {
      const what = record.schedules === undefined ? 'other' : record.schedules.settled === null ? 'schedule' : 'settle';
      pass(`before-${what}`);
      const committing = inner.commit(record, signal);
      setImmediate(() => setImmediate(() => pass(`during-${what}`)));
      await committing;
      pass(`after-${what}`);
    },
    schedule: around(inner.schedule, {
      async claim(...args) {
        const claimed = await inner.schedule.claim(...args);
        if (claimed.commands.length > 0) pass('after-claim');
        return claimed;
      },
    }),
  });
}

async function openStorage() {
  if (kind === 'sqlite') return (await import('@svc/sqlite')).sqlite({ file: where, leaseMs: 300 });
  return (await import('@svc/postgres')).postgres({ url: where, leaseMs: 300, pollMs: 100 });
}

const service = await startScheduling(killing(await openStorage()));
let number = Number(first);
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      const mine = number++;
      await begin(service, mine);
      process.stdout.write(`${mine}\n`);
    }
  }),
);
