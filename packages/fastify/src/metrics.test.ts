import { InMemoryStorage, type Service } from '@svc/core';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { apiKeyAuthentication, newApiKey, type MeasuredRequest, type MetricsOptions } from '@svc/http';
import { metrics } from './metrics.js';
import { svc } from './plugin.js';
import { orderBody, orderService } from './testing/order-service.js';
import { securedService } from './testing/secured-service.js';

let app: FastifyInstance;
afterEach(() => app.close());

const measured: MeasuredRequest[] = [];
const source = {
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  read: () => Promise.resolve('up 1\n'),
  answered: (request: MeasuredRequest) => void measured.push(request),
};

async function serve(service: Service, options?: MetricsOptions): Promise<void> {
  measured.length = 0;
  app = Fastify();
  await app.register(metrics(service, source, options));
  await app.register(svc(service));
  app.get('/items/:id', () => 'ok');
}

describe('the route', () => {
  it('serves the metrics as text that must not be cached', async () => {
    await serve(orderService());
    const answer = await app.inject('/metrics');
    expect([answer.statusCode, answer.body]).toEqual([200, 'up 1\n']);
    expect(answer.headers).toMatchObject({ 'content-type': source.contentType, 'cache-control': 'no-store' });
  });

  it('exists only if it is registered', async () => {
    app = Fastify();
    await app.register(svc(orderService()));
    expect((await app.inject('/metrics')).statusCode).toBe(404);
  });

  it('can have another path', async () => {
    await serve(orderService(), { path: '/internal/metrics' });
    expect((await app.inject('/internal/metrics')).statusCode).toBe(200);
    expect((await app.inject('/metrics')).statusCode).toBe(404);
  });

  const scraper = newApiKey();
  const other = newApiKey();
  const keys = apiKeyAuthentication({
    keys: [
      { sha256: scraper.sha256, scope: { userId: 'scraper' }, permissions: ['metrics:read'] },
      { sha256: other.sha256, scope: { userId: 'other' }, permissions: ['orders:write'] },
    ],
  });

  it('requires the permission metrics:read in a service with authentication', async () => {
    await serve(securedService(keys));
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await app.inject({ url: '/metrics', headers })).statusCode;
    expect(await status({})).toBe(401);
    expect(await status({ 'x-api-key': other.key })).toBe(403);
    expect(await status({ 'x-api-key': scraper.key })).toBe(200);
  });

  it('can require another permission, or none', async () => {
    await serve(securedService(keys), { requires: 'orders:write' });
    expect((await app.inject({ url: '/metrics', headers: { 'x-api-key': other.key } })).statusCode).toBe(200);
    await app.close();
    await serve(securedService(keys), { allowAnonymous: true });
    expect((await app.inject('/metrics')).statusCode).toBe(200);
  });
});

it('measures every request by its route, not its path', async () => {
  const service = orderService().useStorage(new InMemoryStorage());
  await serve(service);
  await app.inject({ method: 'POST', url: '/orders?x=1', payload: orderBody() });
  await app.inject({ method: 'POST', url: '/orders', payload: {} });
  await app.inject('/items/0192d3c5');
  await app.inject('/made-up/0192d3c5');
  expect(measured.map(({ seconds: _seconds, ...rest }) => rest)).toEqual([
    { method: 'POST', route: '/orders', status: 200 },
    { method: 'POST', route: '/orders', status: 400 },
    { method: 'GET', route: '/items/:id', status: 200 },
    { method: 'GET', route: null, status: 404 },
  ]);
  for (const { seconds } of measured) expect(seconds).toBeGreaterThan(0);
});
