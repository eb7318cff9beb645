/** Live queries: how long a change takes until clients have it, and what a connection costs. */
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { atMost, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';
import { clientProcesses, measured, perSecond } from './measure.mjs';

const one = {
  name: 'one list',
  about: 'all connections watch the same list of 100 models, so every change goes to all',
};
const models = { name: 'models', about: 'each connection watches one of 100 models, so a change goes to a hundredth' };
/** @type {[import('../lib/report.mjs').Metric, ...import('../lib/report.mjs').Metric[]]} */
const metrics = [
  { name: 'p99', label: 'p99 ms', digits: 0 },
  { name: 'p50', label: 'p50 ms', digits: 0 },
  { name: 'each', label: 'kB per connection', digits: 1 },
  { name: 'shared', label: 'MB for all', digits: 0 },
  { name: 'sent', label: 'received/s', digits: 0 },
];

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'from appending an event until the clients of live queries have its model',
  async run({ quick, large, progress }) {
    const connections = quick ? 100 : large ? 10_000 : 1_000;
    const plan = { rounds: quick ? 1 : 3, seconds: quick ? 3 : 10, connections };
    const cluster = await createCluster();
    try {
      const measure = async (/** @type {string} */ name, /** @type {number} */ round) => {
        const url = await createDatabase(cluster, `live_${name.replace(' ', '_')}_${round}`);
        return await measured(url, name === one.name, plan);
      };
      const rounds = await interleave([one.name, models.name], plan.rounds, measure, progress);
      const bound = large ? 250 : 100;
      return {
        tables: [
          table(`${connections} connections, ${perSecond} changes per second`, [one, models], rounds, metrics, []),
        ],
        targets: [
          atMost('p99 until clients have a change, all in one list, ms', figure(rounds, one.name, 'p99'), bound),
          atMost('p99 until clients have a change, one model each, ms', figure(rounds, models.name, 'p99'), bound),
          atMost('kB of the host for each idle connection', figure(rounds, one.name, 'each'), 20),
        ],
        notes: [
          `${connections} connections of ${clientProcesses(connections)} processes to one host on PostgreSQL, which also appends the events, ${plan.seconds} s, ${plan.rounds} rounds; --large: 10,000 connections`,
          'the time begins before the event is appended, so that its commit is part of the time; one in twenty connections is measured',
          'the memory is the resident memory of the host with idle connections, after collecting garbage: for each connection, that of the second half of them; for all, what the first half needed in addition, such as the space that V8 reserves for new objects',
        ],
      };
    } finally {
      await cluster.remove();
    }
  },
};
