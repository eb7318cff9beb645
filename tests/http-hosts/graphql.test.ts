/** What GraphQL guarantees on every host, on real servers with real clients. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { graphQL } from '@svc/graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { subscribe } from '../live/subscription-client.js';
import { hosts, type Listening, type LogLine } from './hosts.js';
import { as, orderBody, ordersService, type Orders } from './orders.js';

const create = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';
const bodyLimit = 4_000;

interface GraphQLAnswer {
  readonly data?: Record<string, Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

describe.each(hosts)('on $name, GraphQL', ({ name, start }) => {
  let orders: Orders;
  let host: Listening;
  let base: string;
  const lines: LogLine[] = [];
  beforeAll(async () => {
    orders = await ordersService();
    host = await start(orders, lines, { graphql: graphQL({ bodyLimit, development: true }) });
    base = `http://127.0.0.1:${host.port}`;
  });
  afterEach(() => {
    orders.whileOrdering = () => {};
    lines.length = 0;
  });
  afterAll(() => host.stop());

  const accept = { accept: 'application/graphql-response+json' };
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...accept, ...as.writer, ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    });
  const ordering = (changes: Record<string, unknown> = {}): object => ({
    query: create,
    variables: { command: orderBody(changes) },
  });
  const get = (query: string, headers: Record<string, string> = as.reader): Promise<Response> =>
    fetch(`${base}/graphql?${new URLSearchParams({ query }).toString()}`, { headers: { ...accept, ...headers } });

  /** The status and the code of the first error. */
  async function rejection(answer: Response): Promise<readonly [status: number, code: unknown]> {
    expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const { errors } = (await answer.json()) as GraphQLAnswer;
    return [answer.status, errors![0]!.extensions['code']];
  }

  it('runs a mutation, and a query that waits for its event, with POST and with GET', async () => {
    const answer = await post(ordering());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/graphql-response+json; charset=utf-8',
    ]);
    const { data } = (await answer.json()) as GraphQLAnswer;
    const { orderId } = data!['createOrder']!;
    const after = answer.headers.get('svc-last-event');
    const query = `{ order(id: "${String(orderId)}", afterEvent: "${after}") { orderId } }`;
    const expected = { data: { order: { orderId } } };
    expect(await (await post({ query }, as.reader)).json()).toEqual(expected);
    const got = await get(query);
    expect([got.status, got.headers.get('cache-control'), got.headers.get('vary')]).toEqual([
      200,
      'private, no-cache',
      'Accept',
    ]);
    expect(await got.json()).toEqual(expected);
  });

  it('gives each of many concurrent mutations its own caller', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post(ordering(), i % 3 === 0 ? as.reader : as.writer)),
    );
    const codes = await Promise.all(
      answers.map(async (one) => ((await one.json()) as GraphQLAnswer).errors?.[0]?.extensions['code']),
    );
    expect(codes).toEqual(Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 'FORBIDDEN' : undefined)));
  });

  it('rejects other methods with 405 and the allowed ones, and mutations with GET', async () => {
    const put = await fetch(`${base}/graphql`, { method: 'PUT', headers: { ...accept, ...as.writer }, body: '{}' });
    expect(put.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await rejection(put)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const mutation = await get('mutation { __typename }', as.writer);
    expect(mutation.headers.get('allow')).toBe('POST');
    expect(await rejection(mutation)).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });

  it('rejects a query that a page of another site embeds', async () => {
    const headers = { ...accept, ...as.reader, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(`${base}/graphql?query={__typename}`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      });
      sent.on('error', reject).end();
    });
    expect(status).toBe(403);
  });

  it.each([
    ['a body that is not JSON', '{', {}, 400, 'MALFORMED_JSON'],
    ['an empty body', '', {}, 400, 'MALFORMED_JSON'],
    [
      'a key that could reach a prototype',
      '{"query":"{ __typename }","x":{"__proto__":{}}}',
      {},
      400,
      'INVALID_REQUEST',
    ],
    ['another type', '{ __typename }', { 'content-type': 'application/graphql' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an unknown field', '{"query":"{ unknown }"}', {}, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a body above its own limit', JSON.stringify({ query: '#'.repeat(bodyLimit) }), {}, 413, 'CONTENT_TOO_LARGE'],
    [
      'one that is above it after decoding',
      gzipSync(JSON.stringify({ query: '#'.repeat(bodyLimit) })),
      { 'content-encoding': 'gzip' },
      413,
      'CONTENT_TOO_LARGE',
    ],
  ] as const)('rejects %s', async (_what, body, headers, status, code) => {
    expect(await rejection(await post(body, headers))).toEqual([status, code]);
  });

  it('decodes bodies', async () => {
    const answer = await post(gzipSync(JSON.stringify(ordering())), { 'content-encoding': 'gzip' });
    expect(await answer.json()).toMatchObject({ data: { createOrder: { orderId: expect.any(String) as string } } });
  });

  it('authenticates before it reads the body', async () => {
    const socket = connect(host.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).toContain('\r\nwww-authenticate: ');
    expect(answer).toContain('UNAUTHENTICATED');
    socket.destroy();
  });

  it('hides the cause of a failure from the client, and logs it under the trace id of the client', async () => {
    orders.whileOrdering = () => {
      throw new TypeError('secret cause');
    };
    const traceId = 'a'.repeat(32);
    const answer = await post(ordering(), { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.not.stringContaining('secret') as string]);
    expect((JSON.parse(text) as GraphQLAnswer).errors![0]!.extensions).toMatchObject({
      code: 'INTERNAL_ERROR',
      traceId,
    });
    await expect.poll(() => lines.filter(({ err }) => err?.message?.includes('secret cause')).length).toBe(1);
    expect(lines.find(({ err }) => err !== undefined)!.traceId).toBe(traceId);
  });

  it('returns the first result for a repeated key', async () => {
    const key = { 'idempotency-key': `graphql-${name.replace(/\W/g, '')}` };
    const [first, again] = [await post(ordering(), key), await post(ordering(), key)];
    expect(await again.text()).toBe(await first.text());
  });

  it('cancels the mutation of a client that disconnects', async () => {
    let begun!: () => void;
    const running = new Promise<void>((resolve) => (begun = resolve));
    const aborted = new Promise<void>((resolve) => {
      orders.whileOrdering = ({ signal }) => {
        begun();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve();
            reject(signal.reason as Error);
          });
        });
      };
    });
    const headers = { 'content-type': 'application/json', ...as.writer };
    const client = request(`${base}/graphql`, { method: 'POST', headers });
    client.on('error', () => {});
    client.end(JSON.stringify(ordering()));
    await running;
    client.destroy();
    await aborted;
    expect((await post({ query: '{ __typename }' })).status, 'the host goes on').toBe(200);
  });

  it('streams a subscription until the client is gone, and ends it when the host stops', async () => {
    const query = 'subscription { orders(sort: "-placedAt", pageSize: 1) { keys changed { key model { status } } } }';
    const client = subscribe({ urls: [base], query, headers: as.reader });
    await expect.poll(() => client.results.length).toBe(1);
    const created = (await (await post(ordering())).json()) as GraphQLAnswer;
    await expect.poll(() => client.keys).toEqual([created.data!['createOrder']!['orderId']]);
    expect(client.models).toEqual([{ status: 'open' }]);
    client.close();
    await expect.poll(() => orders.service.watches).toBe(0);
    const last = subscribe({ urls: [base], query, headers: as.reader });
    await expect.poll(() => last.results.length).toBe(1);
    orders.service.endWatches();
    await expect.poll(() => [last.isComplete, last.isEnded]).toEqual([false, true]);
  });

  it('shows browsers the explorer, restricted, and HEAD without a body', async () => {
    const html = { accept: 'text/html' };
    const page = await fetch(`${base}/graphql`, { headers: html });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const [, script] = /<script type="module" src="([^"]+)"/.exec(await page.text())!;
    const file = await fetch(new URL(script!, `${base}/graphql`));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    const head = await fetch(`${base}/graphql`, { method: 'HEAD', headers: html });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
