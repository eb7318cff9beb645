/** The headers for browsers on every response of the reference service; its pages comply with the policy. */
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
    ['/docs', policy("style-src 'self'; ")],
    ['/docs/style.css', policy()],
    ['/openapi.json', policy()],
    ['/graphql', policy("script-src 'self'; style-src 'self'; connect-src 'self'; ")],
    ['/graphql/explorer.js', policy()],
    ['/graphql/explorer/operation-skeleton.js', policy()],
    ['/graphql/explorer/credential-header.js', policy()],
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
    expect(loaded.length).toBeGreaterThan(0);
    const seen = new Set<string>();
    for (const path of loaded) await expectOwn(new URL(path, `http://service${url}`), seen);
    expect(seen.size).toBeGreaterThanOrEqual(loaded.length);
  });
});

/** Follows the imports of scripts; stylesheets must not load anything. */
async function expectOwn(url: URL, seen: Set<string>): Promise<void> {
  expect(url.origin).toBe('http://service');
  seen.add(url.pathname);
  const { statusCode, body, headers } = await send(url.pathname);
  expect([url.pathname, statusCode]).toEqual([url.pathname, 200]);
  if (headers['content-type'] === 'text/css; charset=utf-8') expect(body).not.toMatch(/url\(|@import/);
  else expect(body).not.toMatch(/\beval\(|new Function|\.innerHTML|setAttribute\('style'|\.style\./);
  for (const [, path] of body.matchAll(/\bfrom '([^']+)'/g)) await expectOwn(new URL(path!, url), seen);
}

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
