/**
 * examples/orders with authentication, in a process of its own: `node guarded-instance.mjs <version> <database> <api keys>`. Versions other than v1
 * ask for the permission `canary:use` where the header forces them.
 */
import { apiKeyAuthentication, canaryHeader, drainOnSignals } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { createHost } from '../../examples/orders/dist/host.js';
import { keyVault } from './shared-key-vault.mjs';

// As where instances are deployed: nothing for developers is served.
process.env.NODE_ENV = 'production';
const [, , version = '', url = '', keys = '[]'] = process.argv;
const { HOST, PORT } = process.env;
const authentication = () => [apiKeyAuthentication({ keys: JSON.parse(keys) })];
const storage = postgres({ url, readers: 2, applicationName: `orders ${version}` });
const server = { logger: { level: 'error' } };
const host = await createHost({}, { storage, keyVault, authentication, server, drain: { noticeMs: 100 } });
if (version !== 'v1') await host.app.register(canaryHeader(host.service, { requires: 'canary:use' }));
host.app.addHook('onRequest', (_request, reply, done) => {
  reply.header('x-orders-version', version);
  done();
});
drainOnSignals(host.drain);
await host.app.listen({ host: HOST, port: Number(PORT) });
