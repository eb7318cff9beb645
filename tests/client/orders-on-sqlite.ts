/** The service of examples/orders on SQLite with real tokens, behind a proxy that fails on request. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '@svc/sqlite';
import { decimal, uuid, type CreateOrder } from '../../examples/orders/src/client/generated/orders-client.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { SecuredOrders, tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { keepAfterTest } from '../running-services.js';
import { FailingProxy } from './failing-proxy.js';

export interface OrdersOnSqlite {
  /** The address of the proxy. */
  readonly url: string;
  readonly proxy: FailingProxy;
  /** Stops the host, and starts another one with the same database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOrders(): Promise<OrdersOnSqlite> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-client-'));
  const keyVault = temporaryKeyVault();
  const start = (): Promise<SecuredOrders> =>
    SecuredOrders.start({}, { storage: sqlite({ file: join(folder, 'orders.db') }), keyVault });
  let orders = await start();
  const proxy = await FailingProxy.start(orders.host.app.listeningOrigin);
  return {
    url: proxy.url,
    proxy,
    async restart() {
      // As a drain does: otherwise the server waits until its clients close their connections.
      orders.host.service.endWatches();
      await orders.stop();
      orders = await start();
      keepAfterTest(orders.host.service);
      proxy.retarget(orders.host.app.listeningOrigin);
    },
    async stop() {
      await proxy.stop();
      await orders.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A token of a clerk of a tenant of its own, so that tests do not see each other's orders. */
export function clerkOf(tenant: string): Promise<string> {
  return tokenFor('ann', { tenant_id: tenant, roles: ['clerk'] });
}

export function orderOf(quantity: number): CreateOrder {
  return {
    customerId: uuid('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d'),
    lineItems: [{ productId: 'tea', quantity, unitPrice: decimal('3.50') }],
    shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
  };
}
