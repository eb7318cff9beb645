import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { health } from './health.js';
import { svc } from './plugin.js';
import { orderService } from './testing/order-service.js';

const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const;

async function inScope(scope: FastifyInstance): Promise<void> {
  await scope.register(svc(orderService()), { prefix: 'v2' });
}

it.each(['/openapi.json', '/asyncapi.json', '/docs', '/docs/page.js', '/health/live', '/health/ready'])(
  'another method on %s returns 405 with the allowed ones',
  async (url) => {
    const app = Fastify();
    const service = orderService();
    await app.register(svc(service), { prefix: '/api' });
    await app.register(health(service), { prefix: '/api' });
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await app.inject({ method, url: `/api${url}` });
      expect([answer.statusCode, answer.headers['allow'], answer.headers['content-type']]).toEqual([
        405,
        'GET, HEAD',
        'application/problem+json; charset=utf-8',
      ]);
    }
    expect((await app.inject({ method: 'POST', url: `/api${url}/x` })).statusCode).toBe(404);
  },
);

describe('another method on a command route', () => {
  it.each(otherMethods)('returns 405 for %s with Allow: POST', async (method) => {
    const app = Fastify();
    await app.register(svc(orderService()));
    const answer = await app.inject({ method: method as 'GET', url: '/orders?page=1' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers['allow']).toBe('POST');
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    if (method === 'HEAD') return;
    expect(answer.json()).toMatchObject({
      type: 'urn:svc:problem:method-not-allowed',
      status: 405,
      detail: `${method} is not allowed here; POST is.`,
      instance: '/orders',
    });
  });

  it('returns 405 before the body is read', async () => {
    const app = Fastify();
    await app.register(svc(orderService()));
    const answer = await app.inject({
      method: 'PUT',
      url: '/orders',
      headers: { 'content-type': 'application/json' },
      payload: '{"broken":',
    });
    expect(answer.statusCode).toBe(405);
  });

  it('returns 405 below a prefix, and in a scope with its own prefix', async () => {
    const app = Fastify();
    await app.register(svc(orderService()), { prefix: '/api' });
    await app.register(inScope, { prefix: '/nested' });
    expect((await app.inject({ method: 'GET', url: '/api/orders' })).statusCode).toBe(405);
    expect((await app.inject({ method: 'GET', url: '/nested/v2/orders' })).statusCode).toBe(405);
    expect((await app.inject({ method: 'GET', url: '/orders' })).statusCode).toBe(404);
  });

  it('compares paths as the router is configured to', async () => {
    const strict = Fastify();
    await strict.register(svc(orderService()));
    const loose = Fastify({ routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } });
    await loose.register(svc(orderService()));
    expect((await strict.inject({ method: 'GET', url: '/orders/' })).statusCode).toBe(404);
    expect((await strict.inject({ method: 'GET', url: '/ORDERS' })).statusCode).toBe(404);
    expect((await strict.inject({ method: 'GET', url: '/%6Frders' })).statusCode).toBe(405);
    expect((await loose.inject({ method: 'GET', url: '/orders/' })).statusCode).toBe(405);
    expect((await loose.inject({ method: 'GET', url: '/ORDERS' })).statusCode).toBe(405);
  });

  it('has the headers of plugins that were registered later', async () => {
    const app = Fastify();
    await app.register(svc(orderService()));
    await app.register(helmet);
    await app.register(cors, { origin: 'https://shop.example' });
    const answer = await app.inject({
      method: 'DELETE',
      url: '/orders',
      headers: { origin: 'https://shop.example' },
    });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('a route of the user on the path of a command', () => {
  it.each(['before', 'after'])('is served if it was added %s the service, and listed in Allow', async (when) => {
    const app = Fastify();
    const listOrders = (): unknown => app.get('/orders', () => ({ orders: [] }));
    if (when === 'before') listOrders();
    await app.register(svc(orderService()));
    if (when === 'after') listOrders();
    const got = await app.inject({ method: 'GET', url: '/orders' });
    expect([got.statusCode, got.json()]).toEqual([200, { orders: [] }]);
    const put = await app.inject({ method: 'PUT', url: '/orders' });
    expect([put.statusCode, put.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    expect(put.json()).toMatchObject({ detail: 'PUT is not allowed here; GET and HEAD and POST are.' });
  });
});

describe('a path without a route', () => {
  it('is a 404 problem if the user has set no handler', async () => {
    const app = Fastify();
    await app.register(svc(orderService()));
    const answer = await app.inject({ method: 'GET', url: '/nowhere?x=1' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toEqual({
      type: 'urn:svc:problem:route-not-found',
      title: 'Route not found',
      status: 404,
      detail: 'There is no route /nowhere.',
      instance: '/nowhere',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    });
  });

  it('is answered by Fastify outside the prefix of the service', async () => {
    const app = Fastify();
    await app.register(svc(orderService()), { prefix: '/api' });
    expect((await app.inject({ method: 'GET', url: '/api/nowhere' })).json()).toMatchObject({
      type: 'urn:svc:problem:route-not-found',
      instance: '/api/nowhere',
    });
    expect((await app.inject({ method: 'GET', url: '/nowhere' })).json()).toMatchObject({ error: 'Not Found' });
    expect((await app.inject({ method: 'GET', url: '/apinowhere' })).json()).toMatchObject({ error: 'Not Found' });
  });

  it.each([
    ['before', ''],
    ['after', ''],
    ['before', '/api'],
    ['after', '/api'],
  ])("is the user's to answer when they set a handler %s the service (prefix '%s')", async (when, prefix) => {
    const app = Fastify();
    const setHandler = (): unknown =>
      app.setNotFoundHandler((request, reply) => reply.code(404).send({ mine: request.url }));
    if (when === 'before') setHandler();
    await app.register(svc(orderService()), { prefix });
    if (when === 'after') setHandler();
    const unknown = await app.inject({ method: 'GET', url: `${prefix}/nowhere` });
    expect(unknown.json()).toEqual({ mine: `${prefix}/nowhere` });
    expect((await app.inject({ method: 'GET', url: `${prefix}/orders` })).statusCode).toBe(405);
    expect((await app.inject({ method: 'POST', url: `${prefix}/orders`, payload: {} })).statusCode).toBe(400);
  });
});

it('does not change responses of other routes, also if they look like a 404', async () => {
  const app = Fastify();
  await app.register(svc(orderService()));
  app.get('/mine', (request, reply) => reply.code(404).send({ message: `Route GET:${request.url} not found` }));
  const answer = await app.inject({ method: 'GET', url: '/mine' });
  expect(answer.json()).toEqual({ message: 'Route GET:/mine not found' });
});
