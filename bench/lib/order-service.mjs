/** The service of `examples/orders` with full audit on a database, without HTTP. */
import { createService, localKeyVault } from '@svc/core';
import { FeatureFlags } from '@svc/flags';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { AuditLogPerspective } from '../../examples/orders/dist/audit/audit-log.perspective.js';
import { registry } from '../../examples/orders/dist/generated/registry.js';
import { CreateOrder } from '../../examples/orders/dist/orders/create-order.js';
import { CustomerOverviewPerspective } from '../../examples/orders/dist/orders/customer-overview.perspective.js';
import { OrderSummaryPerspective } from '../../examples/orders/dist/orders/order-summary.perspective.js';
import { WellStockedWarehouse } from '../../examples/orders/dist/orders/warehouse.js';
import { TrialPaymentGateway } from '../../examples/orders/dist/payments/payment-gateway.js';
import { makeOrders } from './orders.mjs';

/** @type {readonly (new () => import('@svc/core').Perspective<any, never>)[]} */
export const perspectives = [AuditLogPerspective, CustomerOverviewPerspective, OrderSummaryPerspective];

const orders = makeOrders(5_000);
/** The hosts of a benchmark share a database, so they share a key-encryption key. */
const keyVault = localKeyVault(`k1:${Buffer.alloc(32, 7).toString('base64')}`);

/** Starts the service. @param {string} target A URL, or a file. @param {{ follows: boolean }} options Whether it has its perspectives. */
export async function startOrders(target, { follows }) {
  const service = createService(registry, {
    flags: await FeatureFlags.allOff(),
    notifier: { notify: () => Promise.resolve() },
    payments: new TrialPaymentGateway(),
    warehouse: new WellStockedWarehouse(),
    payWithin: { minutes: 30 },
  })
    .addService()
    .useStorage(target.startsWith('postgres') ? postgres({ url: target }) : sqlite({ file: target }))
    .useKeyVault(keyVault)
    .addSystemEventAuditing((events) => events.enableAll())
    .omitServiceReactions()
    .allowEverybody();
  if (follows) service.addServicePerspectives();
  else service.omitServicePerspectives();
  service.start();
  await service.ready();
  return service;
}

/** Places an order, and returns its id. @param {Awaited<ReturnType<typeof startOrders>>} service @param {number} n */
export async function placeOrder(service, n) {
  const { orderId } = await service.dispatcher.invoke(Object.assign(new CreateOrder(), orders[n % orders.length]));
  return orderId;
}
