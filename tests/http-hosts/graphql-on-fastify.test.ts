/** GraphQL together with the hooks and plugins of a Fastify host. */
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { as, ordersService } from './orders.js';

it('adds to the Vary header of a plugin of the host', async () => {
  const app = Fastify();
  app.addHook('onRequest', async (_request, reply) => void reply.header('vary', 'Origin'));
  const { service } = await ordersService();
  await app.register(svc(service, { graphql: graphQL() }));
  const answer = await app.inject({ url: '/graphql?query={__typename}', headers: { accept: '*/*', ...as.reader } });
  expect([answer.statusCode, answer.headers['vary']]).toEqual([200, 'Origin, Accept']);
  await app.close();
  await service.stop();
});

it("answers an error of a host's own hook in the format of GraphQL", async () => {
  const app = Fastify();
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['x-fail'] === 'limit') {
      throw Object.assign(new Error('Slow down.'), { statusCode: 429, headers: { 'retry-after': '7' } });
    }
    if (headers['x-fail'] === 'bug') throw new Error('secret');
  });
  const { service } = await ordersService();
  await app.register(svc(service, { graphql: graphQL() }));
  const limited = await app.inject({ method: 'POST', url: '/graphql', headers: { 'x-fail': 'limit' } });
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '7']);
  expect(limited.json()).toEqual({ errors: [{ message: 'Slow down.', extensions: { code: 'TOO_MANY_REQUESTS' } }] });
  const failed = await app.inject({ method: 'POST', url: '/graphql', headers: { 'x-fail': 'bug' } });
  expect([failed.statusCode, failed.body]).toEqual([500, expect.not.stringContaining('secret') as string]);
  await app.close();
  await service.stop();
});
