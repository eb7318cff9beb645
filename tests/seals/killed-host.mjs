/**
 * A host that appends events and seals them until it reaches a named point, where a signal kills or suspends it:
 * `node killed-host.mjs <storage> <where> <folder> <failpoint> <nth> <signal>`. With the failpoint `none` it serves until it is killed.
 */
import { writeSync } from 'node:fs';
import { around } from '@svc/core/hosting';
import { anchorOf, append, startSealingService } from './sealing-service.mjs';

const [, , kind, where, folder, failpoint, nth, signal] = process.argv;
let left = Number(nth);

function pass(point) {
  if (point !== failpoint || --left !== 0) return;
  writeSync(1, 'reached\n');
  process.kill(process.pid, signal);
}

/** Passes a point before a call, while the database works on it, and after it. */
async function watched(what, call) {
  pass(`before-${what}`);
  const calling = call();
  setImmediate(() => setImmediate(() => pass(`during-${what}`)));
  const result = await calling;
  pass(`after-${what}`);
  return result;
}

const inner =
  kind === 'sqlite'
    ? (await import('@svc/sqlite')).sqlite({ file: where, leaseMs: 300 })
    : (await import('@svc/postgres')).postgres({ url: where, leaseMs: 300, pollMs: 100, onStall: () => {} });
const seals = around(inner.seals, {
  readLast: () => watched('state', () => inner.seals.readLast()),
  async *readLog(after, size) {
    pass('before-read');
    try {
      for await (const page of inner.seals.readLog(after, size)) {
        pass('during-read');
        yield page;
      }
    } finally {
      pass('after-read');
    }
  },
  append: (seal, outgoing) => watched('seal', () => inner.seals.append(seal, outgoing)),
  recordAnchored: (name, number) => watched('anchored', () => inner.seals.recordAnchored(name, number)),
});
const leases = around(inner.leases, {
  hold: (lane) => (lane === 'sealing' ? watched('lease', () => inner.leases.hold(lane)) : inner.leases.hold(lane)),
});
const file = anchorOf(folder);
const anchor = {
  name: file.name,
  store: (checkpoint, ending) => watched('anchor', () => file.store(checkpoint, ending)),
};
const service = await startSealingService(around(inner, { seals, leases }), folder, anchor);
writeSync(1, 'started\n');
for (;;) {
  await append(service).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 3));
}
