/** One round in a separate process: `node measure.mjs <database>`, the plan by message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createService, newId, reaction } from '@svc/core';
import { commitRecord, pendingRecord, wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { median } from '../lib/statistics.mjs';

process.on('disconnect', () => process.exit(1));
const [, , url = ''] = process.argv;
const inFlight = 256;
const tickMs = 5;
const eventsPerRecord = 500;
const placed = 'orders.OrderPlaced';

class OrderPlaced {}
class OrderPaid {}

/** When the reaction to an event started, by the id of the event. @type {Map<string, (at: number) => void>} */
const waiting = new Map();
let reacted = 0;

class PayAndAppend {
  /** @param {OrderPlaced} _event @param {import('@svc/core').ReactionContext} context */
  react(_event, context) {
    const { id, streamId } = context.envelope;
    waiting.get(id)?.(performance.now());
    reacted++;
    context.append(/** @type {import('@svc/core').Uuid} */ (streamId), new OrderPaid());
  }
}
reaction({ from: 'beginning', concurrency: inFlight })(PayAndAppend);

/** @param {string} type @param {new () => object} messageClass */
const event = (type, messageClass) => ({
  type,
  kind: /** @type {const} */ ('event'),
  class: messageClass,
  read: () => new messageClass(),
  write: () => '{}',
});

const registry = {
  messages: [event(placed, OrderPlaced), event('orders.OrderPaid', OrderPaid)],
  receptors: [],
  endpoints: [],
  reactions: [{ name: 'PayAndAppend', class: PayAndAppend, events: [OrderPlaced], create: () => new PayAndAppend() }],
  openapi: { paths: {}, components: { schemas: {} } },
};

/** @typedef {(id?: import('@svc/core').Uuid) => Promise<void>} Append */
/** @typedef {{ limitMs: number, measureMs: number, backlog: number, few: number, many: number, samples: number }} Plan */

process.once('message', (/** @type {Plan} */ plan) => void measure(plan));

/** @param {Plan} plan */
async function measure({ limitMs, measureMs, backlog, few, many, samples }) {
  const storage = postgres({ url });
  const service = createService(registry).useStorage(storage).addServiceReactions().start();
  await service.ready();
  const { reactions } = storage;
  const append = async (id = newId()) => {
    const streamId = newId();
    await service.eventStore.append(streamId, wrap(placed, new OrderPlaced(), { id, streamId }));
  };
  const setPaused = async (/** @type {boolean} */ isPaused) => {
    await reactions.setPaused('PayAndAppend', isPaused);
    await append();
    await caughtUp(service, isPaused);
  };

  await fill(storage, few);
  await caughtUp(service, false);
  const findingFew = await medianStart(samples, append);

  await setPaused(true);
  const appends = await rateOf(limitMs, () => append());
  await fill(storage, backlog);
  const before = reacted;
  const started = performance.now();
  await setPaused(false);
  const reacts = (reacted - before) / ((performance.now() - started) / 1_000);

  const lags = await lagsAt(1 / (1 / appends + 1 / reacts) / 2, measureMs, append);
  await caughtUp(service, false);
  const share = reacts / appends;

  await fill(storage, many);
  await caughtUp(service, false);
  const findingMany = await medianStart(samples, append);
  await service.stop();
  const at = (/** @type {number} */ part) => lags[Math.min(lags.length - 1, Math.floor(lags.length * part))] ?? NaN;
  const finding = { few: findingFew, many: findingMany, growth: findingMany / findingFew };
  process.send?.({
    kind: 'measured',
    p50: at(0.5),
    p99: at(0.99),
    appends,
    reacts,
    share,
    starts: findingFew,
    ...finding,
  });
}

/** Appends an event to each of many streams. @param {import('@svc/postgres').PostgresStorage} storage @param {number} count */
async function fill(storage, count) {
  for (let done = 0; done < count; done += eventsPerRecord) {
    const events = Array.from({ length: Math.min(eventsPerRecord, count - done) }, () =>
      pendingRecord(newId(), { type: placed, body: '{}' }),
    );
    await storage.commit(commitRecord({ events }));
  }
}

/** Waits until the reaction has processed everything, or has noticed that it is paused. @param {import('@svc/core').Service} service @param {boolean} isPaused */
async function caughtUp(service, isPaused) {
  if (isPaused) await sleep(1_500);
  await service.idle();
}

/** Appends an event, and resolves with the milliseconds from its commit until its reaction starts. @param {Append} append */
async function sampled(append) {
  const id = newId();
  const starting = new Promise((/** @type {(at: number) => void} */ resolve) => waiting.set(id, resolve));
  await append(id);
  const committed = performance.now();
  const lag = Math.max(0, (await starting) - committed);
  waiting.delete(id);
  return lag;
}

/** @param {number} samples @param {Append} append */
async function medianStart(samples, append) {
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < samples; i++) times.push(await sampled(append));
  return median(times);
}

/** @param {number} rate @param {number} ms @param {Append} append */
async function lagsAt(rate, ms, append) {
  /** @type {number[]} */
  const lags = [];
  /** @type {Set<Promise<unknown>>} */
  const underWay = new Set();
  const started = performance.now();
  let appended = 0;
  for (let now = started; now < started + ms; now = performance.now()) {
    const due = Math.floor(((now - started) / 1_000) * rate) - appended;
    appended += due;
    for (let i = 0; i < due; i++) {
      const appending = sampled(append).then((lag) => lags.push(lag));
      underWay.add(appending);
      void appending.finally(() => underWay.delete(appending));
    }
    await sleep(tickMs);
  }
  await Promise.all(underWay);
  return lags.toSorted((a, b) => a - b);
}

/** How many times per second something can be done, many of them concurrently. @param {number} ms @param {() => Promise<unknown>} work */
async function rateOf(ms, work) {
  let done = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (; performance.now() < started + ms; done++) await work();
    }),
  );
  return done / ((performance.now() - started) / 1_000);
}
