/** One round in a separate process: `node measure.mjs <steady|catch-up> <database>`, the plan by message. */
import { inFlight, lagAt, loadOrders } from '../lib/order-load.mjs';
import { perspectives, placeOrder, startOrders } from '../lib/order-service.mjs';

process.on('disconnect', () => process.exit(1));
const [, , mode = '', target = ''] = process.argv;

/** @typedef {{ steadyMs: number, events: number }} Plan */
/** @typedef {Awaited<ReturnType<typeof startOrders>>} Service */

process.once('message', (/** @type {Plan} */ plan) => void measure(plan));

/** @param {Plan} plan */
async function measure(plan) {
  const measured = mode === 'steady' ? await steady(plan) : await catchUp(plan);
  process.send?.({ kind: 'measured', ...measured });
}

/** Places orders at full speed while the models follow. @param {Plan} plan */
async function steady({ steadyMs }) {
  const service = await startOrders(target, { follows: true });
  const { rate, samples, ended } = await loadOrders(service, steadyMs);
  await service.idle();
  const left = performance.now() - ended;
  await service.stop();
  const late = samples.filter(({ at }) => at > steadyMs / 2);
  return { rate, p50: lagAt(samples, 0.5), p99: lagAt(samples, 0.99), later: lagAt(late, 0.99), left };
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
