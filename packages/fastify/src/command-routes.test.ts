import { CommandRejectedError, InMemoryStorage, messageOf } from '@svc/core';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { svc } from './plugin.js';
import { connected, listen, post } from './testing/http.js';
import { capturedLog, level } from './testing/logs.js';
import { OrderPlaced } from './testing/order-messages.js';
import { orderBody, orderService, type Receive } from './testing/order-service.js';

const apps: FastifyInstance[] = [];
afterEach(async () => void (await Promise.all(apps.splice(0).map((app) => app.close()))));

async function host(receive?: Receive, prepare: (app: FastifyInstance) => void = () => {}) {
  const { logger, lines } = capturedLog();
  const app = Fastify({ logger });
  apps.push(app);
  prepare(app);
  const storage = new InMemoryStorage();
  await app.register(svc(orderService(receive).useStorage(storage)));
  return { port: await listen(app), lines, storage };
}

describe('a command that succeeds', () => {
  it('returns 200 and its result as JSON', async () => {
    const { port } = await host(() => ({ orderId: 'o-1' as never, total: 'zwölf €' }));
    const answer = await post(port, orderBody());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
    expect(answer.text).toBe('{"orderId":"o-1","total":"zwölf €"}');
  });

  it("passes the host's hooks for responses", async () => {
    const { port } = await host(undefined, (app) => {
      app.addHook('onRequest', async (_request, reply) => void reply.header('x-request', '1'));
      app.addHook('onSend', async (_request, reply, payload) => {
        reply.header('x-length', String((payload as string).length));
        return payload;
      });
    });
    const answer = await post(port, orderBody());
    expect(answer.headers.get('x-request')).toBe('1');
    expect(answer.headers.get('x-length')).toBe(String(answer.text.length));
  });

  it('is a 500 if its result does not match its type, and stays committed', async () => {
    const { port, lines, storage } = await host((command, context) => {
      context.append(command.customerId, messageOf(OrderPlaced, { customerId: command.customerId }));
      return { orderId: undefined as never, total: 'x' };
    });
    expect((await post(port, orderBody())).json).toMatchObject({ type: 'urn:svc:problem:internal-error' });
    expect(lines.find((line) => line.level === level.error)!.err).toMatchObject({ code: 'SVC_UNWRITABLE_VALUE' });
    const stored = [];
    for await (const event of storage.readAll()) stored.push(event);
    expect(stored).toHaveLength(1);
  });
});

it('logs at level info that a command was rejected after its client disconnected', async () => {
  const { port, lines } = await host(async (_command, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new CommandRejectedError('too late');
  });
  const body = JSON.stringify(orderBody());
  const socket = await connected(port);
  socket.write(
    `POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => lines.length).toBeGreaterThan(1);
  socket.destroy();
  await expect.poll(() => lines.at(-1)).toMatchObject({ level: level.info, err: { message: 'too late' } });
});
