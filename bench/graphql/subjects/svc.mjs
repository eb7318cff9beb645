/** svc with its defaults: generated schema, reader and endpoint, hooks, dispatcher, and a unit of work that commits one event. */
import { svcGraphQL } from '@svc/graphql';
import { portOf } from '../../lib/port-of.mjs';
import { Fastify } from '../../lib/repository-fastify.mjs';
import { createOrders } from '../../http/svc/dist/index.js';

export async function listen() {
  const app = Fastify();
  await app.register(svcGraphQL(createOrders()));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
