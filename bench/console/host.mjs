/** A host with the operator console: `node host.mjs <database>`. It places orders when asked, and ends with its parent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorConsole } from '@svc/console';
import { serve } from '@svc/http';
import { placeOrder, startOrders } from '../lib/order-service.mjs';

process.on('disconnect', () => process.exit(1));
const [, , database = ''] = process.argv;

const service = await startOrders(database, { follows: false });
const host = await serve(service, { port: 0, console: operatorConsole({ title: 'Orders', version: '1.0.0' }) });

/**
 * Places orders at a constant rate. The time of an order begins when it is due, so that it includes what made it wait.
 *
 * @param {{ perSecond: number, seconds: number }} load
 */
async function place({ perSecond, seconds }) {
  const count = perSecond * seconds;
  const times = new Float64Array(count);
  const started = performance.now();
  /** @type {Promise<void>[]} */
  const placing = [];
  for (let n = 0; n < count; n++) {
    const due = started + (n * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    placing.push(placeOrder(service, n).then(() => void (times[n] = performance.now() - due)));
  }
  await Promise.all(placing);
  const sorted = times.toSorted();
  process.send?.({ kind: 'placed', p50: sorted[Math.floor(count * 0.5)], p99: sorted[Math.floor(count * 0.99)] });
}

process.on('message', (/** @type {Parameters<typeof place>[0]} */ load) => void place(load));
process.send?.({ kind: 'listening', url: host.url });
