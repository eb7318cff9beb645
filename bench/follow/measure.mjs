/** One round in a separate process: `node measure.mjs <steady|catch-up> <database>`, the plan by message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { perspectives, placeOrder, startOrders } from './service.mjs';

process.on('disconnect', () => process.exit(1));
const [, , mode = '', target = ''] = process.argv;
const inFlight = 64;
const sampleMs = 50;
const timeoutMs = 30_000;

/** @typedef {{ steadyMs: number, events: number }} Plan */
/** @typedef {Awaited<ReturnType<typeof startOrders>>} Service */

process.once('message', (/** @type {Plan} */ plan) => void measure(plan));

/** @param {Plan} plan */
async function measure(plan) {
  const measured = mode === 'steady' ? await steady(plan) : await catchUp(plan);
  process.send?.({ kind: 'measured', ...measured });
}

/** Places orders at full speed, and measures for a sample of them how long its models take. @param {Plan} plan */
async function steady({ steadyMs }) {
  const service = await startOrders(target, { follows: true });
  let placed = 0;
  /** @type {{ at: number, lag: number }[]} */
  const samples = [];
  const started = performance.now();
  const isOver = () => performance.now() >= started + steadyMs;
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
  const rate = (placed * 1_000) / (performance.now() - started);
  await Promise.all(sampled);
  const end = performance.now();
  await service.idle();
  const left = performance.now() - end;
  await service.stop();
  const late = samples.filter(({ at }) => at > steadyMs / 2);
  return { rate, p50: lagAt(samples, 0.5), p99: lagAt(samples, 0.99), later: lagAt(late, 0.99), left };
}

/** @param {Service} service @param {number} started @param {{ at: number, lag: number }[]} samples */
async function sample(service, started, samples) {
  const orderId = await placeOrder(service, samples.length);
  const committed = performance.now();
  let last;
  for await (const { envelope } of service.eventStore.readStream(orderId)) last = envelope.id;
  if (last === undefined) throw new Error('An order has no event.');
  const id = last;
  await Promise.all(perspectives.map((one) => service.lens(one).waitFor(id, { timeoutMs })));
  samples.push({ at: committed - started, lag: performance.now() - committed });
}

/** @param {{ lag: number }[]} samples @param {number} share */
function lagAt(samples, share) {
  const lags = samples.map(({ lag }) => lag).toSorted((a, b) => a - b);
  return lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? NaN;
}

/** Fills the log without perspectives, follows it from its start, and rebuilds the same perspectives. @param {Plan} plan */
async function catchUp({ events }) {
  const filling = await startOrders(target, { follows: false });
  const eventsPerOrder = await eventsOf(filling);
  let placed = 1;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (placed * eventsPerOrder < events) await placeOrder(filling, placed++);
    }),
  );
  await filling.idle();
  await filling.stop();
  const service = await startOrders(target, { follows: true });
  const started = performance.now();
  await service.idle();
  const followed = performance.now();
  for (const one of perspectives) await service.rebuildPerspective(one);
  const rebuilt = performance.now();
  const models = await modelsOf(service);
  await service.stop();
  if (models !== placed) throw new Error(`${models} models for ${placed} orders.`);
  const total = placed * eventsPerOrder;
  return {
    followed: (total * 1_000) / (followed - started),
    rebuilt: (total * 1_000) / (rebuilt - followed),
    ratio: (rebuilt - followed) / (followed - started),
    memory: process.resourceUsage().maxRSS / 1_024,
  };
}

/** Places an order, and counts the events of the log. @param {Service} service */
async function eventsOf(service) {
  await placeOrder(service, 0);
  await service.idle();
  const ids = new Set();
  for await (const { envelope } of service.eventStore.readAll()) ids.add(envelope.id);
  return ids.size;
}

/** @param {Service} service */
async function modelsOf(service) {
  let count = 0;
  let after;
  do {
    const { items, next } = await service
      .lens(OrderSummary)
      .page({ limit: 100, ...(after !== undefined && { after }) });
    count += items.length;
    after = next ?? undefined;
  } while (after !== undefined);
  return count;
}

const OrderSummary = /** @type {any} */ (perspectives[2]);
