/** The cost of a page of a small tenant's models, with 1,000 and with 1,000,000 models of other tenants. */
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

/** @type {readonly [import('../lib/report.mjs').Metric, ...import('../lib/report.mjs').Metric[]]} */
const metrics = [
  { name: 'page', label: 'ms/page', digits: 3 },
  { name: 'empty', label: 'empty tenant, ms', digits: 3 },
  { name: 'byHand', label: 'SELECT by hand, ms', digits: 3 },
  { name: 'slowest', label: 'slowest, ms', digits: 1 },
];
const [page, empty] = metrics;
const measureScript = fileURLToPath(new URL('measure.mjs', import.meta.url));

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: "a page of a tenant's models, with few and with many models of other tenants",
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 2, pages: 100, many: 50_000 } : { rounds: 7, pages: 500, many: 1_000_000 };
    const few = 1_000;
    const many = plan.many.toLocaleString('en');
    const subjects = ['SQLite', 'PostgreSQL'].flatMap((storage) => [
      { name: `${storage}, few`, about: `${storage}, 1,000 models of other tenants`, models: few },
      { name: `${storage}, many`, about: `${storage}, ${many} models of other tenants`, models: plan.many },
    ]);
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-lists-'));
    /** @type {Map<string, ChildProcess>} */
    const children = new Map();
    try {
      for (const [i, { name, models }] of subjects.entries()) {
        progress(`filling ${name}`);
        const isSqlite = name.startsWith('SQLite');
        const target = isSqlite ? join(folder, `${i}.db`) : await createDatabase(cluster, `lists_${i}`);
        const child = start([process.execPath, measureScript, isSqlite ? 'sqlite' : 'postgres', target], { ipc: true });
        children.set(name, child);
        child.send({ models });
        await message(child, 'filled', 10 * 60_000);
      }
      const rounds = await interleave(
        subjects.map(({ name }) => name),
        plan.rounds,
        async (name) => {
          const child = /** @type {ChildProcess} */ (children.get(name));
          child.send({ pages: plan.pages });
          return await message(child, 'measured', 5 * 60_000);
        },
        progress,
      );
      return {
        tables: [table('Lists', subjects, rounds, metrics, ['SQLite, few', 'PostgreSQL, few'])],
        targets: ['SQLite', 'PostgreSQL'].flatMap((storage) =>
          [page, empty].map((metric) =>
            atMost(
              `${storage}: ${metric === page ? 'a page' : "an empty tenant's list"} with ${many} other models × with 1,000`,
              speed(rounds, `${storage}, few`, `${storage}, many`, /** @type {any} */ (metric)),
              1.5,
            ),
          ),
        ),
        notes: [
          'a tenant with 200 models asks for pages of 10: by key, by an indexed property in both directions, filtered, and after a position; a tenant without models asks for the same; each is read through a lens as its caller',
          `the median of ${plan.pages} pages of each kind, ${plan.rounds} rounds; the slowest is that of a round`,
        ],
      };
    } finally {
      for (const child of children.values()) await stop(child);
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
