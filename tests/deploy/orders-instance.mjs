/**
 * One version of examples/orders in a process of its own: `node orders-instance.mjs <version> <database>`. Versions that are called `v2…`
 * or `v3…` differ in what they make of an order; one that starts with `bad` is a v2 that fails every fifth command, as a broken release would,
 * and one that starts with `dead` ends before it is ready.
 */
import { drainOnSignals } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { createHost } from '../../examples/orders/dist/host.js';
import { useOrderSummaryOf } from './order-summary-versions.mjs';
import { keyVault } from './shared-key-vault.mjs';

// As where instances are deployed: nothing for developers is served.
process.env.NODE_ENV = 'production';
const [, , version = '', url = ''] = process.argv;
const { HOST, PORT } = process.env;
if (version.startsWith('dead')) process.exit(1);
const isBad = version.startsWith('bad');
useOrderSummaryOf(isBad ? 'v2' : version);

const storage = postgres({ url, readers: 2, applicationName: `orders ${version}` });
const drain = { noticeMs: 100, limitMs: 20_000 };
const host = await createHost({}, { storage, keyVault, drain, server: { logger: { level: 'error' } } });

let commands = 0;
host.app.addHook('onRequest', (request, reply, done) => {
  reply.header('x-orders-version', version);
  if (request.method !== 'POST') return done();
  commands += 1;
  if (isBad && commands % 5 === 0) return void reply.code(500).send({ broken: true });
  done();
});
drainOnSignals(host.drain);
await host.app.listen({ host: HOST, port: Number(PORT) });
