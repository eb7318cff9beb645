/** One round of one subject in a separate process: `node measure.mjs <subject> <database>`, the plan by message. */
import { postgres } from '@svc/postgres';
import { copyAndParse } from './copy-subject.mjs';
import { filled, OrderCounts, orderModels } from '../lib/order-models.mjs';

process.on('disconnect', () => process.exit(1));
const [, , name = '', url = ''] = process.argv;

/** @typedef {{ events: number, streams: number }} Plan */

process.once('message', (/** @type {Plan} */ plan) => void measure(plan));

/** @param {Plan} plan */
async function measure(plan) {
  const { ms, made, expected } = await run(plan);
  clearInterval(sampling);
  if (made !== expected) throw new Error(`${name} made ${made} of ${expected}.`);
  process.send?.({ kind: 'measured', rate: plan.events / (ms / 1000), memory: mostBytes / 1e6 });
}

let mostBytes = 0;
const sample = () => void (mostBytes = Math.max(mostBytes, process.memoryUsage.rss()));
const sampling = setInterval(sample, 50);

/** @param {Plan} plan */
async function run({ events, streams }) {
  if (name === 'emmett-rebuild') {
    // A subject must not load what it does not use: garbage collection would take longer.
    const { rebuildWithEmmett } = await import('./emmett-subject.mjs');
    return await rebuildWithEmmett(url, events, streams);
  }
  const ids = await filled(url, events, streams);
  if (name === 'copy-parse') return await copyAndParse(url, events);
  const service = orderModels(postgres({ url }));
  await service.ready();
  await service.idle();
  mostBytes = 0;
  const started = performance.now();
  const { eventsReplayed } = await service.rebuildPerspective(OrderCounts);
  const ms = performance.now() - started;
  sample();
  const model = await service.lens(OrderCounts).find(/** @type {string} */ (ids[0]));
  if (model?.orders !== Math.ceil(events / streams)) throw new Error('A model is not what it should be.');
  await service.stop();
  return { ms, made: eventsReplayed, expected: events };
}
