/**
 * A host that places orders and charges them until it kills itself at a named point, or is told to stop by the end of its standard input:
 * `node killed-host.mjs <storage> <where> <failpoint> <nth>`. With the failpoint `none` it only serves.
 */
import { place, startChargeService, streams } from './charge-service.mjs';

const [, , kind, where, failpoint, nth] = process.argv;
let left = Number(nth);

function pass(point) {
  if (point === failpoint && --left <= 0) process.kill(process.pid, 'SIGKILL');
}

/** Passes a point before a call, while the database works on it, and after it. */
async function around(what, call) {
  pass(`before-${what}`);
  const calling = call();
  setImmediate(() => setImmediate(() => pass(`during-${what}`)));
  const result = await calling;
  pass(`after-${what}`);
  return result;
}

const wrapped = (target, points) =>
  new Proxy(target, {
    get(_, name) {
      const value = target[name];
      if (points[name] !== undefined) return (...args) => points[name](...args);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

const inner =
  kind === 'sqlite'
    ? (await import('@svc/sqlite')).sqlite({ file: where, leaseMs: 300 })
    : (await import('@svc/postgres')).postgres({ url: where, leaseMs: 300, pollMs: 100, onStall: () => {} });
const stored = inner.reactions;
const reactions = wrapped(stored, {
  advance: (...args) => around('advance', () => stored.advance(...args)),
  suspend: (...args) => around('suspend', () => stored.suspend(...args)),
  resume: (...args) => around('resume', () => stored.resume(...args)),
});
const storage = wrapped(inner, {
  commit: (record, signal) =>
    record.reacted === undefined ? inner.commit(record, signal) : around('react', () => inner.commit(record, signal)),
});
const service = await startChargeService(
  new Proxy(storage, { get: (target, name) => (name === 'reactions' ? reactions : target[name]) }),
);
const stopping = new AbortController();
process.stdin.once('end', () => stopping.abort()).resume();
process.stdout.write('started\n');
while (!stopping.signal.aborted) {
  await place(service, streams[Math.floor(Math.random() * streams.length)]).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 2));
}
await service.stop();
