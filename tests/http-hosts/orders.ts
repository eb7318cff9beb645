/** The service of examples/orders with authentication, for the contract of hosts. */
import { createService, InMemoryStorage, type Authenticator, type ReceptorContext, type Service } from '@svc/core';
import { apiKeyAuthentication, newApiKey } from '@svc/http';
import { FeatureFlags } from '@svc/flags';
import { registry, type Services } from '../../examples/orders/src/generated/registry.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { ReserveStock } from '../../examples/orders/src/orders/reserve-stock.js';
import { WellStockedWarehouse } from '../../examples/orders/src/orders/warehouse.js';
import { TrialPaymentGateway } from '../../examples/orders/src/payments/payment-gateway.js';

const north = { tenantId: 'north' };
const writer = newApiKey();
const reader = newApiKey();

/** The headers of callers. */
export const as = {
  writer: { 'x-api-key': writer.key },
  reader: { 'x-api-key': reader.key },
} as const;

/** What happens while an order is placed, in its transaction. */
export type WhileOrdering = (context: ReceptorContext) => void | Promise<void>;

export interface Orders {
  readonly service: Service<Services>;
  /** Replaces what happens while an order is placed. */
  whileOrdering: WhileOrdering;
}

/** The credentials of `as`. */
export const apiKeys = apiKeyAuthentication({
  keys: [
    { sha256: writer.sha256, scope: { ...north, userId: 'writer' }, permissions: ['orders:write', 'orders:read'] },
    { sha256: reader.sha256, scope: { ...north, userId: 'reader' }, permissions: ['orders:read'] },
  ],
});

export async function ordersService(...authenticators: Authenticator[]): Promise<Orders> {
  const orders: { whileOrdering: WhileOrdering } = { whileOrdering: () => {} };
  const receptors = registry.receptors.map((receptor) =>
    receptor.command === ReserveStock
      ? {
          ...receptor,
          create: () => ({ receive: (_command: object, context: ReceptorContext) => orders.whileOrdering(context) }),
        }
      : receptor,
  );
  const service = createService<Services>(
    { ...registry, receptors },
    {
      flags: await FeatureFlags.allOff(),
      notifier: { notify: () => Promise.resolve() },
      payments: new TrialPaymentGateway(),
      payWithin: { minutes: 30 },
      warehouse: new WellStockedWarehouse(),
    },
  )
    .addService()
    .useStorage(new InMemoryStorage())
    .useKeyVault(temporaryKeyVault())
    .addSystemEventAuditing((events) => events.enableAll())
    .addAuditQueries()
    .addServicePerspectives()
    .reportTo(() => {})
    .addAuthentication(...(authenticators.length === 0 ? [apiKeys] : authenticators));
  return Object.assign(orders, { service });
}

export function orderBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customerId: '0192d3c5-7a6b-7c8d-9e0f-123456789abc',
    lineItems: [{ productId: 'book', quantity: 1, unitPrice: '12.50' }],
    shippingAddress: { street: '1 Main Street', city: 'Springfield', state: 'IL', zipCode: '62701' },
    ...changes,
  };
}
