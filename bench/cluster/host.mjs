/** A host in a separate process: `node host.mjs <url> <follows>`. It does what messages ask for, and answers each. */
import { inFlight, loadOrders, sample } from '../lib/order-load.mjs';
import { placeOrder, startOrders } from '../lib/order-service.mjs';

process.on('disconnect', () => process.exit(1));
const [, , url = '', follows] = process.argv;
const service = await startOrders(url, { follows: follows === 'true' });

/** @type {Record<string, (argument: number) => Promise<object>>} */
const actions = {
  /** Places orders at full speed for some time. */
  async load(loadMs) {
    const { placed, rate, samples } = await loadOrders(service, loadMs);
    return { placed, rate, lags: samples.map(({ lag }) => lag) };
  },
  /** Places a number of orders. */
  async fill(orders) {
    let placed = 0;
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (placed < orders) await placeOrder(service, placed++);
      }),
    );
    await service.idle();
    return {};
  },
  /** Resolves once its outbox is empty. */
  async settle() {
    await service.idle();
    return {};
  },
  /** Places an order, and resolves once its models, and thus those of all earlier events, are complete. */
  async complete() {
    await sample(service, 0, []);
    return {};
  },
};

process.on('message', (/** @type {{ action: string, argument: number }} */ { action, argument }) => {
  void actions[action]?.(argument).then((answer) => process.send?.({ kind: action, ...answer }));
});
process.send?.({ kind: 'ready' });
