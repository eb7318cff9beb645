/**
 * A host that writes, rewinds and rebuilds until it kills itself at a named point, or is told to stop by the end of its standard input:
 * `node killed-host.mjs <storage> <where> <failpoint> <nth>`. With the failpoint `none` it only serves.
 */
import { newId, RebuildMode } from '@svc/core';
import { countOf, noteTraces, receive, startTraceService, streams } from './trace-service.mjs';

const [, , kind, where, failpoint, nth] = process.argv;
let left = Number(nth);
/** Points count once the hosts beside it have begun, too. */
let isArmed = false;

function pass(point) {
  if (isArmed && point === failpoint && --left <= 0) process.kill(process.pid, 'SIGKILL');
}

/** Passes a point before a call, while the database works on it, and after it. */
async function around(what, call) {
  pass(`before-${what}`);
  const calling = call();
  setImmediate(() => setImmediate(() => pass(`during-${what}`)));
  await calling;
  pass(`after-${what}`);
}

/** The commit that begins a rewind, or the one that has its models. */
function pointOf(commit) {
  if ((commit.rewinds?.open.length ?? 0) > 0 && commit.models.length === 0) return 'begin';
  return commit.rewound.length > 0 ? 'rewind' : undefined;
}

const inner =
  kind === 'sqlite'
    ? (await import('@svc/sqlite')).sqlite({ file: where })
    : (await import('@svc/postgres')).postgres({ url: where, leaseMs: 300, pollMs: 100, onStall: () => {} });
const perspectives = new Proxy(inner.perspectives, {
  get(target, name) {
    if (name === 'commitPerspective') {
      return (commit) => {
        const what = commit.tables?.role === 'rebuilding' ? 'fill' : (pointOf(commit) ?? 'apply');
        return around(what, () => target.commitPerspective(commit));
      };
    }
    if (name === 'replacePerspective') return (...args) => around('swap', () => target.replacePerspective(...args));
    const value = target[name];
    return typeof value === 'function' ? value.bind(target) : value;
  },
});
const storage = new Proxy(inner, {
  get(target, name) {
    if (name === 'perspectives') return perspectives;
    const value = target[name];
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

const service = await startTraceService(storage);
const stopping = new AbortController();
process.stdin.once('data', () => (isArmed = true));
process.stdin.once('end', () => stopping.abort());
process.stdout.write('started\n');

const unused = Array.from({ length: 5 }, () => newId());
async function write() {
  while (!stopping.signal.aborted) {
    const isLate = Math.random() < 0.05;
    const id = isLate ? unused.splice(Math.floor(Math.random() * unused.length), 1)[0] : newId();
    unused.push(newId());
    const stream = streams[Math.floor(Math.random() * streams.length)];
    await (isLate ? receive(inner, stream, id) : countOf(service, stream, id)).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function rebuild() {
  const modes = [RebuildMode.BlueGreen, RebuildMode.BlueGreen, RebuildMode.InPlace];
  while (!stopping.signal.aborted && /fill|swap/.test(failpoint)) {
    for (const mode of modes)
      if (!stopping.signal.aborted) await service.rebuildPerspective(noteTraces, { mode }).catch(() => {});
  }
}

await Promise.all([write(), write(), rebuild()]);
await service.stop();
