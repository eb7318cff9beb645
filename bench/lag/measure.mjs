/** One round in a separate process: `node measure.mjs <database>`, the plan by message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { OrderCounts, orderModels, OrderPlaced } from '../lib/order-models.mjs';

process.on('disconnect', () => process.exit(1));
const [, , url = ''] = process.argv;
const inFlight = 256;
const tickMs = 5;
const sampleMs = 20;

/** @typedef {{ limitMs: number, measureMs: number }} Plan */

process.once('message', (/** @type {Plan} */ plan) => void measure(plan));

/** @param {Plan} plan */
async function measure({ limitMs, measureMs }) {
  const service = orderModels(postgres({ url }));
  await service.ready();
  const lens = service.lens(OrderCounts);
  const streams = Array.from({ length: 1_000 }, () => newId());
  let appended = 0;
  const append = async () => {
    const streamId = /** @type {import('@svc/core').Uuid} */ (streams[appended++ % streams.length]);
    const id = newId();
    await service.eventStore.append(streamId, wrap('orders.OrderPlaced', new OrderPlaced(), { id, streamId }));
    return id;
  };

  const limit = await rateOf(limitMs, append);
  await lens.waitFor(await append(), { timeoutMs: 30_000 });

  const rate = limit / 2;
  /** @type {number[]} */
  const lags = [];
  /** @type {Set<Promise<unknown>>} */
  const underWay = new Set();
  const sampled = async () => {
    const id = await append();
    const committed = performance.now();
    await lens.waitFor(id, { timeoutMs: 30_000 });
    lags.push(performance.now() - committed);
  };
  const before = appended;
  const started = performance.now();
  let nextSample = started;
  for (let now = started; now < started + measureMs; now = performance.now()) {
    const due = Math.floor(((now - started) / 1_000) * rate) - (appended - before);
    for (let i = 0; i < due; i++) {
      const isSample = i === 0 && now >= nextSample;
      if (isSample) nextSample = now + sampleMs;
      const appending = isSample ? sampled() : append();
      underWay.add(appending);
      void appending.finally(() => underWay.delete(appending));
    }
    await sleep(tickMs);
  }
  await Promise.all(underWay);
  const reached = (appended - before) / ((performance.now() - started) / 1_000);
  await service.stop();
  lags.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? NaN;
  process.send?.({ kind: 'measured', p50: at(0.5), p99: at(0.99), rate: reached, limit });
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
