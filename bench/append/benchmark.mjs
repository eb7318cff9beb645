/** Appending orders to PostgreSQL and SQLite: svc compared with the same rows written by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, speed, table } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';

/** @typedef {import('../../tools/postgres/cluster.mjs').Cluster} Cluster */
/** @typedef {{ warmUpMs: number, measureMs: number }} Plan */

const onPostgres = [
  { name: 'pg-insert-1', about: '`pg`, one INSERT after another' },
  { name: 'pg-transaction-1', about: '`pg`, BEGIN, position, INSERT, COMMIT, one after another' },
  { name: 'svc-pg-1', about: 'svc, one record after another' },
  { name: 'pg-insert-32', about: '`pg`, single INSERTs over 32 connections' },
  { name: 'pg-batch-100', about: '`pg`, batches of 100 in one INSERT, 2 connections' },
  { name: 'pg-batch-1000', about: '`pg`, batches of 1,000 in one INSERT, 2 connections' },
  { name: 'pg-copy-1000', about: 'COPY, 1,000 a batch, 2 connections' },
  { name: 'emmett-1', about: 'Emmett 0.42, one append after another' },
  { name: 'emmett-32', about: 'Emmett 0.42, 32 appends in flight' },
  { name: 'pg-group-256', about: 'group commit by hand, 256 in flight, 2 connections' },
  { name: 'svc-pg-32', about: 'svc, 32 in flight' },
  { name: 'svc-pg-256', about: 'svc, 256 in flight' },
  { name: 'svc-pg-roles-1', about: 'svc as the runtime role of two, one record after another' },
  { name: 'svc-pg-roles-256', about: 'svc as the runtime role of two, 256 in flight' },
  { name: 'svc-pg-tenants-256', about: 'svc, 256 in flight, by callers of 100 tenants' },
  { name: 'svc-pg-personal-256', about: 'svc, 256 in flight, the address is personal data of one of 64 customers' },
  { name: 'svc-pg-personal-newcomers-256', about: 'the same, each of a new customer' },
  { name: 'svc-pg-audit-256', about: 'svc, 256 in flight, each event audited, until all are in the system stream' },
  { name: 'svc-pg-roles-audit-256', about: 'the same as the runtime role of two' },
];
const onSqlite = [
  { name: 'sqlite-256', about: 'INSERTs by hand, 256 a transaction' },
  { name: 'svc-sqlite-256', about: 'svc, 256 in flight' },
  { name: 'svc-sqlite-tenants-256', about: 'svc, 256 in flight, by callers of 100 tenants' },
  { name: 'svc-sqlite-personal-256', about: 'svc, 256 in flight, the address is personal data of one of 64 customers' },
  { name: 'svc-sqlite-audit-256', about: 'svc, 256 in flight, each event audited, until all are in the system stream' },
];

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'events/s', digits: 0, higherIsBetter: true };
/** What callers see, without the work that follows in the background. */
const answered = { name: 'answered', label: 'answered/s', digits: 0 };
const p50 = { name: 'p50', label: 'p50 ms', digits: 2 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 2 };

const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'appending events to PostgreSQL and SQLite, with and without audit',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 2, warmUpMs: 300, measureMs: 600 }
      : { rounds: 7, warmUpMs: 2_000, measureMs: 2_500 };
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      const names = [...onPostgres, ...onSqlite].map(({ name }) => name);
      const rounds = await interleave(
        names,
        plan.rounds,
        (name, round) => measure(name, `${name}-${round}`, plan, cluster, folder),
        progress,
      );
      return {
        tables: [
          table(
            'PostgreSQL',
            onPostgres,
            rounds,
            [rate, answered, p50, p99],
            ['pg-group-256', 'pg-insert-32', 'pg-transaction-1', 'emmett-32'],
          ),
          table('SQLite', onSqlite, rounds, [rate, answered, p50, p99], ['sqlite-256']),
        ],
        targets: [
          atLeast(
            'svc on PostgreSQL, 256 in flight × group commit by hand',
            speed(rounds, 'svc-pg-256', 'pg-group-256', rate),
            0.8,
          ),
          atLeast(
            'svc on PostgreSQL, 256 in flight × single inserts',
            speed(rounds, 'svc-pg-256', 'pg-insert-32', rate),
            3,
          ),
          atLeast('svc on PostgreSQL, 256 in flight × Emmett, 1', speed(rounds, 'svc-pg-256', 'emmett-1', rate), 15),
          atLeast('svc on PostgreSQL, 256 in flight × Emmett, 32', speed(rounds, 'svc-pg-256', 'emmett-32', rate), 15),
          atLeast('svc on PostgreSQL, audit × no audit', speed(rounds, 'svc-pg-audit-256', 'svc-pg-256', rate), 0.5),
          atLeast(
            'svc as the runtime role × as the only one',
            speed(rounds, 'svc-pg-roles-256', 'svc-pg-256', rate),
            0.95,
          ),
          atLeast('the same, one by one', speed(rounds, 'svc-pg-roles-1', 'svc-pg-1', rate), 0.95),
          atLeast('the same, audit', speed(rounds, 'svc-pg-roles-audit-256', 'svc-pg-audit-256', rate), 0.95),
          atLeast(
            'svc on PostgreSQL, one personal value × none',
            speed(rounds, 'svc-pg-personal-256', 'svc-pg-256', rate),
            0.7,
          ),
          atLeast('the same on SQLite', speed(rounds, 'svc-sqlite-personal-256', 'svc-sqlite-256', rate), 0.7),
          atLeast('svc on PostgreSQL, one by one × INSERT', speed(rounds, 'svc-pg-1', 'pg-insert-1', rate), 1 / 1.3),
          atLeast(
            'svc on SQLite, 256 in flight × INSERTs by hand',
            speed(rounds, 'svc-sqlite-256', 'sqlite-256', rate),
            0.7,
          ),
        ],
        notes: [
          'one event of 360 bytes per stream; every subject except Emmett, which has its own tables, writes the same rows to the same tables, and the rows are counted',
          `a private PostgreSQL with fsync on, which shares the processors with the subject; SQLite in WAL with synchronous=FULL; a new database and a new process each round, ${plan.rounds} rounds, ${plan.warmUpMs / 1000} s of warm-up and ${plan.measureMs / 1000} s measured in each`,
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
 * @param {Plan} plan
 * @param {Cluster} cluster
 * @param {string} folder
 */
async function measure(name, unique, plan, cluster, folder) {
  const isSqlite = name.includes('sqlite');
  const target = isSqlite ? join(folder, `${unique}.db`) : await createDatabase(cluster, unique.replaceAll('-', '_'));
  const child = start([process.execPath, measureScript, name, target], { ipc: true });
  try {
    child.send(plan);
    return await message(child, 'measured', plan.warmUpMs + plan.measureMs + 60_000);
  } finally {
    await stop(child);
  }
}
