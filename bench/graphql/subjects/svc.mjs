/** svc with its defaults: generated schema, reader and endpoint, hooks, dispatcher, and a unit of work that commits one event. */
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import { portOf } from '../../lib/port-of.mjs';
import { Fastify } from '../../lib/repository-fastify.mjs';
import { createOrders } from '../../http/svc/dist/index.js';

export async function listen() {
  const app = Fastify();
  await app.register(svc(createOrders(), { graphql: graphQL() }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
