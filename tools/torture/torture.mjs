/** Runs one kind of torture in rounds, each on empty databases, and adds up what they found. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from './random.mjs';
import { broker } from './runs/broker.mjs';
import { crashes } from './runs/crashes.mjs';
import { kills } from './runs/kills.mjs';
import { Servers } from './servers.mjs';

/**
 * `unit` is what `--count` counts, and `short` its default. `round` limits how much of it happens on one database, so that the checks, which read
 * the whole log, take bounded time and memory. `hasHosts`: `--hosts` says how many hosts the service on PostgreSQL has.
 */
export const runs = {
  kills: {
    run: kills,
    what: 'hosts are killed at random moments',
    unit: 'kills of hosts',
    short: 20,
    round: 400,
    storages: ['postgres', 'sqlite'],
    hasHosts: true,
  },
  crashes: {
    run: crashes,
    what: 'PostgreSQL is killed and started again',
    unit: 'crashes of PostgreSQL',
    short: 10,
    round: 100,
    storages: ['postgres'],
    hasHosts: true,
  },
  broker: {
    run: broker,
    what: 'RabbitMQ restarts, connections are cut, confirmations are lost',
    unit: 'messages',
    short: 3_000,
    round: 60_000,
    storages: ['postgres', 'sqlite'],
  },
};

/**
 * Runs until `count` is reached, `minutes` have passed, or an invariant is violated. A round that has begun is completed with its checks.
 * `storage`: `postgres` or `sqlite`; null: those that the run uses by default. `servers`: of the caller, who removes them.
 * `signal` ends it early, like `minutes`.
 */
export async function torture(kind, options) {
  const {
    count,
    seed,
    minutes,
    hosts,
    storage = null,
    from = null,
    failuresTo = null,
    onProgress = () => {},
  } = options;
  const servers = options.servers ?? new Servers();
  const { run, round, unit, storages: usual, hasHosts = false } = runs[kind];
  const started = performance.now();
  const isOver = () => performance.now() - started > minutes * 60_000 || (options.signal?.aborted ?? false);
  const storages = storage === null ? usual : [storage];
  const total = {
    run: kind,
    unit,
    storages,
    isOneStorage: storage !== null,
    hosts: hasHosts ? hosts : null,
    from,
    seed,
    count,
    done: 0,
    rounds: 0,
    counts: {},
    invariants: [],
  };
  try {
    while (total.done < count && !isOver() && isSound(total)) {
      const part = await run({
        ...options,
        count: Math.min(round, count - total.done),
        random: seeded(seed + total.rounds),
        storages,
        servers,
        isOver,
        onProgress: (done) => onProgress(total.done + done, total.rounds),
      });
      add(total, part);
      if (!isSound(total) && failuresTo !== null) writeFailure(failuresTo, total, part);
      if (part.done === 0) break;
    }
  } finally {
    if (options.servers === undefined) await servers.remove();
  }
  return { ...total, seconds: Math.round((performance.now() - started) / 100) / 10 };
}

/** Whether no invariant is violated. */
export function isSound({ invariants }) {
  return invariants.every(({ violations }) => violations.length === 0);
}

function add(total, { done, counts, invariants }) {
  total.done += done;
  total.rounds++;
  for (const [name, count] of Object.entries(counts)) total.counts[name] = (total.counts[name] ?? 0) + count;
  for (const { name, checked, violations } of invariants) {
    const known = total.invariants.find((each) => each.name === name);
    if (known === undefined) total.invariants.push({ name, checked, violations: [...violations] });
    else {
      known.checked += checked;
      known.violations.push(...violations);
    }
  }
}

/** Everything that the databases of the round have, since they are removed. */
function writeFailure(folder, { run, seed, rounds }, { invariants, histories = [] }) {
  mkdirSync(folder, { recursive: true });
  const violated = invariants.filter(({ violations }) => violations.length > 0);
  writeFileSync(join(folder, `${run}-${seed}-${rounds}.json`), JSON.stringify({ violated, histories }, null, 1));
}
