/** One round, in a process of its own: `node measure.mjs <database>`, the plan by message. */
import { newId, wrap } from '@svc/core';
import { postgres } from '@svc/postgres';
import { median } from '../lib/statistics.mjs';
import { filled, OrderCounts, orderModels, OrderPlaced } from '../lib/order-models.mjs';

process.on('disconnect', () => process.exit(1));
const [, , url = ''] = process.argv;

process.once('message', (/** @type {{ events: number, rewinds: number }} */ plan) => void measure(plan));

/** @param {{ events: number, rewinds: number }} plan */
async function measure({ events, rewinds }) {
  const [streamId] = /** @type {[import('@svc/core').Uuid]} */ (await filled(url, events, 1));
  const service = orderModels(postgres({ url }));
  await service.ready();
  await service.idle();
  const lens = service.lens(OrderCounts);
  const { eventStore } = service;
  /** @param {import('@svc/core').Uuid} id */
  const append = async (id) => {
    await eventStore.append(streamId, wrap('orders.OrderPlaced', new OrderPlaced(), { id, streamId }));
    await lens.waitFor(id);
  };
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < rewinds; i++) {
    const late = newId();
    for (let n = 0; n < 3; n++) await append(newId());
    const started = performance.now();
    await append(late);
    times.push(performance.now() - started);
  }
  const model = await lens.find(streamId);
  if (model?.orders !== events + rewinds * 4) throw new Error(`The model has ${model?.orders} orders.`);
  await service.stop();
  process.send?.({ kind: 'measured', time: median(times) });
}
