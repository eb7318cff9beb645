import { createService, type ServiceError } from '@svc/core';
import { postgres } from '@svc/postgres';
import { FeatureFlags } from '@svc/flags';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registry } from '../../examples/orders/src/generated/registry.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { WellStockedWarehouse } from '../../examples/orders/src/orders/warehouse.js';
import { TrialPaymentGateway } from '../../examples/orders/src/payments/payment-gateway.js';
import { cuttingProxy } from '../postgres/cutting-proxy.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());

it('reports an outage of the database once when it begins and once when it is over', async () => {
  const proxy = await cuttingProxy(database.url);
  const reported: string[] = [];
  const service = createService(registry, {
    flags: await FeatureFlags.allOff(),
    notifier: { notify: () => Promise.resolve() },
    payments: new TrialPaymentGateway(),
    payWithin: { minutes: 30 },
    warehouse: new WellStockedWarehouse(),
  })
    .useStorage(postgres({ url: proxy.url, connectTimeoutMs: 500, pollMs: 200 }))
    .useKeyVault(temporaryKeyVault())
    .addSystemEventAuditing((events) => events.enableAll())
    .addServicePerspectives()
    .addServiceReactions()
    .allowEverybody()
    .reportTo((error) => reported.push((error as ServiceError).code ?? String(error)))
    .start();
  await service.ready();
  proxy.cutAnswers();
  await expect.poll(() => reported).toContain('SVC_STORAGE_UNAVAILABLE');
  // The length of the outage: time for many attempts of every part.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  proxy.restore();
  await expect.poll(() => reported).toContain('SVC_STORAGE_AVAILABLE');
  await service.stop();
  await proxy.close();
  expect(reported).toEqual(['SVC_STORAGE_UNAVAILABLE', 'SVC_STORAGE_AVAILABLE']);
});
