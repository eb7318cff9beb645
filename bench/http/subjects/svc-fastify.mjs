/** svc with its defaults: generated endpoint, reader and writer, hooks, dispatcher, and a unit of work that commits one event. */
import { svc } from '@svc/fastify';
import { portOf } from '../../lib/port-of.mjs';
import { Fastify } from '../../lib/repository-fastify.mjs';
import { createOrders } from '../svc/dist/index.js';

export async function listen() {
  const app = Fastify();
  await app.register(svc(createOrders()));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
