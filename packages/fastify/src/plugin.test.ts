import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { createService, InMemoryStorage } from '@svc/core';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { svc } from './plugin.js';
import { serverLimits } from './server-limits.js';
import { orderBody, orderRegistry, orderService } from './testing/order-service.js';

const valid = { method: 'POST', url: '/orders', payload: orderBody() } as const;
const invalid = { ...valid, payload: {} } as const;

describe('registering a service', () => {
  it('starts it, and fails if it cannot start', async () => {
    const service = createService(orderRegistry);
    await expect(Promise.resolve(Fastify().register(svc(service)))).rejects.toMatchObject({
      code: 'SVC_COMMAND_WITHOUT_RECEPTOR',
    });
    const app = Fastify();
    void app.register(svc(service));
    await expect(app.ready()).rejects.toMatchObject({ code: 'SVC_COMMAND_WITHOUT_RECEPTOR' });
  });

  it('waits for a database that takes longer than 10 s to open, with serverLimits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const storage = new InMemoryStorage();
    let opened: () => void = () => {};
    storage.open = () => new Promise((resolve) => (opened = resolve));
    const app = Fastify({ ...serverLimits() });
    void app.register(svc(orderService().useStorage(storage)));
    const ready = app.ready();
    await vi.advanceTimersByTimeAsync(60_000);
    opened();
    await ready;
    expect((await app.inject(valid)).statusCode).toBe(200);
  });

  it('serves it under a prefix', async () => {
    const app = Fastify();
    await app.register(svc(orderService()), { prefix: '/api' });
    expect((await app.inject({ ...valid, url: '/api/orders' })).statusCode).toBe(200);
    expect((await app.inject(valid)).statusCode).toBe(404);
  });

  it('serves it over HTTP/2 and HTTPS, with matching types', async () => {
    const app = Fastify({ http2: true });
    await app.register(svc(orderService()));
    expect((await app.inject(valid)).statusCode).toBe(200);
    const secure = Fastify({ https: {} });
    await secure.register(svc(orderService()), { prefix: '/api' });
    expect((await secure.inject({ ...valid, url: '/api/orders' })).statusCode).toBe(200);
  });

  it.each([0, -1, 1.5, Number.NaN])('rejects a body limit of %s', async (bodyLimit) => {
    await expect(Promise.resolve(Fastify().register(svc(orderService(), { bodyLimit })))).rejects.toThrow(
      'bodyLimit must be a whole number of bytes above 0',
    );
  });

  it('adds no route for an endpoint without one', async () => {
    const [endpoint] = orderRegistry.endpoints;
    const endpoints = [
      { ...endpoint!, name: 'NoRoute', restRoute: null },
      { ...endpoint!, name: 'EmptyRoute', restRoute: '' },
    ];
    const receptors = [{ name: 'R', command: endpoint!.command, create: () => ({ receive: () => null }) }];
    const app = Fastify();
    await app.register(svc(createService({ ...orderRegistry, endpoints, receptors })));
    expect((await app.inject(valid)).statusCode).toBe(404);
    expect((await app.inject({ ...valid, url: '/' })).statusCode).toBe(404);
  });

  it('names two endpoints with the same route', async () => {
    const app = Fastify();
    await app.register(svc(orderService()));
    await expect(Promise.resolve(app.register(svc(orderService())))).rejects.toMatchObject({
      code: 'SVC_DUPLICATE_ROUTE',
      message: expect.stringContaining('POST /orders of the command CreateOrder') as string,
    });
  });
});

describe("the host's own routes", () => {
  it('keep their body parsers, validation, errors and serialization', async () => {
    const app = Fastify();
    await app.register(svc(orderService()));
    app.post('/mine', { schema: { body: { type: 'object', required: ['a'] } } }, (request) => request.body);
    app.post('/text', (request) => request.body);
    app.get('/broken', () => {
      throw new Error('mine to show');
    });
    const text = await app.inject({
      method: 'POST',
      url: '/text',
      headers: { 'content-type': 'text/plain' },
      payload: 'hello',
    });
    expect(text.body).toBe('hello');
    const bad = await app.inject({ method: 'POST', url: '/mine', payload: {} });
    expect(bad.json()).toMatchObject({ code: 'FST_ERR_VALIDATION', message: "body must have required property 'a'" });
    expect((await app.inject({ method: 'GET', url: '/broken' })).json()).toMatchObject({ message: 'mine to show' });
  });
});

describe("the host's plugins", () => {
  it.each(['before', 'after'])(
    'set their headers on the responses of svc if they are registered %s svc',
    async (when) => {
      const app = Fastify();
      if (when === 'before') await app.register(helmet);
      await app.register(svc(orderService()));
      if (when === 'after') await app.register(helmet);
      for (const request of [valid, invalid, { method: 'GET', url: '/docs' } as const]) {
        const { headers } = await app.inject(request);
        expect(headers['content-security-policy']).toContain("default-src 'self'");
      }
    },
  );

  it('answer CORS preflights on routes of svc, and make its problems readable across origins', async () => {
    const app = Fastify();
    await app.register(cors, { origin: 'https://shop.example' });
    await app.register(svc(orderService()));
    const origin = 'https://shop.example';
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/orders',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST') as unknown,
      'access-control-allow-headers': 'content-type',
    });
    for (const request of [valid, invalid]) {
      const answer = await app.inject({ ...request, headers: { origin } });
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
    }
  });

  it('limit the rate of requests to svc: 429 as a problem, with Retry-After', async () => {
    const app = Fastify();
    await app.register(rateLimit, { max: 2, timeWindow: '1 minute' });
    await app.register(svc(orderService()));
    const answers = [await app.inject(valid), await app.inject(invalid), await app.inject(valid)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 429]);
    expect(answers[2]!.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': '60',
      'x-ratelimit-remaining': '0',
    });
    expect(answers[2]!.json()).toMatchObject({
      type: 'urn:svc:problem:too-many-requests',
      status: 429,
      detail: 'Rate limit exceeded, retry in 1 minute',
      instance: '/orders',
    });
  });

  it('see the command in preHandler hooks, and can reject it', async () => {
    const app = Fastify();
    const seen: unknown[] = [];
    app.addHook('preHandler', async (request) => {
      seen.push((request.body as object).constructor.name);
      throw Object.assign(new Error('Show your badge.'), { statusCode: 401, headers: { 'x-badge': 'none' } });
    });
    await app.register(svc(orderService()));
    const answer = await app.inject(valid);
    expect(seen).toEqual(['CreateOrder']);
    expect(answer.json()).toMatchObject({ type: 'urn:svc:problem:unauthenticated', detail: 'Show your badge.' });
    expect(answer.headers['x-badge']).toBe('none');
  });
});
