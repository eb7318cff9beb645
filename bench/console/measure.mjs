/** What operators do: they search, and they look at pages that refresh. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { correlationId, timeOf, users } from '../audit-query/fill.mjs';

const dayMs = 24 * 3_600_000;
/** How often the page of the overview asks again. */
const overviewMs = 5_000;
const historyMs = 10_000;

/** @typedef {{ url: string, actions: number, startMs: number }} Log */

/** An answer of the API. @param {string} url @param {string} path @returns {Promise<any>} */
async function get(url, path) {
  const response = await fetch(`${url}/console/api${path}`);
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return await response.json();
}

/** Searches, one after the other. @param {Log} log @param {number} queries */
export async function searches({ url, actions, startMs }, queries) {
  const random = (/** @type {number} */ below) => Math.floor(Math.random() * below);
  return {
    user: await p95(queries, async () => {
      const end = timeOf(random(actions), startMs);
      const [from, to] = [new Date(end - 30 * dayMs).toISOString(), new Date(end).toISOString()];
      const { entries } = await get(url, `/audit?user=user-${random(users)}&from=${from}&to=${to}&limit=100`);
      if (entries.some((/** @type {{ at: string }} */ { at }) => at >= to)) throw new Error('An entry is too late.');
    }),
    correlation: await p95(queries, async () => {
      const { entries } = await get(url, `/audit?correlation=${correlationId(random(actions), startMs)}`);
      // The event and the command of the action.
      if (entries.length !== 2) throw new Error(`${entries.length} entries of a request.`);
    }),
    explorer: await p95(queries, async () => {
      await get(url, '/session');
      const { entries } = await get(url, '/audit?limit=100');
      if (entries.length !== 100) throw new Error(`${entries.length} entries on the first page.`);
    }),
  };
}

/**
 * Lets operators look until they are stopped: all of them at the overview, and every second one at the audit explorer, which they open again each time.
 *
 * @param {string} url
 * @param {number} operators
 */
export function look(url, operators) {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each page that is open waits with one.
  setMaxListeners(0, signal);
  /** @param {string} path @param {number} everyMs @param {number} startMs */
  const repeat = async (path, everyMs, startMs) => {
    await sleep(startMs, undefined, { signal });
    for (;;) {
      await get(url, path);
      await sleep(everyMs, undefined, { signal });
    }
  };
  const looking = Array.from({ length: operators }, (_, n) => {
    const startMs = (n * overviewMs) / operators;
    const pages = [repeat('/overview', overviewMs, startMs), repeat('/overview/history', historyMs, startMs)];
    return n % 2 === 0 ? pages : [...pages, repeat('/audit?limit=100', overviewMs, startMs)];
  }).flat();
  const ended = Promise.allSettled(looking);
  return async () => {
    stopping.abort();
    const rejected = (await ended).filter((outcome) => outcome.status === 'rejected');
    const failed = rejected.find((outcome) => !isAbort(outcome));
    if (failed !== undefined) throw failed.reason;
  };
}

/** @param {{ reason?: unknown }} rejected */
function isAbort({ reason }) {
  return reason instanceof Error && reason.name === 'AbortError';
}

/** The 95th percentile of the time of a query, in milliseconds. @param {number} queries @param {() => Promise<void>} query */
async function p95(queries, query) {
  const times = new Float64Array(queries);
  for (let i = 0; i < queries; i++) {
    const started = performance.now();
    await query();
    times[i] = performance.now() - started;
  }
  return times.toSorted()[Math.floor(queries * 0.95)] ?? NaN;
}
