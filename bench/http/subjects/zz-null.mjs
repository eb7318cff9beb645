import { svc } from '@svc/fastify';
import { portOf } from '../port-of.mjs';
import { Fastify } from '../repository-fastify.mjs';
import { createOrders } from '../svc/dist/index.js';
export async function listen() {
  const app = Fastify();
  const s = createOrders(); const done = Promise.resolve([]);
  s.useStorage({ commit: () => done, async *readStream() {}, async *readAll() {}, lastPosition: async () => -1 });
  await app.register(svc(s));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
