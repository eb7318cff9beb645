/** What only hosts on Node's own servers have: the drain of `serve`, its limits, middlewares that come first. */
import { createServer, type Server } from 'node:http';
import { createSecureServer, connect as connectHttp2 } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { nodeHandler, serve, type MeasuredRequest, type NodeHandler, type RequestLog } from '@svc/http';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { selfSigned } from '../tls/self-signed.js';
import { as, orderBody, ordersService, type Orders } from './orders.js';

let orders: Orders;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  orders = await ordersService();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const place = (base: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${base}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...as.writer, ...headers },
    body: JSON.stringify(orderBody()),
  });

describe('serve', () => {
  it('finishes running commands when it is drained, rejects new ones, and then stops the service', async () => {
    const log = { info: vi.fn<RequestLog['info']>(), error: vi.fn<RequestLog['error']>() };
    const host = await serve(orders.service, { port: 0, log, drain: { noticeMs: 0, limitMs: 10_000 } });
    let finish!: () => void;
    const running = new Promise<void>((begun) => {
      orders.whileOrdering = () => {
        begun();
        return new Promise((resolve) => (finish = resolve));
      };
    });
    const answer = place(host.url);
    await running;
    const drained = host.drain.drain();
    await expect.poll(async () => (await place(host.url)).status).toBe(503);
    // With its reason, and not as a failure.
    const rejected = { method: 'POST', path: '/orders', detail: 'This host is stopping. Try again.' };
    expect(log.info).toHaveBeenLastCalledWith(expect.objectContaining(rejected), 'request rejected');
    expect(log.error).not.toHaveBeenCalled();
    expect((await fetch(`${host.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${host.url}/health/ready`)).status).toBe(503);
    finish();
    expect((await answer).status).toBe(200);
    expect(await drained).toEqual({ clean: true, cut: 0 });
    await expect(fetch(`${host.url}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('disconnects clients that do not finish their headers', async () => {
    const host = await serve(orders.service, { port: 0, limits: { headersMs: 100, requestMs: 200, checkMs: 50 } });
    closing.push(() => host.stop());
    const socket = connect((host.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /health/live HTTP/1.1\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('fails and stops the service when its port is in use, and listens on this machine only unless it is told otherwise', async () => {
    const host = await serve(orders.service, { port: 0 });
    closing.push(() => host.stop());
    expect(host.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(host.url).port);
    const { service } = await ordersService();
    const stop = vi.spyOn(service, 'stop');
    await expect(serve(service, { port })).rejects.toThrow('EADDRINUSE');
    expect(stop).toHaveBeenCalledOnce();
  });

  it.each([
    [{ bodyLimit: 0 }, 'bodyLimit must be'],
    [{ prefix: 'api/' }, 'prefix must be'],
    [{ limits: { headersMs: -1 } }, 'headersMs must be'],
  ])('rejects %j', async (options, message) => {
    await expect(serve(orders.service, { port: 0, ...options })).rejects.toThrow(message);
  });

  it('measures requests by their routes, and serves the metrics to those who may read them', async () => {
    const measured: MeasuredRequest[] = [];
    const source = {
      contentType: 'text/plain',
      read: () => Promise.resolve('up 1'),
      answered: (request: MeasuredRequest) => void measured.push(request),
    };
    const host = await serve(orders.service, { port: 0, prefix: '/api', metrics: { source } });
    closing.push(() => host.stop());
    await fetch(`${host.url}/api/orders/no-such-order`, { headers: as.reader });
    await fetch(`${host.url}/nowhere`);
    expect((await fetch(`${host.url}/api/metrics`, { headers: as.reader })).status).toBe(403);
    await expect.poll(() => measured.length).toBe(3);
    expect(measured).toMatchObject([
      { method: 'GET', route: '/api/orders/:id', status: 404 },
      { method: 'GET', route: null, status: 404 },
      { method: 'GET', route: '/api/metrics', status: 403 },
    ]);
    expect(measured[0]!.seconds).toBeGreaterThan(0);
  });

  it('writes failures to the console as a line of JSON without a log of its own', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue();
    const host = await serve(orders.service, { port: 0 });
    closing.push(() => host.stop());
    orders.whileOrdering = () => {
      throw new Error('broken');
    };
    const { traceId } = (await (await place(host.url)).json()) as { traceId: string };
    await fetch(`${host.url}/nowhere`);
    expect(written).toHaveBeenCalledTimes(1);
    const line = JSON.parse(String(written.mock.calls[0]![0])) as object;
    expect(line).toMatchObject({ level: 'error', message: 'request failed', traceId, err: { message: 'broken' } });
  });
});

describe('nodeHandler', () => {
  it('fails with the fix if a middleware has read the body', async () => {
    const lines: string[] = [];
    const log = { info: () => {}, error: (fields: object) => void lines.push(JSON.stringify(fields)) };
    const base = await expressHost(express.json(), await nodeHandler(orders.service, { log }));
    expect((await place(base)).status).toBe(500);
    expect(lines.join()).toContain('Register the handler of svc before it');
  });

  it('uses the bytes that a middleware has stored, decoded', async () => {
    const parser = express.json({
      verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
    });
    const base = await expressHost(parser, await nodeHandler(orders.service));
    const answer = await fetch(`${base}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...as.writer },
      body: gzipSync(JSON.stringify(orderBody())),
    });
    expect(answer.status).toBe(200);
  });

  it('passes other paths on, also below its own prefix, and leaves the headers of other middlewares', async () => {
    const headers: NodeHandler = (_request, response, next) => {
      response.setHeader('x-frame-options', 'SAMEORIGIN');
      next!();
    };
    const app = express();
    app.use(headers);
    app.use('/api', await nodeHandler(orders.service, { prefix: '/api' }));
    app.get('/api/own', (_request, response) => void response.send('own'));
    const base = await listen(createServer(app));
    expect(await (await fetch(`${base}/api/own`)).text()).toBe('own');
    const page = await fetch(`${base}/api/docs`);
    expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, 'SAMEORIGIN']);
  });

  it('serves HTTP/2', async () => {
    const { key, certificate } = selfSigned('127.0.0.1');
    const handler = await nodeHandler(orders.service);
    const server = createSecureServer({ key, cert: certificate }, (request, response) => handler(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const session = connectHttp2(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, { ca: certificate });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/orders',
      'content-type': 'application/json',
      ...as.writer,
    });
    stream.end(JSON.stringify(orderBody()));
    const [status, body] = await Promise.all([
      new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status']))),
      text(stream),
    ]);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toHaveProperty('orderId');
    session.close();
    await new Promise((resolve) => server.close(resolve));
  });

  async function expressHost(...middlewares: readonly unknown[]): Promise<string> {
    const app = express();
    for (const middleware of middlewares) app.use(middleware as express.RequestHandler);
    return await listen(createServer(app));
  }
});
