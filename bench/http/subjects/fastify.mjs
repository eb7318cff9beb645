/** Fastify with its defaults, a schema for the body (ajv) and one for the response (fast-json-stringify). */
import { randomUUID } from 'node:crypto';
import { orderCreatedSchema, orderSchema } from '../../lib/order-schema.mjs';
import { portOf } from '../../lib/port-of.mjs';
import { Fastify } from '../../lib/repository-fastify.mjs';

export async function listen() {
  const app = Fastify();
  const schema = { body: orderSchema, response: { 200: orderCreatedSchema } };
  app.post('/orders', { schema }, async () => ({ orderId: randomUUID() }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
}
