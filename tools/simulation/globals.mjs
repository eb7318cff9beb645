/** What the program uses instead of the globals of this process: those of the simulated process that runs. */
import nodeCrypto from 'node:crypto';
import { createRequire } from 'node:module';
import { SimulatedContext, SimulatedResource } from './context.mjs';

const nodeRequire = createRequire(import.meta.url);

/** Members of globals that are replaced where they are used, so that the others remain those that Node compiles best. */
export const members = {
  'Math.random': 'simulatedRandom',
  'Date.now': 'simulatedNow',
  'performance.now': 'simulatedElapsed',
};

/** The globals by name. `program.realm` is the process that runs. */
export function globalsOf(program) {
  const now = () => program.realm.now();
  const clear = (timer) => program.realm.clearTimer(timer);
  return {
    setTimeout: (callback, ms, ...args) => program.realm.startTimer(callback, ms, args, false),
    setInterval: (callback, ms, ...args) => program.realm.startTimer(callback, ms, args, true),
    setImmediate: (callback, ...args) => program.realm.startImmediate(callback, args),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    Date: dateOf(now),
    simulatedNow: now,
    simulatedElapsed: () => program.realm.elapsed(),
    simulatedRandom: () => program.realm.random(),
    process: { nextTick: (...args) => process.nextTick(...args) },
    ...randomness(program),
  };
}

function randomness(program) {
  const fill = (bytes) => program.realm.fill(bytes);
  const randomUUID = () => program.realm.randomUUID();
  // Digests of the platform come from other threads, at any time.
  const digest = (_algorithm, data) => Promise.resolve(nodeCrypto.createHash('sha256').update(data).digest());
  const modules = {
    crypto: {
      ...nodeCrypto,
      randomUUID,
      randomBytes: (length) => fill(Buffer.alloc(length)),
      randomFillSync: fill,
    },
    async_hooks: { AsyncLocalStorage: SimulatedContext, AsyncResource: SimulatedResource },
  };
  const require = (name) => modules[name.replace(/^node:/, '')] ?? nodeRequire(name);
  return { crypto: { getRandomValues: fill, randomUUID, subtle: { digest } }, require };
}

/** `Date` with another current time. Its instances are ordinary dates. */
function dateOf(now) {
  function SimulatedDate(...args) {
    if (new.target === undefined) return new Date(now()).toString();
    return args.length === 0 ? new Date(now()) : new Date(...args);
  }
  SimulatedDate.prototype = Date.prototype;
  return Object.assign(SimulatedDate, { now, parse: Date.parse, UTC: Date.UTC });
}
