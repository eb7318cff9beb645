/** Who did what in a long log: audit queries at 10 million events on PostgreSQL and 1 million on SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atMost, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';

/** @typedef {import('../lib/processes.mjs').ChildProcess} ChildProcess */
/** @typedef {import('../lib/report.mjs').Metric} Metric */

/** @type {readonly [Metric, ...Metric[]]} */
const metrics = [
  { name: 'resource', label: 'one resource, p95 ms', digits: 2 },
  { name: 'user', label: 'one user in 30 days, p95 ms', digits: 2 },
  { name: 'correlation', label: 'resource and trace, p95 ms', digits: 2 },
  { name: 'newest', label: 'any before a time, p95 ms', digits: 2 },
];
const million = 1_000_000;
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'audit queries by resource, user and time at 10 million events on PostgreSQL and 1 million on SQLite',
  limitMs: 60 * 60_000,
  async run({ quick, progress }) {
    const plan = quick
      ? { sizes: { PostgreSQL: 0.1, SQLite: 0.1 }, rounds: 2, queries: 100 }
      : { sizes: { PostgreSQL: 10, SQLite: 1 }, rounds: 5, queries: 1_000 };
    const cluster = await createCluster({ max_wal_size: '4GB', shared_buffers: '1GB', autovacuum: 'off' });
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-audit-'));
    /** @type {Map<string, ChildProcess>} */
    const children = new Map();
    try {
      const subjects = Object.entries(plan.sizes).map(([name, millions]) => ({
        name,
        about: `${name}, ${millions} million events`,
        millions,
      }));
      for (const { name, about, millions } of subjects) {
        progress(`filling ${about}`);
        const target = name === 'SQLite' ? join(folder, 'audit.db') : await createDatabase(cluster, 'audit');
        const child = start([process.execPath, measureScript, target], { ipc: true });
        children.set(name, child);
        child.send({ events: millions * million });
        await message(child, 'filled', 60 * 60_000);
      }
      /** @param {string} name @returns {Promise<import('../lib/rounds.mjs').Figures>} */
      const measured = async (name) => {
        const child = /** @type {ChildProcess} */ (children.get(name));
        child.send({ queries: plan.queries });
        return await message(child, 'measured', 10 * 60_000);
      };
      const names = subjects.map(({ name }) => name);
      progress('warming up');
      for (const name of names) await measured(name);
      const rounds = await interleave(names, plan.rounds, measured, progress);
      return {
        tables: [table('Audit queries', subjects, rounds, metrics, [])],
        targets: subjects.flatMap(({ name, about }) => [
          atMost(`${about}: one resource, p95 ms`, figure(rounds, name, 'resource'), 10),
          atMost(`${about}: one user in a time range, p95 ms`, figure(rounds, name, 'user'), 50),
        ]),
        notes: [
          'a third of the events are changes of orders, 10 of each order, by 10,000 users of 100 tenants; the others are audit records; the log is written by SQL',
          `random orders, users and times of the whole log, one query after the other, ${plan.queries} in each of ${plan.rounds} rounds, after a round to warm up`,
        ],
      };
    } finally {
      for (const child of children.values()) await stop(child);
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
