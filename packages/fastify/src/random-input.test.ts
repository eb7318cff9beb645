import * as fc from 'fast-check';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { svc } from './plugin.js';
import { listen, post } from './testing/http.js';
import { orderBody, orderService } from './testing/order-service.js';

const app = Fastify();
const service = orderService();
let port: number;

beforeAll(async () => {
  await app.register(svc(service));
  port = await listen(app);
});

afterAll(async () => {
  await app.close();
  await service.stop();
});

/** Values of declared properties, keys of Object.prototype, and arbitrary JSON. */
const bodies = fc.oneof(
  fc.json(),
  fc
    .record({ customerId: fc.jsonValue(), lineItems: fc.jsonValue(), shippingAddress: fc.jsonValue() })
    .map((fields) => JSON.stringify(orderBody(fields))),
  fc.jsonValue().map((attributes) => JSON.stringify(orderBody({ attributes, customerId: null }))),
  fc
    .dictionary(fc.constantFrom('customerId', '__proto__', 'constructor', 'toString', 'lineItems', ''), fc.jsonValue())
    .map((fields) => JSON.stringify(fields)),
  fc.string({ unit: 'binary' }),
);

it('rejects arbitrary input and never fails', async () => {
  const seed = Date.now() % 0x7fffffff;
  console.log(`random input: seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, json } = await post(port, body);
      expect(status).toBe(400);
      expect(json).toMatchObject({ status: 400, instance: '/orders' });
    }),
    { seed, numRuns: 500 },
  );
});
