/** The built service of examples/orders with everything in memory, and a handler of `Request` for it. */
import { createService, InMemoryStorage } from '@svc/core';
import { FeatureFlags } from '@svc/flags';
import { graphQL } from '@svc/graphql';
import { fetchHandler } from '@svc/http';
import { registry } from '../../../examples/orders/dist/generated/registry.js';
import { temporaryKeyVault } from '../../../examples/orders/dist/key-vault.js';
import { WellStockedWarehouse } from '../../../examples/orders/dist/orders/warehouse.js';

const service = createService(registry, {
  flags: await FeatureFlags.allOff(),
  notifier: { notify: () => Promise.resolve() },
  payments: { charge: chargeUntilCancelled },
  payWithin: { minutes: 30 },
  warehouse: new WellStockedWarehouse(),
})
  .addService()
  .useStorage(new InMemoryStorage())
  .useKeyVault(temporaryKeyVault())
  .addSystemEventAuditing((events) => events.enableAll())
  .addServicePerspectives()
  .allowEverybody();

/** Serves REST and GraphQL below a path. */
export function ordersHandler(prefix) {
  return fetchHandler(service, { prefix, graphql: graphQL() });
}

/** Tells the test when it begins and when the command is cancelled, and never ends otherwise. */
async function chargeUntilCancelled(_key, _cardToken, _amount, signal) {
  process.stdout.write('charging\n');
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  process.stdout.write('cancelled\n');
  throw signal.reason;
}
