/** The built service of examples/orders with everything in memory, and a handler of `Request` for it. */
import { createService, InMemoryStorage } from '@svc/core';
import { FeatureFlags } from '@svc/flags';
import { graphQL } from '@svc/graphql';
import { fetchHandler } from '@svc/http';
import { registry } from '../../../examples/orders/dist/generated/registry.js';
import { temporaryKeyVault } from '../../../examples/orders/dist/key-vault.js';
import { WellStockedWarehouse } from '../../../examples/orders/dist/orders/warehouse.js';
import { TrialPaymentGateway } from '../../../examples/orders/dist/payments/payment-gateway.js';

const service = createService(registry, {
  flags: await FeatureFlags.allOff(),
  notifier: { notify: () => Promise.resolve() },
  payments: new TrialPaymentGateway(),
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
