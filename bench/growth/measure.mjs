/** One database in a separate process: `node measure.mjs <URL or file>`; the task comes by message. */
import { newId } from '@svc/core';
import { pendingRecord } from '@svc/core/testing';
import { median } from '../lib/statistics.mjs';
import { fillPostgres } from './fill-postgres.mjs';
import { fillSqlite } from './fill-sqlite.mjs';
import { contents, ordersPerCustomer, planOf, streamOf } from './rows.mjs';
import { Customers, Orders, startService, storageOf, type } from './service.mjs';

process.on('disconnect', () => process.exit(1));
const [, , target = ''] = process.argv;

/** How many of the last orders are in use. */
const recentOrders = 10_000;
const inFlight = 64;
const messagesPerClaim = 100;

/** @typedef {{ appends: number, reads: number, pages: number, rewinds: number, claims: number }} Counts */
/** @typedef {import('@svc/core/storage').Storage} Storage */
/** @typedef {import('@svc/core').Uuid} Uuid */

/** @type {import('./rows.mjs').Plan} */
let plan;
let next = 0;

process.on('message', (/** @type {{ events?: number, counts?: Counts }} */ { events, counts }) => {
  void (counts === undefined ? fill(events ?? 0) : measure(counts));
});

/** @param {number} events */
async function fill(events) {
  const { service } = await startService(target);
  await service.stop();
  plan = planOf(events);
  if (target.startsWith('postgres')) await fillPostgres(target, plan);
  else fillSqlite(target, plan);
  process.send?.({ kind: 'filled' });
}

/** @param {Counts} counts */
async function measure({ appends, reads, pages, rewinds, claims }) {
  const storage = storageOf(target);
  await storage.open();
  const append = await timeOfAppend(storage, appends);
  const read = median(await timesOfReads(storage, reads, () => recentOrder()));
  const any = median(await timesOfReads(storage, reads, () => Math.floor(Math.random() * plan.orders)));
  const claim = median(await timesOfClaims(storage, claims));
  await storage.close();
  const started = await startService(target);
  const list = median(await timesOfPages(started, pages));
  const rewind = median(await timesOfRewinds(started, rewinds));
  await started.service.stop();
  process.send?.({ kind: 'measured', append, read, any, claim, list, rewind });
}

/** One of the last orders, each of them once before any of them twice. */
function recentOrder() {
  return plan.orders - 1 - (next++ % Math.min(recentOrders, plan.orders));
}

/** @param {number} n @param {Uuid} [streamId] */
function orderEvent(n, streamId = streamOf(plan.startMs, n)) {
  const body = `{"customer":"${Math.floor(n / ordersPerCustomer)}"${contents[n % contents.length]}`;
  return pendingRecord(streamId, { type, body });
}

/** µs per event, half of them to new streams. @param {Storage} storage @param {number} count */
async function timeOfAppend(storage, count) {
  let appended = 0;
  const append = async () => {
    while (appended < count) {
      const isNew = appended++ % 2 === 0;
      const event = isNew ? orderEvent(recentOrder(), newId()) : orderEvent(recentOrder());
      await storage.commit({ events: [event], outgoing: [], delivered: null, received: [] });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, append));
  return ((performance.now() - started) * 1_000) / count;
}

/** @param {Storage} storage @param {number} count @param {() => number} choose */
function timesOfReads(storage, count, choose) {
  return timed(count, async () => {
    let events = 0;
    for await (const _ of storage.readStream(streamOf(plan.startMs, choose()))) events++;
    if (events === 0) throw new Error('A stream has no events.');
  });
}

/** The oldest messages of the outbox, from reading them until they are removed. @param {Storage} storage @param {number} count */
async function timesOfClaims(storage, count) {
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < count; i++) {
    const events = Array.from({ length: messagesPerClaim }, () => orderEvent(recentOrder()));
    const outgoing = events.map(({ id }) => {
      return {
        id: newId(),
        lane: /** @type {const} */ ('transport'),
        destination: 'orders',
        message: null,
        note: null,
        eventId: id,
      };
    });
    await storage.commit({ events, outgoing, delivered: null, received: [] });
    const [time] = await timed(1, async () => {
      const found = await storage.readOutgoing('transport', messagesPerClaim);
      if (found.length !== messagesPerClaim) throw new Error(`${found.length} messages wait.`);
      const delivered = { lane: /** @type {const} */ ('transport'), ids: found.map(({ id }) => id) };
      await storage.commit({ events: [], outgoing: [], delivered, received: [] });
    });
    times.push(time ?? NaN);
  }
  return times;
}

/** @typedef {Awaited<ReturnType<typeof startService>>} Started */

/** @type {readonly import('@svc/core').LensQuery<any>[]} */
const queries = [{ sort: '-placedAt' }, { where: { status: 'open' } }, {}];

/** The first two pages of each list. @param {Started} started @param {number} count */
async function timesOfPages({ service }, count) {
  await service.idle();
  const lens = /** @type {import('@svc/core').PerspectiveLens<any>} */ (service.lens(Orders));
  const times = [];
  for (const query of queries) {
    times.push(
      ...(await timed(count, async () => {
        const { items, next: after } = await lens.page(query);
        if (items.length !== 10 || after === null) throw new Error(`A page has ${items.length} models.`);
        await lens.page({ ...query, after });
      })),
    );
  }
  return times;
}

/** An event of another host that is older than the last two of its model. @param {Started} started @param {number} count */
async function timesOfRewinds({ service, transport, branch }, count) {
  const lenses = [service.lens(Orders), service.lens(Customers)];
  /** @param {number} n @param {Uuid} id */
  const receive = async (n, id) => {
    const { expectedPosition: _, ...event } = orderEvent(n);
    await branch.publish([{ ...event, id, destination: 'orders', origin: 'branch' }]);
    await transport.idle();
    await Promise.all(lenses.map((lens) => lens.waitFor(id, { timeoutMs: 60_000 })));
  };
  const times = [];
  for (let i = 0; i < count; i++) {
    const n = recentOrder();
    const late = newId();
    for (let k = 0; k < 2; k++) await receive(n, newId());
    times.push(...(await timed(1, () => receive(n, late))));
  }
  return times;
}

/** @param {number} count @param {() => Promise<void>} act */
async function timed(count, act) {
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return times;
}
