/** The child processes of a benchmark. They end with this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => process.exit(code));
}

/**
 * Starts a program; its standard error is shown when it fails. With `ipc` a Node child can send messages, and exits if this process
 * disappears.
 *
 * @param {readonly string[]} command
 * @param {{ ipc?: boolean }} [options]
 * @returns {ChildProcess}
 */
export function start([program, ...args], { ipc = false } = {}) {
  const child = spawn(program ?? '', args, { stdio: ['ignore', 'pipe', 'pipe', ipc ? 'ipc' : 'ignore'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.stdout?.resume();
  collectErrors(child);
  return child;
}

/** Stops a child by its id and waits until it has exited. @param {ChildProcess} child */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await gone;
  clearTimeout(forced);
}

/**
 * Runs a program to its end and returns the milliseconds it took; any exit code but 0 is an error.
 *
 * @param {readonly string[]} command
 * @param {number} limitMs
 */
export async function timeToEnd(command, limitMs) {
  const started = performance.now();
  const child = start(command);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  if (code !== 0) throw failure(child, `ended with ${code ?? `a signal, after at most ${limitMs} ms`}`);
  return performance.now() - started;
}

/**
 * Waits for a child's next message of a kind.
 *
 * @param {ChildProcess} child
 * @param {string} kind
 * @param {number} limitMs
 * @returns {Promise<any>}
 */
export function message(child, kind, limitMs) {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => finish(() => reject(failure(child, `sent no "${kind}" in ${limitMs} ms`))), limitMs);
    /** @param {any} received */
    const onMessage = (received) => {
      if (received.kind === kind) finish(() => resolve(received));
    };
    const onExit = () => finish(() => reject(failure(child, `ended before it sent "${kind}"`)));
    /** @param {() => void} act */
    const finish = (act) => {
      clearTimeout(limit);
      child.off('message', onMessage).off('close', onExit);
      act();
    };
    child.on('message', onMessage).on('close', onExit);
  });
}

const longestErrors = 4_000;
/** @type {WeakMap<ChildProcess, string>} */
const errors = new WeakMap();

/** @param {ChildProcess} child */
function collectErrors(child) {
  errors.set(child, '');
  child.on('error', (error) => errors.set(child, error.message));
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errors.set(child, `${errors.get(child)}${text}`.slice(-longestErrors));
  });
}

/**
 * @param {ChildProcess} child
 * @param {string} what
 */
export function failure(child, what) {
  return new Error(`${child.spawnargs.join(' ')} ${what}.\n${errors.get(child)}`.trimEnd());
}
