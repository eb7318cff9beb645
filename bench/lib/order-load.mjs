/** Orders at full speed, and how long the models take to have them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { perspectives, placeOrder } from './order-service.mjs';

export const inFlight = 64;
const sampleMs = 50;
const timeoutMs = 120_000;

/** @typedef {Awaited<ReturnType<typeof import('./order-service.mjs').startOrders>>} Service */
/** @typedef {{ at: number, lag: number }} Sample when an order was placed, and how long its models took */

/**
 * Places orders at full speed, and measures for a sample of them how long their models take.
 *
 * @param {Service} service
 * @param {number} loadMs
 */
export async function loadOrders(service, loadMs) {
  let placed = 0;
  /** @type {Sample[]} */
  const samples = [];
  const started = performance.now();
  const isOver = () => performance.now() >= started + loadMs;
  const load = Array.from({ length: inFlight }, async () => {
    while (!isOver()) await placeOrder(service, placed++);
  });
  /** @type {Promise<void>[]} */
  const sampled = [];
  while (!isOver()) {
    sampled.push(sample(service, started, samples));
    await sleep(sampleMs);
  }
  await Promise.all(load);
  const ended = performance.now();
  const rate = (placed * 1_000) / (ended - started);
  await Promise.all(sampled);
  return { placed, rate, samples, ended };
}

/** Places an order, and waits until its models have it. @param {Service} service @param {number} started @param {Sample[]} samples */
export async function sample(service, started, samples) {
  const orderId = await placeOrder(service, samples.length);
  const committed = performance.now();
  let last;
  for await (const { envelope } of service.eventStore.readStream(orderId)) last = envelope.id;
  if (last === undefined) throw new Error('An order has no event.');
  const id = last;
  await Promise.all(perspectives.map((one) => service.lens(one).waitFor(id, { timeoutMs })));
  samples.push({ at: committed - started, lag: performance.now() - committed });
}

/** @param {readonly Sample[]} samples @param {number} share */
export function lagAt(samples, share) {
  const lags = samples.map(({ lag }) => lag).toSorted((a, b) => a - b);
  return lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? NaN;
}
