/** What every host guarantees, on real servers with real clients. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { currentSecurityContext, runAsHost } from '@svc/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LiveClient } from '../live/live-client.js';
import { hosts, type Listening, type LogLine } from './hosts.js';
import { as, orderBody, ordersService, type Orders } from './orders.js';

describe.each(hosts)('on $name', ({ name, start }) => {
  let orders: Orders;
  let host: Listening;
  let base: string;
  const lines: LogLine[] = [];
  beforeAll(async () => {
    orders = await ordersService();
    host = await start(orders, lines, { openapi: { title: 'Orders' } });
    base = `http://127.0.0.1:${host.port}`;
  });
  afterEach(() => {
    orders.whileOrdering = () => {};
    lines.length = 0;
  });
  afterAll(() => host.stop());

  const get = (path: string, headers: Record<string, string> = as.reader): Promise<Response> =>
    fetch(base + path, { headers });
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${base}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as.writer, ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    });
  const problemOf = async (answer: Response): Promise<Record<string, unknown>> => {
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const problem = (await answer.json()) as Record<string, unknown>;
    expect(problem['status']).toBe(answer.status);
    expect(problem['traceId']).toMatch(/^[0-9a-f]{32}$/);
    return problem;
  };

  describe('bodies', () => {
    it('runs a command and returns its result, with the event to wait for', async () => {
      const answer = await post(orderBody());
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const { orderId } = (await answer.json()) as { orderId: string };
      const after = answer.headers.get('svc-last-event');
      const read = await get(`/orders/${orderId}?afterEvent=${after}`, { ...as.reader, prefer: 'wait=5' });
      expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
      expect(read.headers.get('preference-applied')).toBe('wait=5');
      expect(await read.json()).toMatchObject({ orderId });
      const list = await get('/orders?pageSize=1');
      expect(await list.json()).toMatchObject({ items: [{}], page: 1, pageSize: 1 });
    });

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const)('decodes %s', async (encoding, compress) => {
      const answer = await post(compress(JSON.stringify(orderBody())), { 'content-encoding': encoding });
      expect(answer.status).toBe(200);
    });

    it('rejects another encoding with 415, and names those that it accepts', async () => {
      const answer = await post('x', { 'content-encoding': 'compress' });
      expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br');
      expect((await problemOf(answer))['status']).toBe(415);
    });

    it.each([
      ['text/plain', 415],
      ['application/json; charset=latin1', 415],
    ])('rejects the type %s with %d', async (type, status) => {
      expect((await problemOf(await post('{}', { 'content-type': type })))['status']).toBe(status);
    });

    it.each([
      ['an empty body', ''],
      ['no JSON', '{"customerId":'],
      ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ])('rejects %s with 400', async (_what, body) => {
      expect((await problemOf(await post(body)))['type']).toBe('urn:svc:problem:malformed-json');
    });

    it('reports every invalid value with its place', async () => {
      const answer = await post(orderBody({ lineItems: [], customerId: 7 }));
      const { status, errors } = await problemOf(answer);
      expect(status).toBe(400);
      expect((errors as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual([
        '/customerId',
        '/lineItems',
      ]);
    });
  });

  describe('limits', () => {
    it('rejects a declared length above the limit before it is sent', async () => {
      const socket = connect(host.port, '127.0.0.1');
      socket.on('error', () => {});
      const head = `POST /orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-api-key: ${as.writer['x-api-key']}\r\n`;
      socket.write(`${head}content-length: 999999999\r\n\r\n{`);
      const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      // A fetch handler cannot close the connection: that is up to its host.
      if (!name.startsWith('fetch')) expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
      socket.destroy();
    });

    it('rejects a body that turns out to be above the limit, also after decoding', async () => {
      const large = `{"note":"${'x'.repeat(1024 * 1024)}"}`;
      expect((await problemOf(await post(gzipSync(large), { 'content-encoding': 'gzip' })))['status']).toBe(413);
    });

    it('answers a path with an invalid escape with 400, and one that is too long with 414', async () => {
      expect((await problemOf(await get('/orders/%zz')))['status']).toBe(400);
      expect((await problemOf(await get(`/orders/${'x'.repeat(401)}`)))['status']).toBe(414);
      expect((await problemOf(await get(`/orders/${'x'.repeat(400)}`)))['status']).toBe(404);
    });
  });

  describe('errors', () => {
    it('answers an unknown path with 404, and another method with 405 and the allowed ones', async () => {
      const other = await fetch(`${base}/orders`, { method: 'DELETE', headers: as.writer });
      expect(other.headers.get('allow')).toBe('GET, HEAD, POST');
      expect(await problemOf(other)).toMatchObject({
        status: 405,
        detail: 'DELETE is not allowed here; GET and HEAD and POST are.',
      });
      const unknown = await get('/nowhere');
      expect(unknown.status).toBe(404);
      // Within a framework, other paths are those of the framework.
      if (name !== 'Express' && name !== 'NestJS') {
        expect(await problemOf(unknown)).toMatchObject({ type: 'urn:svc:problem:route-not-found' });
      }
    });

    it('hides the cause of a failure from the client, and logs it under the trace id of the client', async () => {
      orders.whileOrdering = () => {
        throw new Error('the password is hunter2');
      };
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const answer = await post(orderBody(), { traceparent });
      const problem = await problemOf(answer);
      expect(problem).toMatchObject({ status: 500, traceId: '0af7651916cd43dd8448eb211c80319c', instance: '/orders' });
      expect(JSON.stringify(problem)).not.toContain('hunter2');
      const failures = lines.filter(({ message }) => message === 'request failed');
      expect(failures).toHaveLength(1);
      expect(failures[0]).toMatchObject({
        traceId: problem['traceId'],
        err: { message: 'the password is hunter2' },
        problem: 'urn:svc:problem:internal-error',
        method: 'POST',
        path: '/orders',
      });
    });

    it('survives an error with headers that cannot be sent', async () => {
      const headers = { 'x-good': 'yes', 'x-bad': 'a\r\nset-cookie: b', 'not a name': 'c' };
      orders.whileOrdering = () => {
        throw Object.assign(new Error('Short and stout.'), { statusCode: 418, expose: true, headers });
      };
      const answer = await post(orderBody());
      expect([answer.headers.get('x-good'), answer.headers.get('x-bad')]).toEqual(['yes', null]);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect((await problemOf(answer))['status']).toBe(418);
    });

    it('rejects unknown parameters', async () => {
      expect((await problemOf(await get('/orders?colour=red')))['status']).toBe(400);
    });
  });

  describe('access', () => {
    it('authenticates before it reads the body', async () => {
      const socket = connect(host.port, '127.0.0.1');
      socket.write(
        'POST /orders HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
      );
      const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer.toLowerCase()).toContain('www-authenticate: apikey header="x-api-key"');
      socket.destroy();
    });

    it('rejects a caller without the permission', async () => {
      expect((await problemOf(await post(orderBody(), as.reader)))['status']).toBe(403);
    });

    it('runs each of many concurrent commands as its own caller', async () => {
      const seen: (string | undefined)[] = [];
      orders.whileOrdering = async () => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        seen.push(currentSecurityContext()?.scope.userId);
      };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? post(orderBody(), as.reader) : post(orderBody()))),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? 403 : 200)));
      expect(seen).toEqual(Array(15).fill('writer'));
    });
  });

  describe('idempotency', () => {
    it('returns the first result for a repeated key, and 422 for another body under it', async () => {
      const key = { 'idempotency-key': `key-${name.replace(/\W/g, '')}` };
      const first = await post(orderBody(), key);
      const again = await post(orderBody(), key);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('svc-last-event')).toMatch(/^[0-9a-f-]{36}$/);
      expect(again.headers.get('svc-last-event')).toBe(first.headers.get('svc-last-event'));
      expect(await again.text()).toBe(await first.text());
      expect((await problemOf(await post(orderBody({ note: 'other' }), key)))['status']).toBe(422);
    });
  });

  describe('cancellation', () => {
    it('cancels the command of a client that disconnects, and stores nothing', async () => {
      let begun!: () => void;
      const running = new Promise<void>((resolve) => (begun = resolve));
      const aborted = new Promise<void>((resolve) => {
        orders.whileOrdering = (context) => {
          begun();
          return new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => {
              resolve();
              reject(context.signal.reason as Error);
            });
          });
        };
      });
      const before = await lastEvent();
      const client = request(`${base}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...as.writer },
      });
      client.on('error', () => {});
      client.end(JSON.stringify(orderBody()));
      await running;
      client.destroy();
      await aborted;
      await expect.poll(() => lines.some(({ message }) => message.startsWith('the client disconnected'))).toBe(true);
      expect(await lastEvent()).toBe(before);

      async function lastEvent(): Promise<number> {
        let count = 0;
        const events = runAsHost(() => orders.service.eventStore.readAll());
        for await (const { envelope } of events) if (envelope.type === 'orders.OrderPlaced') count += 1;
        return count;
      }
    });
  });

  describe('live queries', () => {
    it('sends the models and each change, and notices that the client is gone', async () => {
      const client = new LiveClient();
      const response = await client.connect(`${base}/orders/live?sort=-placedAt&pageSize=1`, as.reader);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      await expect.poll(() => client.events.length).toBe(1);
      const { orderId } = (await (await post(orderBody())).json()) as { orderId: string };
      await expect.poll(() => client.keys).toEqual([orderId]);
      client.close();
      await expect.poll(() => orders.service.watches).toBe(0);
    });
  });

  describe('pages and probes', () => {
    it('serves the API document and its page, restricted for browsers', async () => {
      expect(await (await get('/openapi.json')).json()).toMatchObject({ info: { title: 'Orders' } });
      const page = await get('/docs');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain('<title>Orders</title>');
    });

    it('answers probes without a credential', async () => {
      for (const path of ['/health/live', '/health/ready']) {
        const answer = await get(path, {});
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          200,
          'application/health+json; charset=utf-8',
        ]);
        expect(await answer.json()).toMatchObject({ status: 'pass' });
      }
    });

    it('answers HEAD like GET, without a body', async () => {
      const answer = await fetch(`${base}/openapi.json`, { method: 'HEAD' });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });
  });

  it('serves everything below a prefix, and nothing outside it', async () => {
    const below = await ordersService();
    const other = await start(below, [], { prefix: '/api' });
    const at = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${other.port}${path}`);
    expect((await at('/api/health/live')).status).toBe(200);
    expect((await at('/health/live')).status).toBe(404);
    expect(await (await at('/api/openapi.json')).json()).toMatchObject({ servers: [{ url: '/api' }] });
    await other.stop();
  });
});
