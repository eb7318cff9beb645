/** Clients that are slow, silent or do not read, on real sockets and with short limits. */
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { svc } from './plugin.js';
import type { ServerLimitOptions } from '@svc/http';
import { serverLimits } from './server-limits.js';
import { connected, listen, post, until } from './testing/http.js';
import { orderBody, orderService } from './testing/order-service.js';

let app: FastifyInstance | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
});

async function serving(
  limits: ServerLimitOptions,
  prepare: (host: FastifyInstance) => void = () => {},
): Promise<number> {
  app = Fastify({ ...serverLimits({ checkMs: 20, ...limits }) });
  await app.register(svc(orderService()));
  prepare(app);
  return await listen(app);
}

interface Client {
  readonly socket: Socket;
  received: string;
  /** After how many milliseconds the server closed the connection. */
  closedAfter: number | undefined;
}

async function client(port: number, text: string): Promise<Client> {
  const socket = await connected(port);
  sockets.push(socket);
  const started = performance.now();
  const made: Client = { socket, received: '', closedAfter: undefined };
  socket.on('data', (chunk) => (made.received += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => (made.closedAfter = performance.now() - started));
  socket.write(text);
  return made;
}

const isClosed = (made: Client) => () => made.closedAfter !== undefined;
const head = 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a client', () => {
  it.each([
    ['that sends nothing', ''],
    ['whose headers never end', head],
    ['whose second request has headers that never end', `GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n${head}`],
  ])('%s gets 408 and is disconnected after headersMs', async (_name, text) => {
    const slow = await client(await serving({ headersMs: 200, requestMs: 30_000 }), text);
    await until(isClosed(slow), 'the end of the connection');
    expect(slow.closedAfter).toBeGreaterThan(150);
    expect(slow.received).toMatch(/(?:^|\})HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('whose body stalls after 4 of 500 bytes gets 408 and is disconnected after requestMs', async () => {
    const slow = await client(
      await serving({ headersMs: 200, requestMs: 300 }),
      `${head}Content-Length: 500\r\n\r\n{"cu`,
    );
    await until(isClosed(slow), 'the end of the connection');
    expect(slow.closedAfter).toBeGreaterThan(250);
    expect(slow.received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('whose body arrives byte by byte is disconnected after requestMs', async () => {
    const slow = await client(await serving({ headersMs: 200, requestMs: 300 }), `${head}Content-Length: 500\r\n\r\n`);
    const trickle = setInterval(() => slow.socket.write('x'), 20);
    await until(isClosed(slow), 'the end of the connection').finally(() => clearInterval(trickle));
    expect(slow.received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('that keeps a connection open without a request is disconnected after keepAliveMs', async () => {
    const idle = await client(await serving({ keepAliveMs: 200 }), 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(isClosed(idle), 'the end of the connection');
    expect(idle.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(idle.closedAfter).toBeGreaterThan(150);
  });

  it('that does not read its response is disconnected after idleMs', async () => {
    const port = await serving({ idleMs: 300 }, (host) => {
      // Exceeds the buffers of a connection.
      host.get('/large', () => 'x'.repeat(50 * 2 ** 20));
    });
    const started = performance.now();
    const silent = await client(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    silent.socket.pause();
    await countOf(app!, 0);
    expect(performance.now() - started).toBeGreaterThan(250);
  });

  it('that is fast is not affected by the limits', async () => {
    const port = await serving({ headersMs: 500, requestMs: 500, keepAliveMs: 500, idleMs: 500 });
    expect((await post(port, orderBody())).status).toBe(200);
  });
});

/** Waits until the server has this many connections. */
async function countOf({ server }: FastifyInstance, wanted: number): Promise<void> {
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, found) => resolve(found)));
  await until(async () => (await count()) === wanted, `${wanted} connections`);
}

it('applies only idleMs to HTTP/2', async () => {
  const http2 = Fastify({ http2: true, ...serverLimits({ checkMs: 20, headersMs: 100, requestMs: 100, idleMs: 400 }) });
  await http2.register(svc(orderService()));
  const port = await listen(http2 as unknown as FastifyInstance);
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  try {
    const request = session.request({ ':method': 'POST', ':path': '/orders', 'content-type': 'application/json' });
    const status = new Promise((resolve) => request.once('response', (headers) => resolve(headers[':status'])));
    // Longer than HTTP/1 would allow.
    setTimeout(() => request.end(JSON.stringify(orderBody())), 200);
    expect(await status).toBe(200);
    // Node 24 ends a stream only after its data were read.
    request.resume();
    request.close();
    await until(() => session.destroyed, 'the end of the session');
  } finally {
    session.destroy();
    await http2.close();
  }
});

it('has a default for each limit, and accepts other values', () => {
  expect(serverLimits()).toMatchObject({
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: 120_000,
    http2SessionTimeout: 120_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
  });
  expect(serverLimits({ headersMs: 1, requestMs: 2, checkMs: 3, keepAliveMs: 4, idleMs: 5 })).toMatchObject({
    requestTimeout: 2,
    keepAliveTimeout: 4,
    connectionTimeout: 5,
    http2SessionTimeout: 5,
    http: { headersTimeout: 1, connectionsCheckingInterval: 3 },
  });
});

it.each([
  [{ requestMs: 0 }, 'requestMs must be a whole number of milliseconds'],
  [{ idleMs: 2 ** 31 }, 'idleMs must be'],
  [{ checkMs: 1.5 }, 'checkMs must be'],
  [{ headersMs: 2_000, requestMs: 1_000 }, 'headersMs (2000) must not exceed requestMs (1000)'],
])('rejects invalid limits: %j', (options, message) => {
  expect(() => serverLimits(options)).toThrow(message);
});
