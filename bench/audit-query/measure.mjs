/** One database in a separate process: fills it, then measures audit queries. `node measure.mjs <database>`, the plan by message. */
import { createService, uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { actionsPerOrder, fillPostgres, fillSqlite, orderId, rowsPerAction, timeOf, users } from './fill.mjs';

process.on('disconnect', () => process.exit(1));

const [, , target = ''] = process.argv;
const isPostgres = target.startsWith('postgres');
const storage = () => (isPostgres ? postgres({ url: target }) : sqlite({ file: target }));
const startMs = Date.UTC(2025, 0, 1);
const dayMs = 24 * 3_600_000;

/** @type {import('@svc/core').Service | undefined} */
let service;
let actions = 0;

process.on('message', (/** @type {{ events?: number, queries?: number }} */ { events, queries }) => {
  void (events === undefined ? measure(queries ?? 0) : fill(events));
});

/** @param {number} events */
async function fill(events) {
  actions = Math.floor(events / rowsPerAction / actionsPerOrder) * actionsPerOrder;
  const empty = storage();
  await empty.open();
  await empty.close();
  const plan = { actions, startMs };
  if (isPostgres) await fillPostgres(target, plan);
  else fillSqlite(target, plan);
  service = createService({
    messages: [],
    receptors: [],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(storage())
    .start();
  await service.ready();
  process.send?.({ kind: 'filled' });
}

/** @param {number} queries */
async function measure(queries) {
  const audit = /** @type {import('@svc/core').Service} */ (service).audit;
  const random = (/** @type {number} */ below) => Math.floor(Math.random() * below);
  const figures = {
    resource: await p95(queries, async () => {
      const resource = uuid(orderId(random(actions / actionsPerOrder), startMs));
      const { entries } = await audit.query({ resource });
      if (entries.length !== actionsPerOrder) throw new Error(`${entries.length} entries of an order.`);
    }),
    user: await p95(queries, async () => {
      const end = timeOf(random(actions), startMs);
      const { entries } = await audit.query({
        user: `user-${random(users)}`,
        from: new Date(end - 30 * dayMs),
        to: new Date(end),
      });
      if (entries.some(({ at }) => at.getTime() >= end)) throw new Error('An entry is outside of the time range.');
    }),
    correlation: await p95(queries, async () => {
      const { entries } = await audit.query({
        resource: uuid(orderId(random(actions / actionsPerOrder), startMs)),
        limit: 1,
      });
      const trace = await audit.trace(/** @type {import('@svc/core').AuditEntry} */ (entries[0]).correlationId);
      if (trace.roots.length !== 1) throw new Error(`${trace.roots.length} roots of a request.`);
    }),
    newest: await p95(queries, async () => {
      const { entries } = await audit.query({ to: new Date(timeOf(1 + random(actions - 1), startMs)) });
      if (entries.length === 0) throw new Error('The log has no entries.');
    }),
  };
  process.send?.({ kind: 'measured', ...figures });
}

/** The 95th percentile of the time of a query, in milliseconds. @param {number} queries @param {() => Promise<void>} query */
async function p95(queries, query) {
  const times = new Float64Array(queries);
  for (let i = 0; i < queries; i++) {
    const started = performance.now();
    await query();
    times[i] = performance.now() - started;
  }
  return times.toSorted()[Math.floor(queries * 0.95)] ?? NaN;
}
