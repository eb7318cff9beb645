/** What the size of the log costs: the same work on databases of 1, 10 and 50 million events. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atMost, speed, table } from '../lib/report.mjs';
import { interleave } from '../lib/rounds.mjs';

/** @typedef {import('../lib/processes.mjs').ChildProcess} ChildProcess */
/** @typedef {import('../lib/report.mjs').Metric} Metric */

/** @type {readonly [Metric, ...Metric[]]} */
const metrics = [
  { name: 'append', label: 'append, µs', digits: 0 },
  { name: 'read', label: 'stream read, ms', digits: 2 },
  { name: 'any', label: 'any stream, ms', digits: 2 },
  { name: 'list', label: 'two pages, ms', digits: 2 },
  { name: 'rewind', label: 'rewind, ms', digits: 1 },
  { name: 'claim', label: 'outbox claim, ms', digits: 1 },
];
/** Random streams of the whole log are read from the disk if the log exceeds the memory, so their time depends on the machine. */
const withTarget = metrics.filter(({ name }) => name !== 'any');
const bytes = { name: 'bytes', label: 'bytes/order', digits: 0 };
const million = 1_000_000;
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));
const bytesScript = fileURLToPath(new URL('audited-bytes.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'append, stream read, list, rewind and outbox claim in logs of 1, 10 and 50 million events',
  limitMs: 90 * 60_000,
  async run({ quick, progress }) {
    const plan = quick
      ? {
          sizes: { PostgreSQL: [0.1, 0.5], SQLite: [0.1, 0.5] },
          rounds: 2,
          counts: { appends: 1_000, reads: 100, pages: 20, rewinds: 5, claims: 5 },
          orders: 1_000,
        }
      : {
          sizes: { PostgreSQL: [1, 10, 50], SQLite: [1, 10] },
          rounds: 5,
          counts: { appends: 10_000, reads: 500, pages: 100, rewinds: 30, claims: 20 },
          orders: 20_000,
        };
    const cluster = await createCluster({ max_wal_size: '4GB', shared_buffers: '1GB', autovacuum: 'off' });
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-growth-'));
    /** @param {string} database @param {string} name */
    const targetOf = (database, name) =>
      database === 'SQLite' ? join(folder, `${name}.db`) : createDatabase(cluster, name);
    /** @type {Map<string, ChildProcess>} */
    const children = new Map();
    try {
      const subjects = Object.entries(plan.sizes).flatMap(([database, sizes]) =>
        sizes.map((millions) => ({
          name: nameOf(database, millions),
          about: nameOf(database, millions),
          database,
          millions,
        })),
      );
      for (const [i, { name, database, millions }] of subjects.entries()) {
        progress(`filling ${name}`);
        const child = start([process.execPath, measureScript, await targetOf(database, `growth_${i}`)], { ipc: true });
        children.set(name, child);
        child.send({ events: millions * million });
        await message(child, 'filled', 60 * 60_000);
      }
      /** @param {string} name @returns {Promise<import('../lib/rounds.mjs').Figures>} */
      const measured = async (name) => {
        const child = /** @type {ChildProcess} */ (children.get(name));
        child.send({ counts: plan.counts });
        return await message(child, 'measured', 10 * 60_000);
      };
      const names = subjects.map(({ name }) => name);
      progress('warming up');
      for (const name of names) await measured(name);
      const rounds = await interleave(names, plan.rounds, measured, progress);
      const databases = Object.keys(plan.sizes).map((name) => ({ name, about: `${name}, ${plan.orders} orders` }));
      const audited = await interleave(
        databases.map(({ name }) => name),
        1,
        async (name) => {
          const child = start([process.execPath, bytesScript, await targetOf(name, 'audited')], { ipc: true });
          try {
            child.send({ orders: plan.orders });
            return await message(child, 'measured', 10 * 60_000);
          } finally {
            await stop(child);
          }
        },
        progress,
      );
      return {
        tables: [
          table('Growth', subjects, rounds, metrics, []),
          table('An order of examples/orders with full audit and three perspectives', databases, audited, [bytes], []),
        ],
        targets: Object.entries(plan.sizes).flatMap(([database, sizes]) => {
          const [first = 0, last = 0] = [sizes.at(0), sizes.at(-1)];
          return withTarget.map((metric) =>
            atMost(
              `${database}, ${metric.label.split(',')[0]}: ${last} million × ${first} million events`,
              speed(rounds, nameOf(database, first), nameOf(database, last), metric),
              1.3,
            ),
          );
        }),
        notes: [
          'a third of the events are orders, each in its own stream, the others audit records; each order and each customer has a model; the log and the models are written by SQL',
          'appends, with 64 in flight, go to new and to existing streams in equal parts; existing streams, claims of 100 messages and rewinds are among the last 10,000 orders, "any stream" among all',
          `the median of ${plan.rounds} rounds; a ratio is computed within each round`,
        ],
      };
    } finally {
      for (const child of children.values()) await stop(child);
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @param {string} database @param {number} millions */
function nameOf(database, millions) {
  return `${database}, ${millions} million events`;
}
