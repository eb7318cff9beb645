import { connect as connectHttp2, constants } from 'node:http2';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { svc } from './plugin.js';
import { connected, listen } from './testing/http.js';
import { capturedLog, level } from './testing/logs.js';
import { orderBody, orderService } from './testing/order-service.js';

const answer = { orderId: '0192d3c5-7a6b-7c8d-9e0f-123456789abc', total: '1' } as never;
const body = JSON.stringify(orderBody());
const request = `POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const apps: { close(): Promise<unknown> }[] = [];
afterEach(async () => void (await Promise.all(apps.splice(0).map((app) => app.close()))));

/** A service whose commands wait until the test releases them, or until their signal aborts. */
async function waitingService(options: object = {}) {
  const commands: { signal: AbortSignal; finish: () => void }[] = [];
  const app = Fastify(options) as FastifyInstance;
  apps.push(app);
  const service = orderService(async (_command, { signal }) => {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      commands.push({ signal, finish: resolve });
    });
    return answer;
  });
  await app.register(svc(service));
  const port = await listen(app);
  const running = async (count: number): Promise<AbortSignal[]> => {
    await expect.poll(() => commands.length).toBe(count);
    return commands.map(({ signal }) => signal);
  };
  return { app, port, commands, running };
}

function answersIn(received: string): number {
  return received.split('HTTP/1.1 200 OK').length - 1;
}

function collect(socket: Socket): { text: string } {
  const received = { text: '' };
  socket.on('data', (chunk) => (received.text += chunk.toString('latin1')));
  return received;
}

describe('the signal of a command', () => {
  it('aborts if the client disconnects, and logs one line at level info', async () => {
    const { logger, lines } = capturedLog();
    const { port, running } = await waitingService({ logger });
    const socket = await connected(port);
    socket.write(request);
    const [signal] = await running(1);
    socket.destroy();
    await expect.poll(() => signal!.aborted).toBe(true);
    expect(signal!.reason).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('the client disconnected before the response');
    expect(lines.every((line) => line.level <= level.info)).toBe(true);
  });

  it('is not created for a client that disconnects while it sends the body, and the log has no error', async () => {
    const { logger, lines } = capturedLog();
    const { port, commands } = await waitingService({ logger });
    const socket = await connected(port);
    socket.write(request.slice(0, -10));
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('incoming request');
    socket.destroy();
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('the client disconnected before the response');
    expect(lines.every((line) => line.level <= level.info)).toBe(true);
    expect(commands).toEqual([]);
  });

  it('logs an error if a command failed for another reason after its client disconnected', async () => {
    const { logger, lines } = capturedLog();
    const app = Fastify({ logger });
    apps.push(app);
    let aborted = false;
    const service = orderService(async (_command, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted = true;
      throw new Error('the disk is full');
    });
    await app.register(svc(service));
    const socket = await connected(await listen(app));
    socket.write(request);
    await expect.poll(() => lines.length).toBeGreaterThan(1);
    socket.destroy();
    await expect.poll(() => aborted).toBe(true);
    await expect.poll(() => lines.at(-1)).toMatchObject({ level: level.error, err: { message: 'the disk is full' } });
  });

  it('does not abort after the response, nor when the connection closes afterwards', async () => {
    const { port, running, commands } = await waitingService();
    const socket = await connected(port);
    const received = collect(socket);
    socket.write(request);
    const [signal] = await running(1);
    commands[0]!.finish();
    await expect.poll(() => answersIn(received.text)).toBe(1);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end();
    await closed;
    expect(signal!.aborted).toBe(false);
  });

  it('aborts for every pipelined request without a response, and for no other', async () => {
    const { port, running, commands } = await waitingService();
    const other = await connected(port);
    other.write(request);
    await running(1);
    const socket = await connected(port);
    const received = collect(socket);
    socket.write(request + request + request);
    const [elsewhere, first, second, third] = await running(4);
    commands[1]!.finish();
    await expect.poll(() => answersIn(received.text)).toBe(1);
    socket.destroy();
    await expect.poll(() => second!.aborted && third!.aborted).toBe(true);
    expect([elsewhere!.aborted, first!.aborted]).toEqual([false, false]);
    other.destroy();
  });

  it('does not abort for a finished pipelined request whose response waits to be sent', async () => {
    const { port, running, commands } = await waitingService();
    const socket = await connected(port);
    socket.write(request + request);
    const [first, second] = await running(2);
    commands[1]!.finish();
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await expect.poll(() => first!.aborted).toBe(true);
    expect(second!.aborted).toBe(false);
  });

  it('uses one listener per connection, however many requests it carries', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    const app = Fastify();
    apps.push(app);
    const sockets = new Set<Socket>();
    const counts: number[] = [];
    app.addHook('onResponse', (raw, _reply, done) => {
      sockets.add(raw.socket);
      counts.push(raw.socket.eventNames().reduce((sum, name) => sum + raw.socket.listenerCount(name), 0));
      done();
    });
    await app.register(svc(orderService((_command, { signal }) => (signal.throwIfAborted(), answer))));
    const socket = await connected(await listen(app));
    const received = collect(socket);
    for (let sent = 1; sent <= 2_000; sent++) {
      socket.write(request);
      if (sent % 20 === 0) await expect.poll(() => answersIn(received.text), { interval: 1 }).toBe(sent);
    }
    socket.destroy();
    process.off('warning', warned);
    expect(sockets.size).toBe(1);
    expect(counts).toHaveLength(2_000);
    expect(Math.max(...counts)).toBe(counts[0]);
    expect(warnings).toEqual([]);
  });
});

describe('over HTTP/2', () => {
  const send = (session: ReturnType<typeof connectHttp2>) => {
    const stream = session.request({ ':method': 'POST', ':path': '/orders', 'content-type': 'application/json' });
    stream.end(body);
    stream.on('error', () => {});
    return stream;
  };

  it('aborts the stream that the client cancels, and responds to the others', async () => {
    const { port, running, commands } = await waitingService({ http2: true });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const [remaining, dropped] = [send(session), send(session)];
    const [first, second] = await running(2);
    dropped.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => second!.aborted).toBe(true);
    expect(first!.aborted).toBe(false);
    commands[0]!.finish();
    let text = '';
    for await (const chunk of remaining.setEncoding('utf8')) text += chunk;
    expect(JSON.parse(text)).toEqual(answer);
    session.close();
    await new Promise((resolve) => session.once('close', resolve));
    expect(first!.aborted).toBe(false);
  });

  it('returns problems as over HTTP/1.1, without headers that HTTP/2 does not have', async () => {
    const warnings: Error[] = [];
    process.on('warning', (warning) => warnings.push(warning));
    const { port } = await waitingService({ http2: true });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':method': 'POST', ':path': '/orders', 'content-type': 'application/json' });
    stream.end('{');
    const status = await new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ type: 'urn:svc:problem:malformed-json', instance: '/orders' });
    session.destroy();
    expect(warnings).toEqual([]);
  });
});
