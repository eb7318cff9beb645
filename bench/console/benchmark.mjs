/** The operator console at 10 million events: how long searches take, and what operators who look cost the commands. */
import { fileURLToPath } from 'node:url';
import { postgres } from '@svc/postgres';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { actionsPerOrder, fillPostgres, rowsPerAction } from '../audit-query/fill.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atMost, table } from '../lib/report.mjs';
import { figure, interleave, ratio } from '../lib/rounds.mjs';
import { look, searches } from './measure.mjs';

const million = 1_000_000;
const operators = 10;
const startMs = Date.UTC(2025, 0, 1);

const search = { name: 'search', about: 'GET /console/api/audit, over HTTP' };
const alone = { name: 'alone', about: 'the console is not used' };
const watched = {
  name: 'watched',
  about: `${operators} operators look at the overview, five of them also at the audit`,
};

/** @type {readonly [import('../lib/report.mjs').Metric, ...import('../lib/report.mjs').Metric[]]} */
const searchMetrics = [
  { name: 'user', label: 'one user in 30 days, p95 ms', digits: 1 },
  { name: 'correlation', label: 'one correlation, p95 ms', digits: 1 },
  { name: 'explorer', label: 'session and first page, p95 ms', digits: 1 },
];
/** @type {readonly [import('../lib/report.mjs').Metric, ...import('../lib/report.mjs').Metric[]]} */
const commandMetrics = [
  { name: 'p99', label: 'p99 ms', digits: 2 },
  { name: 'p50', label: 'p50 ms', digits: 2 },
];

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'the operator console at 10 million events, and what ten operators cost the commands',
  limitMs: 60 * 60_000,
  async run({ quick, progress }) {
    const plan = quick
      ? { millions: 0.1, rounds: 2, queries: 50, seconds: 5, perSecond: 100 }
      : { millions: 10, rounds: 10, queries: 500, seconds: 20, perSecond: 100 };
    const cluster = await createCluster({ max_wal_size: '4GB', shared_buffers: '1GB' });
    /** @type {import('../lib/processes.mjs').ChildProcess | null} */
    let host = null;
    try {
      const database = await createDatabase(cluster, 'console');
      progress(`filling PostgreSQL with ${plan.millions} million events`);
      const actions = await filled(database, plan.millions * million);
      const script = fileURLToPath(new URL('host.mjs', import.meta.url));
      host = start([process.execPath, script, database], { ipc: true });
      const { url } = await message(host, 'listening', 60_000);
      const log = { url, actions, startMs };
      progress('warming up');
      await searches(log, plan.queries);
      await placed(host, plan);
      const found = await interleave([search.name], plan.rounds, () => searches(log, plan.queries), progress);
      const running = host;
      const measure = async (/** @type {string} */ name) => {
        const stopLooking = look(url, name === watched.name ? operators : 0);
        const figures = await placed(running, plan);
        await stopLooking();
        return figures;
      };
      const commands = await interleave([alone.name, watched.name], plan.rounds, measure, progress);
      return {
        tables: [
          table(`Searches in ${plan.millions} million events`, [search], found, searchMetrics, []),
          table(`${plan.perSecond} commands per second`, [alone, watched], commands, commandMetrics, [alone.name]),
        ],
        targets: [
          atMost('one user in a time range, p95 ms', figure(found, search.name, 'user'), 300),
          atMost('one correlation, p95 ms', figure(found, search.name, 'correlation'), 50),
          atMost('session and first page of the explorer, p95 ms', figure(found, search.name, 'explorer'), 500),
          atMost(
            'p99 of commands while ten operators look, × alone',
            ratio(commands, watched.name, alone.name, 'p99'),
            1.1,
          ),
        ],
        notes: [
          'the log is that of `audit-query`: a third of the events are changes of orders, by 10,000 users of 100 tenants; the others are audit records',
          `one host on PostgreSQL; searches one after the other, ${plan.queries} of each kind in each of ${plan.rounds} rounds, after a round to warm up`,
          `commands are orders of examples/orders with full audit, ${plan.seconds} s in each round; their time begins when they are due`,
          'operators ask as the page does: the overview every 5 s, its history every 10 s',
        ],
      };
    } finally {
      if (host !== null) await stop(host);
      await cluster.remove();
    }
  },
};

/** Fills the log, and returns the number of actions. @param {string} url @param {number} events */
async function filled(url, events) {
  const actions = Math.floor(events / rowsPerAction / actionsPerOrder) * actionsPerOrder;
  const empty = postgres({ url });
  await empty.open();
  await empty.close();
  await fillPostgres(url, { actions, startMs });
  return actions;
}

/** @param {import('../lib/processes.mjs').ChildProcess} host @param {{ seconds: number, perSecond: number }} load @returns {Promise<import('../lib/rounds.mjs').Figures>} */
async function placed(host, { seconds, perSecond }) {
  host.send({ seconds, perSecond });
  const { p50, p99 } = await message(host, 'placed', 60_000 + seconds * 10_000);
  return { p50, p99 };
}
