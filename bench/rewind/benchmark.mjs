/**
 * The cost of a late event in a short and in a long system stream, on PostgreSQL: the model of the stream and the model of a user are
 * replayed from a snapshot.
 */
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atMost, speed, table } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';

/** @type {import('../lib/report.mjs').Metric} */
const time = { name: 'time', label: 'ms/rewind', digits: 1 };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'the cost of a late event in system streams of 1,000 and of 1,000,000 events',
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 1, rewinds: 25, long: 5_000 } : { rounds: 3, rewinds: 200, long: 1_000_000 };
    const subjects = [
      { name: 'short', about: 'a system stream of 1,000 events' },
      { name: 'long', about: `a system stream of ${plan.long.toLocaleString('en')} events` },
    ];
    const cluster = await createCluster();
    try {
      const rounds = await interleave(
        subjects.map(({ name }) => name),
        plan.rounds,
        async (name, round) => {
          const url = await createDatabase(cluster, `${name}_${round}`);
          const child = start([process.execPath, measureScript, url], { ipc: true });
          try {
            child.send({ events: name === 'short' ? 1_000 : plan.long, rewinds: plan.rewinds });
            return await message(child, 'measured', 10 * 60_000);
          } finally {
            await stop(child);
          }
        },
        progress,
      );
      return {
        tables: [table('Rewind', subjects, rounds, [time], ['short'])],
        targets: [atMost('the long stream × the short one', speed(rounds, 'short', 'long', time), 1.5)],
        notes: [
          `${plan.rewinds} late system events of another host one after another, each a few events below the newest, from publishing it until both models have it, one by its stream and one by its key: the median, so that a checkpoint or a vacuum that falls on one of them does not count for all; ${plan.rounds} rounds`,
        ],
      };
    } finally {
      await cluster.remove();
    }
  },
};
