/** Reactions on PostgreSQL: how soon they start, how many events they process, and whether the number of streams matters. */
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, atMost, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';

const subject = { name: 'svc', about: 'a reaction that appends one event to the stream of its event' };
const peers = [
  { name: 'emmett', about: 'Emmett: a consumer with a reactor' },
  { name: 'act', about: '@rotorsoft/act: a reaction with one target stream' },
];
/** @type {import('../lib/report.mjs').Metric} */
const p50 = { name: 'p50', label: 'p50 ms', digits: 1 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 1 };
const appends = { name: 'appends', label: 'appends/s', digits: 0, higherIsBetter: true };
const reacts = { name: 'reacts', label: 'reactions/s', digits: 0, higherIsBetter: true };
const share = { name: 'share', label: 'x append', digits: 2, higherIsBetter: true };
const starts = { name: 'starts', label: 'ms to start', digits: 1 };
const few = { name: 'few', label: 'few streams, ms', digits: 2 };
const many = { name: 'many', label: 'many streams, ms', digits: 2 };
const growth = { name: 'growth', label: 'x few streams', digits: 2 };
const scriptOf = (/** @type {string} */ name) =>
  fileURLToPath(new URL(name === subject.name ? 'measure.mjs' : 'peers.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'reactions: from commit to start at half load, throughput, and the cost of many streams',
  async run({ quick, progress }) {
    const plan = quick
      ? {
          rounds: 1,
          limitMs: 1_000,
          measureMs: 3_000,
          backlog: 5_000,
          few: 1_000,
          many: 20_000,
          samples: 100,
          peerBacklog: 500,
          peerSamples: 20,
        }
      : {
          rounds: 3,
          limitMs: 3_000,
          measureMs: 15_000,
          backlog: 50_000,
          few: 10_000,
          many: 1_000_000,
          samples: 500,
          peerBacklog: 5_000,
          peerSamples: 50,
        };
    const cluster = await createCluster();
    try {
      const rounds = await interleave(
        [subject, ...peers].map(({ name }) => name),
        plan.rounds,
        async (name, round) => {
          const url = await createDatabase(cluster, `${name}_${round}`);
          const child = start([process.execPath, scriptOf(name), url, name], { ipc: true });
          try {
            child.send(name === subject.name ? plan : { backlog: plan.peerBacklog, samples: plan.peerSamples });
            return await message(child, 'measured', 20 * 60_000);
          } finally {
            await stop(child);
          }
        },
        progress,
      );
      const of = (/** @type {{ name: string }} */ metric) => figure(rounds, subject.name, metric.name);
      return {
        tables: [
          table('From commit to start, at half load', [subject], rounds, [p50, p99], []),
          table('Throughput', [subject], rounds, [reacts, appends, share], []),
          table('The same work by peers', [subject, ...peers], rounds, [reacts, starts], [subject.name]),
          table('Finding work, by the number of streams', [subject], rounds, [few, many, growth], []),
        ],
        targets: [
          atMost('p99 from committing an event until its reaction starts, ms', of(p99), 25),
          atLeast('reactions that append one event, x appends', of(share), 0.5),
          atMost('time to find work with many streams, x few streams', of(growth), 1.2),
        ],
        notes: [
          `appends: 256 in flight for ${plan.limitMs / 1_000} s, in the same process, with the reaction paused; the latency is measured at half of what appends and reactions reach together`,
          `throughput: a backlog of ${plan.backlog} events of as many streams, 256 at the same time`,
          `peers: a backlog of ${plan.peerBacklog} events of as many streams, whose reactions run one after another; the median from commit to start of ${plan.peerSamples} single events`,
          `finding work: the median from commit to start of ${plan.samples} single events, in a log of ${plan.few} and of ${plan.many} streams`,
        ],
      };
    } finally {
      await cluster.remove();
    }
  },
};
