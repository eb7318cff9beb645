/**
 * Runs the example's endpoints, with generated readers and writers, without a transport. Prints one result per line, then the last of the
 * resulting audit records in the system stream.
 */
import { createService, InMemoryStorage, SystemEventStream } from '@svc/core';
import { parseJson, readOrThrow } from '@svc/core/json';
import { registry } from '../../examples/orders/dist/generated/registry.js';
import { temporaryKeyVault } from '../../examples/orders/dist/key-vault.js';
import { WellStockedWarehouse } from '../../examples/orders/dist/orders/warehouse.js';
import { TrialPaymentGateway } from '../../examples/orders/dist/payments/payment-gateway.js';

try {
  // oxlint-disable-next-line typescript/no-implied-eval -- shows that it is rejected here
  console.log(`new Function: ${new Function('return "works"')()}`);
} catch {
  console.log('new Function: rejected');
}

const service = createService(registry, {
  flags: { isOn: () => Promise.resolve(false) },
  notifier: { notify: () => Promise.resolve() },
  payments: new TrialPaymentGateway(),
  warehouse: new WellStockedWarehouse(),
})
  .addService()
  .omitServicePerspectives()
  .omitServiceReactions()
  .useStorage(new InMemoryStorage())
  .useKeyVault(temporaryKeyVault())
  .addSystemEventAuditing()
  .allowEverybody()
  .start();

const signal = new AbortController().signal;

async function post(route, text) {
  const { endpoint, readRequest, writeResult } = service.endpoints.find(({ restRoute }) => restRoute === route);
  try {
    const result = await endpoint.handle(readOrThrow(readRequest, parseJson(text)), signal);
    const answer = writeResult(result);
    console.log(`${route} ${answer}`);
    return JSON.parse(answer);
  } catch (error) {
    console.log(`${route} ${error.code}`);
    return undefined;
  }
}

const { orderId } = await post(
  '/orders',
  `{ "customerId": "0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d",
     "lineItems": [{ "productId": "tea", "quantity": 2, "unitPrice": "3.50" }],
     "shippingAddress": { "street": "1 Main St", "city": "Springfield", "state": "IL", "zipCode": "62701" } }`,
);
await post('/orders', '{ "customerId": 1 }');
await post('/orders/change-delivery-address', JSON.stringify({ orderId, label: '2 Side St, Shelbyville, IL 62565' }));
await post('/orders/pay', JSON.stringify({ orderId, amount: '7.00', cardToken: 'unavailable' }));
await post('/orders/cancel', JSON.stringify({ orderId, reason: 'changed my mind' }));

await service.idle();
const audited = [];
for await (const { envelope } of service.eventStore.readStream(SystemEventStream.streamId)) audited.push(envelope);
for (const { type, payload } of audited.slice(-2))
  console.log(`${type} ${JSON.stringify(payload.originalBody ?? payload.commandBody)}`);
