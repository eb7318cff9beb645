/** The headers for browsers on every response of the reference service; tests/pages checks in a browser that its pages comply. */
import { newId } from '@svc/core';
import { prometheus } from '@svc/telemetry/prometheus';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost, type OrdersHost } from '../../examples/orders/src/host.js';

let host: OrdersHost;
beforeAll(async () => {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } }, { prometheus: prometheus() });
});
afterAll(() => host.app.close());

const send = (request: InjectOptions | string): Promise<LightMyRequestResponse> => host.app.inject(request);
const policy = (sources = ''): string =>
  `default-src 'none'; ${sources}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

describe('a page', () => {
  it.each([
    ['/docs', policy("script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; ")],
    ['/docs/page.css', policy()],
    ['/docs/page.js', policy()],
    ['/openapi.json', policy()],
    ['/asyncapi.json', policy()],
    ['/graphql', policy("script-src 'self'; style-src 'self'; img-src data:; font-src data:; connect-src 'self'; ")],
    ['/graphql/explorer.js', policy()],
    ['/graphql/explorer.css', policy()],
    ['/metrics', policy()],
    ['/health/live', policy()],
    ['/health/ready', policy()],
  ])('is restricted: %s', async (url, expected) => {
    const { statusCode, headers } = await send({ url, headers: { accept: 'text/html' } });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-security-policy': expected,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it.each(['/docs', '/graphql'])('has nothing inline, and loads only files of the service: %s', async (url) => {
    const { body: page } = await send({ url, headers: { accept: 'text/html' } });
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]* src=)|<base|<form|<iframe|<object/i);
    const loaded = [...page.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
    const files = loaded.filter((path) => path !== 'data:,');
    expect(files).toHaveLength(2);
    for (const path of files) {
      const { origin, pathname } = new URL(path, `http://service${url}`);
      expect([origin, (await send(pathname)).statusCode]).toEqual(['http://service', 200]);
    }
  });
});

describe('every other response', () => {
  const order = {
    customerId: newId(),
    lineItems: [{ productId: 'pen', quantity: 1, unitPrice: '1.50' }],
    shippingAddress: { street: '1 Main Street', city: 'Springfield', state: 'IL', zipCode: '62701' },
  };
  const post = (url: string, payload: object, headers = {}): InjectOptions => ({
    method: 'POST',
    url,
    payload,
    headers,
  });

  it.each<[name: string, status: number, InjectOptions]>([
    ['a result', 200, post('/orders', order)],
    ['a result under a key', 200, post('/orders', order, { 'idempotency-key': 'a' })],
    ['a problem', 400, post('/orders', {})],
    ['an unknown route', 404, { url: '/unknown' }],
    ['another method', 405, { method: 'DELETE', url: '/orders' }],
    ['a list of models', 200, { url: '/orders' }],
    ['a missing model', 404, { url: `/orders/${newId()}` }],
    ['a result over GraphQL', 200, post('/graphql', { query: '{ __typename }' })],
    ['a rejected document', 200, post('/graphql', { query: '{' })],
    ['another method over GraphQL', 405, { method: 'PUT', url: '/graphql' }],
  ])('must not be sniffed: %s', async (_name, status, request) => {
    const { statusCode, headers } = await send(request);
    expect([statusCode, headers['x-content-type-options']]).toEqual([status, 'nosniff']);
  });
});
