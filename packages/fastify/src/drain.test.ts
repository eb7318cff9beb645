import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { health } from './health.js';
import { orderService } from './testing/order-service.js';
import { Drain } from './drain.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

let app: FastifyInstance;
let drain: Drain;
let agent: Agent;
let log: string[];
/** Lets the running command continue. */
let finish: () => void;

async function start(options: { noticeMs: number; limitMs: number }): Promise<void> {
  log = [];
  app = Fastify({ forceCloseConnections: false });
  agent = new Agent({ keepAlive: true });
  const service = orderService();
  const stop = service.stop.bind(service);
  service.stop = async () => {
    await stop();
    log.push('service stopped');
  };
  drain = new Drain(app, service, options);
  await app.register(health(service));
  app.post('/orders', async () => {
    log.push('command begun');
    await new Promise<void>((resolve) => (finish = resolve));
    log.push('command finished');
    return {};
  });
  app.addHook('onClose', () => void log.push('listener closed'));
  await app.listen({ host: '127.0.0.1', port: 0 });
}
beforeEach(() => start({ noticeMs: 100, limitMs: 10_000 }));
afterEach(async () => {
  agent.destroy();
  finish?.();
  await app.close();
});

function send(method: string, path: string): Promise<Answer> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe('drain', () => {
  it('returns 503 for readiness at once, and 200 for liveness throughout', async () => {
    expect((await send('GET', '/health/ready')).status).toBe(200);
    const done = drain.drain(1000);
    expect(drain.draining).toBe(true);
    expect((await send('GET', '/health/ready')).status).toBe(503);
    expect((await send('GET', '/health/live')).status).toBe(200);
    await done;
  });

  it('serves requests until the notice ends, and asks clients to reconnect', async () => {
    const done = drain.drain(1000);
    const answer = send('POST', '/orders');
    await until(() => log.includes('command begun'));
    finish();
    expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await done).toEqual({ clean: true, cut: 0 });
  });

  it('finishes running commands, then stops the service, and closes the listener last', async () => {
    const answer = send('POST', '/orders');
    await until(() => log.includes('command begun'));
    const done = drain.drain(0);
    // A new request gets a 503 before anything of it runs.
    await until(() => drain.draining);
    let rejected: Answer;
    do rejected = await send('POST', '/unknown');
    while (rejected.status === 404);
    expect(rejected).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'content-type': expect.stringContaining('application/problem+json') as string },
    });
    finish();
    expect((await answer).status).toBe(200);
    expect(await done).toEqual({ clean: true, cut: 0 });
    expect(log).toEqual(['command begun', 'command finished', 'service stopped', 'listener closed']);
  });

  it('finishes injected requests', async () => {
    const answer = app.inject({ method: 'POST', url: '/orders' });
    await until(() => log.includes('command begun'));
    const done = drain.drain(0);
    await until(() => drain.draining);
    setTimeout(() => finish(), 50);
    expect((await answer).statusCode).toBe(200);
    expect(await done).toEqual({ clean: true, cut: 0 });
  });

  it('ends at its limit, and reports the requests it interrupted', async () => {
    await app.close();
    await start({ noticeMs: 0, limitMs: 200 });
    const answer = send('POST', '/orders').catch(() => 'cut');
    await until(() => log.includes('command begun'));
    expect(await drain.drain()).toEqual({ clean: false, cut: 1 });
    expect(await answer).toBe('cut');
  });

  it('drains once, however often it is called', async () => {
    expect(await Promise.all([drain.drain(0), drain.drain(0)])).toEqual([
      { clean: true, cut: 0 },
      { clean: true, cut: 0 },
    ]);
    expect(log).toEqual(['service stopped', 'listener closed']);
  });
});
