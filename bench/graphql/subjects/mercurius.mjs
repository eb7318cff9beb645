/** Mercurius with its defaults and JIT: the schema of the svc subject, and a resolver that only creates an id. */
import { randomUUID } from 'node:crypto';
import mercurius from 'mercurius';
import { portOf } from '../../lib/port-of.mjs';
import { Fastify } from '../../lib/repository-fastify.mjs';
import { sdl } from '../sdl.mjs';

export async function listen() {
  const app = Fastify();
  const resolvers = { Mutation: { createOrder: async () => ({ orderId: randomUUID() }) } };
  await app.register(mercurius, { schema: sdl, resolvers, jit: 1 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
