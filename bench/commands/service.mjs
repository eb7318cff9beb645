/**
 * The service of `http/svc` with its events and audit records in a database, given in the address:
 * `service.mjs?storage=sqlite&target=<file>&audit=all`.
 */
import { InMemoryStorage } from '@svc/core';
import { svc } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { createOrders } from '../http/svc/dist/index.js';
import { portOf } from '../lib/port-of.mjs';
import { Fastify } from '../lib/repository-fastify.mjs';

export async function listen() {
  const parameters = new URL(import.meta.url).searchParams;
  const service = createOrders()
    .addService()
    .useStorage(storageOf(parameters.get('storage'), parameters.get('target') ?? ''));
  if (parameters.get('audit') === 'all') service.addSystemEventAuditing((options) => void options.enableAudit());
  const app = Fastify();
  await app.register(svc(service));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}

/** @param {string | null} name @param {string} target */
function storageOf(name, target) {
  if (name === 'postgres') return postgres({ url: target });
  return name === 'sqlite' ? sqlite({ file: target }) : new InMemoryStorage();
}
