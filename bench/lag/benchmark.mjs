/** The time from a committed event until a model has it, on PostgreSQL under load. */
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atMost, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';

const subject = { name: 'svc', about: 'svc, at half of the rate at which it can append' };
/** @type {import('../lib/report.mjs').Metric} */
const p50 = { name: 'p50', label: 'p50 ms', digits: 1 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 1 };
const rate = { name: 'rate', label: 'events/s', digits: 0 };
const limit = { name: 'limit', label: 'max. events/s', digits: 0 };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'from committing an event until its model has it, at half of the append rate',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 1, limitMs: 1_000, measureMs: 3_000 }
      : { rounds: 5, limitMs: 3_000, measureMs: 15_000 };
    const cluster = await createCluster();
    try {
      const rounds = await interleave(
        [subject.name],
        plan.rounds,
        async (_name, round) => {
          const url = await createDatabase(cluster, `lag_${round}`);
          const child = start([process.execPath, measureScript, url], { ipc: true });
          try {
            child.send(plan);
            return await message(child, 'measured', 5 * 60_000);
          } finally {
            await stop(child);
          }
        },
        progress,
      );
      return {
        tables: [table('Lag', [subject], rounds, [p50, p99, rate, limit], [])],
        targets: [
          atMost('p99 from committing an event until its model has it, ms', figure(rounds, subject.name, p99.name), 50),
        ],
        notes: [
          `the limit is 256 appends in flight for ${plan.limitMs / 1_000} s, in the same process, with the worker of the perspective running; then half of that for ${plan.measureMs / 1_000} s, ${plan.rounds} rounds`,
          'the time is measured for a sample of the events, from the answer of its append; polling for its model is part of the time',
        ],
      };
    } finally {
      await cluster.remove();
    }
  },
};
