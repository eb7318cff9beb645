/** From an HTTP request to a committed event, with and without audit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { connectionCount, measureServer } from '../lib/measure-server.mjs';
import { makeOrders } from '../lib/orders.mjs';
import { atLeast, atMost, speed, table } from '../lib/report.mjs';
import { figure, interleave, ratio } from '../lib/rounds.mjs';

/** @typedef {import('../../tools/postgres/cluster.mjs').Cluster} Cluster */

const subjects = [
  { name: 'by-hand', about: 'Fastify 5 + JSON schemas + `pg`: an order and a row of audit in one transaction' },
  { name: 'memory', about: 'in memory, no audit' },
  { name: 'memory-audit', about: 'in memory, events and commands audited' },
  { name: 'sqlite', about: 'SQLite, no audit' },
  { name: 'sqlite-audit', about: 'SQLite, events and commands audited' },
  { name: 'postgres', about: 'PostgreSQL, no audit' },
  { name: 'postgres-audit', about: 'PostgreSQL, events and commands audited' },
];

/** @type {import('../lib/measure-server.mjs').Task} */
const task = {
  path: '/orders',
  bodies: makeOrders(connectionCount).map((order) => JSON.stringify(order)),
  idOf: (answer) => answer.orderId,
};

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'requests/s', digits: 0, higherIsBetter: true };
const p50 = { name: 'p50', label: 'p50 ms', digits: 2 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 2 };
const cpu = { name: 'cpu', label: 'server CPU µs/request', digits: 0 };

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about:
    'POST of one order until it is durable: SQLite and PostgreSQL with and without audit, and Fastify with pg by hand',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 2, warmUpMs: 800, measureMs: 1_200 }
      : { rounds: 5, warmUpMs: 2_000, measureMs: 5_000 };
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      const names = subjects.map(({ name }) => name);
      const rounds = await interleave(
        names,
        plan.rounds,
        async (name, round) => {
          const subject = await subjectOf(name, `${name}-${round}`, cluster, folder);
          return measureServer(subject, task, plan, null);
        },
        progress,
      );
      const clientCpu = Math.max(...names.map((name) => figure(rounds, name, 'clientCpu').high));
      return {
        tables: [
          table('POST of one order', subjects, rounds, [rate, p50, p99, cpu], ['by-hand', 'sqlite', 'postgres']),
        ],
        targets: ['postgres-audit', 'sqlite-audit'].flatMap((name) => [
          atLeast(`${name}, requests/s × by hand`, speed(rounds, name, 'by-hand', rate), 2.0),
          atMost(`${name}, p99 × by hand`, ratio(rounds, name, 'by-hand', 'p99'), 1.0),
        ]),
        notes: [
          'an answer means that the event, and with audit the messages of its audit records, are durable: SQLite in WAL with synchronous=FULL, a private PostgreSQL with fsync on',
          'svc appends the audit records to the system stream in the background, while requests continue',
          `${connectionCount} keep-alive connections on loopback; a new server process and a new database each round, ${plan.rounds} rounds, ${plan.warmUpMs / 1000} s of warm-up and ${plan.measureMs / 1000} s measured in each`,
          `server, load and PostgreSQL share the processors; the load used at most ${Math.round(clientCpu * 100)} % of one; every answer was 200`,
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
 * @param {Cluster} cluster
 * @param {string} folder
 */
async function subjectOf(name, unique, cluster, folder) {
  if (name === 'by-hand') {
    const byHand = new URL('by-hand.mjs', import.meta.url);
    byHand.searchParams.set('target', await createDatabase(cluster, unique.replaceAll('-', '_')));
    return byHand;
  }
  const [storage = '', audit] = name.split('-');
  const subject = new URL('service.mjs', import.meta.url);
  subject.searchParams.set('storage', storage);
  if (storage === 'sqlite') subject.searchParams.set('target', join(folder, `${unique}.db`));
  if (storage === 'postgres') {
    subject.searchParams.set('target', await createDatabase(cluster, unique.replaceAll('-', '_')));
  }
  if (audit !== undefined) subject.searchParams.set('audit', 'all');
  return subject;
}
