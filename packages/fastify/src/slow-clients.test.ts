/** The drain of a host whose clients stall, on real sockets: none of them delays it or makes it fail. */
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { svc } from './plugin.js';
import { connected, listen, until } from './testing/http.js';
import { capturedLog } from './testing/logs.js';
import { orderBody, orderService } from './testing/order-service.js';
import type { DrainOutcome } from '@svc/http';
import { Drain } from './drain.js';

const limitMs = 20_000;
/** Generous for a busy machine; a client that delays the drain does so for at least 16 s. */
const quickMs = 5_000;
const head = 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

let app: FastifyInstance;
let drain: Drain;
let log: ReturnType<typeof capturedLog>;
let isStopped = false;
const clients: (Socket | ClientHttp2Session)[] = [];

async function serving(options: { http2?: true; limitMs?: number } = {}): Promise<number> {
  const { limitMs: limit = limitMs, ...server } = options;
  log = capturedLog();
  isStopped = false;
  app = Fastify({ logger: log.logger, ...server } as object);
  const service = orderService();
  const stop = service.stop.bind(service);
  service.stop = async () => {
    await stop();
    isStopped = true;
  };
  drain = new Drain(app, service, { noticeMs: 0, limitMs: limit });
  await app.register(svc(service));
  app.get('/large', () => 'x'.repeat(50 * 2 ** 20));
  // Reads no body, and responds when the test releases it.
  app.post('/held', { preParsing: () => new Promise(() => {}) }, () => 'never');
  return await listen(app);
}
afterEach(async () => {
  for (const made of clients.splice(0)) made.destroy();
  await app.close();
});

async function client(
  port: number,
  text: string,
): Promise<{ readonly socket: Socket; received: string; isClosed: boolean }> {
  const socket = await connected(port);
  clients.push(socket);
  const made = { socket, received: '', isClosed: false };
  socket.on('data', (chunk) => (made.received += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => (made.isClosed = true));
  socket.write(text);
  return made;
}

/** Drains, and fails if a client delays the drain. */
async function drainQuickly(): Promise<DrainOutcome> {
  const started = performance.now();
  const outcome = await drain.drain();
  expect(performance.now() - started).toBeLessThan(quickMs);
  return outcome;
}

const clean = { clean: true, cut: 0 };

it('returns 503 for a request whose body stalls, and closes its connection', async () => {
  const port = await serving();
  const stalled = await client(port, `${head}Content-Length: 500\r\n\r\n{"cu`);
  await until(() => drain.running === 1, 'the request');
  expect(await drainQuickly()).toEqual(clean);
  await until(() => stalled.isClosed, 'the end of the connection');
  expect(stalled.received).toMatch(/^HTTP\/1\.1 503 /);
  expect(stalled.received).toContain('urn:svc:problem:unavailable');
  expect(stalled.received).toMatch(/\r\nretry-after: \d\r\n/);
  expect(stalled.received).toMatch(/\r\nconnection: close\r\n/);
  expect(JSON.stringify(log.lines)).not.toContain('FST_ERR_REP_ALREADY_SENT');
  expect(isStopped).toBe(true);
});

it('returns 503 for a request whose body stalls before it is read', async () => {
  const port = await serving();
  const stalled = await client(port, `${head.replace('/orders', '/held')}Content-Length: 500\r\n\r\n{"cu`);
  await until(() => drain.running === 1, 'the request');
  expect(await drainQuickly()).toEqual(clean);
  await until(() => stalled.isClosed, 'the end of the connection');
  expect(stalled.received).toMatch(/^HTTP\/1\.1 503 /);
});

it.each([
  ['nothing', ''],
  ['half of the headers', head],
  ['a complete request, and half of the next one', `GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n${head}`],
  [
    'a request that is answered before its body has arrived',
    'GET /docs HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
  ],
])('closes a connection that has sent %s', async (_name, text) => {
  const port = await serving();
  const stalled = await client(port, text);
  await until(async () => (await connections()) === 1, 'the connection');
  if (text.startsWith('GET')) await until(() => stalled.received.includes('200 OK'), 'the answer');
  expect(await drainQuickly()).toEqual(clean);
  await until(() => stalled.isClosed, 'the end of the connection');
});

it('ends at its limit with a client that does not read its response, and counts no interrupted request', async () => {
  const port = await serving({ limitMs: 1_000 });
  const silent = await client(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  silent.socket.pause();
  await until(() => drain.running === 1, 'the request');
  const started = performance.now();
  expect(await drain.drain()).toEqual(clean);
  expect(performance.now() - started).toBeGreaterThan(700);
  expect(performance.now() - started).toBeLessThan(quickMs);
  expect(isStopped).toBe(true);
});

it('ends HTTP/2 streams whose body stalls, and responds to the others', async () => {
  const port = await serving({ http2: true });
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  clients.push(session);
  const post = (): ReturnType<ClientHttp2Session['request']> =>
    session.request({ ':method': 'POST', ':path': '/orders', 'content-type': 'application/json' });
  const statusOf = (request: ReturnType<typeof post>) =>
    new Promise((resolve) => request.once('response', (headers) => resolve(headers[':status'])));
  const whole = post().resume().end(JSON.stringify(orderBody()));
  expect(await statusOf(whole)).toBe(200);
  await until(() => drain.running === 0, 'the end of the answer');
  const stalled = post().resume();
  const status = statusOf(stalled);
  stalled.write('{"cu');
  await until(() => drain.running === 1, 'the request');
  expect(await drainQuickly()).toEqual(clean);
  expect(await status).toBe(503);
  await until(() => session.destroyed, 'the end of the session');
});

function connections(): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
}
