/**
 * openapi-fetch against the reference service, with types that allow every request. Those of the served document are in
 * long/generated-clients.long.ts.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import createClient, { type Client } from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost, type OrdersHost } from '../../examples/orders/src/host.js';
import { order } from '../../examples/orders/src/testing/secured-orders.js';

interface Problem {
  readonly type: string;
  readonly status: number;
  readonly traceId: string;
}

/** Any path with any method. */
interface Operation {
  readonly parameters: { readonly query?: Record<string, unknown>; readonly path?: Record<string, string> };
  readonly requestBody?: { readonly content: { readonly 'application/json': unknown } };
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': Record<string, unknown> } };
    readonly default: { readonly content: { readonly 'application/problem+json': Problem } };
  };
}
type Paths = Record<string, Record<'get' | 'post' | 'put', Operation>>;

let host: OrdersHost;
let url: string;
let client: Client<Paths>;
beforeAll(async () => {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } });
  url = await host.app.listen({ host: '127.0.0.1', port: 0 });
  client = createClient<Paths>({ baseUrl: url });
});
afterAll(() => host.app.close());

it('sends a command, reads its effect, and lists with a filter', async () => {
  const { data: created, response } = await client.POST('/orders', { body: order });
  const orderId = String(created!['orderId']);
  const afterEvent = response.headers.get('svc-last-event');
  const read = await client.GET('/orders/{id}', { params: { path: { id: orderId }, query: { afterEvent } } });
  expect(read.data).toMatchObject({ orderId, status: 'open' });
  for (const query of [{ filter: { status: 'open' } }, { 'filter[status][eq]': 'open' }]) {
    const listed = await client.GET('/orders', { params: { query } });
    expect([listed.error, listed.data]).toMatchObject([undefined, { items: [{ orderId }] }]);
  }
});

describe('receives a problem with a trace id', () => {
  const problem = (name: string, status: number): object => ({
    type: `urn:svc:problem:${name}`,
    status,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });

  it('for an invalid body, with the place of each error', async () => {
    const { error } = await client.POST('/orders', { body: { ...order, lineItems: [], customerId: 7 } });
    expect(error).toMatchObject({
      ...problem('invalid-request', 400),
      errors: [{ pointer: '/customerId' }, { pointer: '/lineItems' }],
    });
  });

  it.each([
    ['an unknown key of 400 characters', 'x'.repeat(400), 'not-found', 404],
    ['a key that is too long', 'x'.repeat(401), 'uri-too-long', 414],
    ['an invalid escape in the path', '%zz', 'bad-request', 400],
  ])('for %s', async (_what, id, name, status) => {
    const { error } = await client.GET('/orders/{id}', {
      params: { path: { id } },
      // Without the encoding of the client, so that an invalid escape is sent.
      pathSerializer: (path, given) => path.replace('{id}', String(given['id'])),
    });
    expect(error).toMatchObject(problem(name, status));
  });

  it.each(['/openapi.json', '/docs', '/health/live', '/health/ready'])('for another method on %s', async (path) => {
    const { error, response } = await client.PUT(path, { body: {} });
    expect(error).toMatchObject(problem('method-not-allowed', 405));
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('sends compressed bodies', () => {
  const send = (encoding: string, compress: (text: string) => Uint8Array): ReturnType<typeof client.POST> =>
    client.POST('/orders', {
      body: order,
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      bodySerializer: (body) => compress(JSON.stringify(body)),
    });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('that are accepted: %s', async (encoding, compress) => {
    const { data } = await send(encoding, compress);
    expect(data).toEqual({ orderId: expect.any(String) as string });
  });

  it('that are rejected, with the encodings that are accepted', async () => {
    const { error, response } = await send('compress', gzipSync);
    expect(error).toMatchObject({ status: 415 });
    expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br');
  });
});
