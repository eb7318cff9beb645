/** Rebuilding models from all events, on PostgreSQL. */
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, speed, table } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';

const subjects = [
  { name: 'copy-parse', about: 'COPY of the bodies out of the table, and `JSON.parse`: no models, the limit' },
  { name: 'svc-rebuild', about: 'svc, BlueGreen, until the new table is in place' },
  { name: 'emmett-rebuild', about: 'Emmett 0.42, `rebuildPostgreSQLProjections` of a single-stream projection' },
];

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'events/s', digits: 0, higherIsBetter: true };
/** @type {import('../lib/report.mjs').Metric} */
const memory = { name: 'memory', label: 'peak MB', digits: 0 };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'rebuilding a perspective on PostgreSQL: svc, Emmett, and reading alone',
  async run({ quick, large, progress }) {
    const plan = planOf(quick, large);
    // Emmett takes half an hour for a million events.
    const compared = large ? subjects.filter(({ name }) => name !== 'emmett-rebuild') : subjects;
    const cluster = await createCluster();
    try {
      const rounds = await interleave(
        compared.map(({ name }) => name),
        plan.rounds,
        async (name, round) => {
          const url = await createDatabase(cluster, `${name}-${round}`.replaceAll('-', '_'));
          const child = start([process.execPath, measureScript, name, url], { ipc: true });
          try {
            child.send(plan);
            return await message(child, 'measured', 15 * 60_000);
          } finally {
            await stop(child);
          }
        },
        progress,
      );
      return {
        tables: [
          table('Rebuild', compared, rounds, [rate, memory], large ? ['copy-parse'] : ['copy-parse', 'emmett-rebuild']),
        ],
        targets: [
          atLeast('svc × COPY and parse', speed(rounds, 'svc-rebuild', 'copy-parse', rate), 0.4),
          ...(large ? [] : [atLeast('svc × Emmett', speed(rounds, 'svc-rebuild', 'emmett-rebuild', rate), 10)]),
        ],
        notes: [
          `${plan.events} events of 360 bytes in ${plan.streams} streams, ${plan.rounds} rounds, each in a new database and a new process; what is made is counted`,
          'each model is a count and an id; svc reports its progress, and stores snapshots with the models',
          'the memory is that of the whole process, from the start of the rebuild on',
        ],
      };
    } finally {
      await cluster.remove();
    }
  },
};

/** @param {boolean} quick @param {boolean} large */
function planOf(quick, large) {
  if (large) return { rounds: quick ? 1 : 3, events: 1_000_000, streams: 50_000 };
  return quick ? { rounds: 1, events: 5_000, streams: 250 } : { rounds: 3, events: 100_000, streams: 5_000 };
}
