/** Runs one kind of torture in rounds, each on empty databases, and adds up what they found. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from './random.mjs';
import { runs } from './runs/index.mjs';
import { Servers } from './servers.mjs';
import { versionOf } from './versions.mjs';

/**
 * Runs until `count` is reached, `minutes` have passed, or an invariant is violated. A round that has begun is completed with its checks.
 * `storage`: `postgres` or `sqlite`; null: those that the run uses by default. `servers`: of the caller, who removes them.
 * `signal` ends it early, like `minutes`.
 */
export async function torture(kind, options) {
  const { count, seed, minutes, hosts, storage = null, failuresTo = null, onProgress = () => {} } = options;
  const { run, round, unit, storages: usual, hasHosts = false, isAlternating = false } = runs[kind];
  const from = kind === 'upgrade' ? versionOf(options.from ?? null) : null;
  const servers = options.servers ?? new Servers();
  const started = performance.now();
  const isOver = () => performance.now() - started > minutes * 60_000 || (options.signal?.aborted ?? false);
  const storages = storage === null ? usual : [storage];
  const total = {
    run: kind,
    unit,
    storages,
    hosts: hasHosts ? hosts : null,
    from,
    seed,
    count,
    done: 0,
    rounds: 0,
    counts: {},
    invariants: [],
  };
  const ofRound = () => (isAlternating ? [storages[total.rounds % storages.length]] : storages);
  const used = new Set();
  try {
    while (total.done < count && !isOver() && isSound(total)) {
      for (const each of ofRound()) used.add(each);
      const part = await run({
        ...options,
        from,
        count: Math.min(round, count - total.done, isAlternating ? Math.ceil(count / storages.length) : count),
        random: seeded(seed + total.rounds),
        storages: ofRound(),
        servers,
        isOver,
        onProgress: (done) => onProgress(total.done + done, total.rounds),
      });
      add(total, part);
      if (!isSound(total) && failuresTo !== null) writeFailure(failuresTo, total, part);
      if (part.done === 0) break;
      await servers.removeDatabases();
    }
  } finally {
    if (options.servers === undefined) await servers.remove();
  }
  const isOneStorage = storage !== null || (isAlternating && used.size === 1);
  return { ...total, storages: [...used], isOneStorage, seconds: Math.round((performance.now() - started) / 100) / 10 };
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
