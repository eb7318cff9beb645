/** Perspectives that follow a log under load, and that catch up with a log, on PostgreSQL and SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, atMost, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';

const subjects = [
  { name: 'postgres', about: 'svc on PostgreSQL' },
  { name: 'sqlite', about: 'svc on SQLite' },
];
/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'orders/s', digits: 0, higherIsBetter: true };
const p50 = { name: 'p50', label: 'p50 ms', digits: 0 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 0 };
const later = { name: 'later', label: 'p99 ms, second half', digits: 0 };
const left = { name: 'left', label: 'complete after ms', digits: 0 };
/** @type {import('../lib/report.mjs').Metric} */
const followed = { name: 'followed', label: 'events/s followed', digits: 0, higherIsBetter: true };
const rebuilt = { name: 'rebuilt', label: 'events/s rebuilt', digits: 0 };
const ratio = { name: 'ratio', label: '× rebuild', digits: 2 };
const memory = { name: 'memory', label: 'peak MB', digits: 0 };
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'perspectives that follow the log at full load, and that catch up with it',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 1, steadyMs: 4_000, events: 20_000 }
      : { rounds: 3, steadyMs: 30_000, events: 1_000_000 };
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    const names = subjects.map(({ name }) => name);
    /** @param {string} mode @param {number} rounds */
    const measured = (mode, rounds) =>
      interleave(
        names,
        rounds,
        async (name, round) => {
          const unique = `${mode}_${round}`.replace('-', '_');
          const target = name === 'sqlite' ? join(folder, `${unique}.db`) : await createDatabase(cluster, unique);
          const child = start([process.execPath, measureScript, mode, target], { ipc: true });
          try {
            child.send(plan);
            return await message(child, 'measured', 15 * 60_000);
          } finally {
            await stop(child);
          }
        },
        (text) => progress(`${mode} ${text}`),
      );
    try {
      const steady = await measured('steady', plan.rounds);
      const caughtUp = await measured('catch-up', 1);
      return {
        tables: [
          table(
            'Orders at full speed: from the response until three models have the order',
            subjects,
            steady,
            [rate, p50, p99, later, left],
            [],
          ),
          table(
            'A log from its start, by three perspectives',
            subjects,
            caughtUp,
            [followed, rebuilt, ratio, memory],
            [],
          ),
        ],
        targets: names.flatMap((name) => [
          atMost(`${name}, p99 until the models have an order, ms`, figure(steady, name, 'p99'), 1_000),
          atLeast(`${name}, catching up × rebuilding`, figure(caughtUp, name, 'ratio'), 0.8),
        ]),
        notes: [
          `the commands, events and three perspectives of examples/orders with full audit, 64 orders in flight for ${plan.steadyMs / 1_000} s, ${plan.rounds} rounds; load, service and database share the machine`,
          `the log has ${plan.events} events, one round; the perspectives are rebuilt one after another, BlueGreen`,
        ],
      };
    } finally {
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
