/** One database in a separate process: `node measure.mjs <sqlite|postgres> <where>`; the task comes by message. */
import { createService, newId, perspective, ScopeFilters } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import pg from 'pg';
import { openSqlite } from '../lib/sqlite-engine.mjs';
import { median } from '../lib/statistics.mjs';

process.on('disconnect', () => process.exit(1));
const [, , kind = '', where = ''] = process.argv;

class OrderPlaced {}
class Orders {
  apply() {
    return { status: 'open', placedAt: 0 };
  }
}
perspective({ indexed: /** @type {never[]} */ (['status', 'placedAt']), scope: ScopeFilters.Tenant })(Orders);

const storage = kind === 'sqlite' ? sqlite({ file: where }) : postgres({ url: where });
const columns = /** @type {const} */ ([
  { name: 'status', type: 'text' },
  { name: 'placedAt', type: 'integer' },
]);

/** @param {string} tenantId @returns {import('@svc/core').SecurityContext} */
const callerOf = (tenantId) => ({
  scope: { tenantId, userId: 'ann' },
  roles: new Set(),
  permissions: new Set(),
  source: 'bench',
});

const service = createService({
  messages: [
    { type: 'orders.OrderPlaced', kind: 'event', class: OrderPlaced, read: () => new OrderPlaced(), write: () => '{}' },
  ],
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: 'Orders',
      class: Orders,
      events: [OrderPlaced],
      columns,
      readModel: (value) => /** @type {object} */ (value),
      writeModel: (value) => JSON.stringify(value),
      create: () => new Orders(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
})
  .useStorage(storage)
  .addServicePerspectives()
  .addAuthentication({
    scheme: 'Bench',
    credentialIn: () => 'ann',
    authenticate: () => Promise.resolve({ context: callerOf('small') }),
  })
  .start();
const lens = /** @type {import('@svc/core').PerspectiveLens<any>} */ (service.lens(Orders));

process.on('message', (/** @type {{ models?: number, pages?: number }} */ { models, pages }) => {
  void (models !== undefined ? fill(models) : measure(pages ?? 0));
});

/** @param {number} models */
async function fill(models) {
  await service.ready();
  await addModels('large', models);
  await addModels('small', 200);
  if (kind === 'postgres') {
    const client = new pg.Client(where);
    await client.connect();
    await client.query('VACUUM ANALYZE');
    await client.end();
  }
  process.send?.({ kind: 'filled' });
}

/** @param {string} tenantId @param {number} count */
async function addModels(tenantId, count) {
  const perCommit = 5_000;
  for (let from = 0; from < count; from += perCommit) {
    const progress = await storage.perspectives.readProgress('Orders');
    const models = Array.from({ length: Math.min(perCommit, count - from) }, (_, i) => modelOf(tenantId, from + i));
    await storage.perspectives.commitPerspective({
      perspective: 'Orders',
      from: progress,
      to: progress.sequence,
      models,
      sources: [],
      rewound: [],
      snapshots: [],
      stopped: [],
      resumed: [],
    });
  }
}

/** @param {string} tenantId @param {number} n */
function modelOf(tenantId, n) {
  const id = newId();
  const indexed = { status: n % 4 === 0 ? 'paid' : 'open', placedAt: 1_700_000_000_000 + n };
  const scope = { tenantId };
  return { id, key: id, owner: tenantId, body: JSON.stringify(indexed), version: 1, lastEventId: id, scope, indexed };
}

/** @type {readonly (import('@svc/core').LensQuery<any>)[]} */
const queries = [
  {},
  { sort: 'placedAt' },
  { sort: '-placedAt' },
  { where: { status: 'open' }, sort: '-placedAt' },
  { where: { placedAt: { gte: 1_700_000_000_050 } }, sort: 'status' },
];

/** @param {number} pages */
async function measure(pages) {
  const [small, none] = [await timesOf('small', pages), await timesOf('nobody', pages)];
  const byHand = await timesByHand(pages);
  process.send?.({
    kind: 'measured',
    page: median(small),
    empty: median(none),
    byHand: median(byHand),
    slowest: Math.max(...small, ...none),
  });
}

/** Two pages of each list: the first and the next. @param {string} tenantId @param {number} pages */
function timesOf(tenantId, pages) {
  return runAs(callerOf(tenantId), async () => {
    /** @type {number[]} */
    const times = [];
    for (let i = 0; i < pages; i++) {
      for (const query of queries) {
        const started = performance.now();
        const { items, next } = await lens.page(query);
        times.push(performance.now() - started);
        if (items.length !== (tenantId === 'small' ? 10 : 0)) throw new Error(`A page has ${items.length} models.`);
        if (next === null) continue;
        const again = performance.now();
        await lens.page({ ...query, after: next });
        times.push(performance.now() - again);
      }
    }
    return times;
  });
}

/** The upper limit: the same page with the same driver and a hand-written statement. @param {number} pages */
async function timesByHand(pages) {
  /** @type {number[]} */
  const times = [];
  const run = await statement();
  for (let i = 0; i < pages; i++) {
    const started = performance.now();
    const rows = await run();
    times.push(performance.now() - started);
    if (rows !== 10) throw new Error(`By hand there are ${rows} rows.`);
  }
  return times;
}

async function statement() {
  const text =
    'SELECT body FROM svc_perspective_orders WHERE owner = $1 AND body IS NOT NULL ORDER BY p_placed_at DESC LIMIT 10';
  if (kind === 'postgres') {
    const client = new pg.Client(where);
    await client.connect();
    return async () => (await client.query({ name: 'by-hand', text, values: ['small'] })).rows.length;
  }
  const prepared = openSqlite(where).prepare(text.replace('$1', '?'));
  return () => Promise.resolve(prepared.all('small').length);
}
