/** Appending orders with and without seals, and verifying the log afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, atMost, speed, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';

/** @typedef {import('../../tools/postgres/cluster.mjs').Cluster} Cluster */
/** @typedef {{ warmUpMs: number, measureMs: number }} Plan */

const subjects = [
  { name: 'svc-pg-256', about: 'svc on PostgreSQL, 256 in flight' },
  { name: 'svc-pg-seal-256', about: 'the same, sealed' },
  { name: 'svc-sqlite-256', about: 'svc on SQLite, 256 in flight' },
  { name: 'svc-sqlite-seal-256', about: 'the same, sealed' },
];

const sealed = subjects.filter(({ name }) => name.includes('seal'));

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'events/s', digits: 0, higherIsBetter: true };
const cpu = { name: 'cpuUs', label: 'CPU µs/event', digits: 1 };
const unsealed = { name: 'unsealed', label: 'unsealed events', digits: 0 };
const age = { name: 'ageMs', label: 'unsealed ms', digits: 0 };
const p50 = { name: 'p50', label: 'p50 ms', digits: 2 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 2 };

const verifiers = [
  { name: 'verify-pg', about: 'svc audit verify on PostgreSQL' },
  { name: 'verify-sqlite', about: 'svc audit verify on SQLite' },
  { name: 'verify-export', about: 'svc audit verify of an export' },
];

const appendScript = fileURLToPath(new URL('append.mjs', import.meta.url));
const verifyScript = fileURLToPath(new URL('verify.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'appending events with and without seals, and verifying them',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 2, warmUpMs: 300, measureMs: 1_500, events: 50_000 }
      : { rounds: 7, warmUpMs: 4_000, measureMs: 5_000, events: 1_000_000 };
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      const measured = async (/** @type {string} */ name, /** @type {number} */ round) =>
        await measure(name, `${name}-${round}`, plan, cluster, folder);
      const appends = await interleave(
        subjects.map(({ name }) => name),
        plan.rounds,
        measured,
        progress,
      );
      const verifications = await interleave(
        verifiers.map(({ name }) => name),
        quick ? 1 : 3,
        measured,
        progress,
      );
      return {
        tables: [
          table('appending', subjects, appends, [rate, p50, p99, cpu], ['svc-pg-256', 'svc-sqlite-256']),
          table('the most that was not sealed', sealed, appends, [unsealed, age], []),
          table('verifying', verifiers, verifications, [rate, cpu], ['verify-sqlite']),
        ],
        targets: [
          atLeast('PostgreSQL, sealed × not sealed', speed(appends, 'svc-pg-seal-256', 'svc-pg-256', rate), 0.95),
          atLeast('SQLite, sealed × not sealed', speed(appends, 'svc-sqlite-seal-256', 'svc-sqlite-256', rate), 0.95),
          ...sealed.flatMap(({ name }) => [
            atMost(`${name}, unsealed events`, figure(appends, name, unsealed.name), 10_000),
            atMost(`${name}, unsealed ms`, figure(appends, name, age.name), 1_000),
          ]),
          ...verifiers.map(({ name }) => atLeast(`${name}, events/s`, figure(verifications, name, rate.name), 100_000)),
        ],
        notes: [
          `one event of 360 bytes per stream, as in bench append; ${plan.rounds} rounds of ${plan.measureMs / 1000} s; the database shares the processors with the subject`,
          `verifying: ${plan.events} sealed events, in one process, without anchors`,
        ],
      };
    } finally {
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * @param {string} name
 * @param {string} unique
 * @param {Plan & { events: number }} plan
 * @param {Cluster} cluster
 * @param {string} folder
 */
async function measure(name, unique, plan, cluster, folder) {
  const isPostgres = name.includes('pg');
  const target = isPostgres
    ? await createDatabase(cluster, unique.replaceAll('-', '_'))
    : join(folder, `${unique}${name.includes('export') ? '' : '.db'}`);
  const script = name.startsWith('verify') ? verifyScript : appendScript;
  const child = start([process.execPath, script, name, target], { ipc: true });
  try {
    child.send(plan);
    return await message(child, 'measured', plan.warmUpMs + plan.measureMs + 300_000);
  } finally {
    await stop(child);
  }
}
