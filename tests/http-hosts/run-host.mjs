/**
 * The orders service as a process of `run`: `node run-host.mjs <options as JSON>`. An order for `broken` fails; one for `slow` prints a line and waits for
 * a byte on standard input. `database` in the options is the URL of a database; with `hook: true`, a hook for audit records fails.
 */
import { once } from 'node:events';
import { createService } from '@svc/core';
import { FeatureFlags } from '@svc/flags';
import { run } from '@svc/http';
import { postgres } from '@svc/postgres';
import { registry } from '../../examples/orders/dist/generated/registry.js';
import { temporaryKeyVault } from '../../examples/orders/dist/key-vault.js';
import { WellStockedWarehouse } from '../../examples/orders/dist/orders/warehouse.js';
import { TrialPaymentGateway } from '../../examples/orders/dist/payments/payment-gateway.js';

const { database, hook, ...options } = JSON.parse(process.argv[2] ?? '{}');
const service = createService(registry, {
  flags: await FeatureFlags.allOff(),
  notifier: { notify: () => Promise.resolve() },
  payments: new TrialPaymentGateway(),
  payWithin: { minutes: 30 },
  warehouse: new WellStockedWarehouse(),
})
  .useKeyVault(temporaryKeyVault())
  .allowEverybody()
  .omitServicePerspectives()
  .omitServiceReactions()
  .addBehavior({
    async handle({ envelope: { payload } }, next) {
      const product = payload.lineItems?.[0]?.productId;
      if (product === 'broken') throw new Error('The warehouse burned down. token=hunter2');
      if (product === 'slow') {
        console.log('waiting');
        await once(process.stdin, 'data');
      }
      return next();
    },
  });
if (hook === true) {
  service.addSystemEventAuditing().addTagHook('sys-audit', () => {
    throw new Error('The siren is broken. token=hunter2');
  });
}
if (database !== undefined) service.useStorage(postgres({ url: database }));
await run(service, options);
