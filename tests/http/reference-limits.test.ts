import { serverLimits } from '@svc/fastify';
import { expect, it } from 'vitest';
import { createHost } from '../../examples/orders/src/host.js';

it('the reference service disconnects slow clients, also with configured limits', async () => {
  const plain = await createHost();
  expect(plain.app.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 2_000,
    keepAliveTimeout: 72_000,
    timeout: 120_000,
  });
  await plain.app.close();
  const patient = await createHost({}, { server: { ...serverLimits({ requestMs: 90_000 }) } });
  expect(patient.app.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 90_000 });
  await patient.app.close();
});
