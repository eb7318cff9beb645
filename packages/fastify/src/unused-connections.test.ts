import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { svc } from './plugin.js';
import { orderService } from './testing/order-service.js';

/** How long a test waits for a host to close; Node would wait for a minute. */
const soonMs = 10_000;

async function started(): Promise<{ readonly app: FastifyInstance; readonly answer: () => void }> {
  const app = Fastify();
  const [first, second] = [orderService(), orderService()];
  await app.register(svc(first));
  await app.register(svc(second), { prefix: '/second' });
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  app.get('/slow', async () => {
    await answered;
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    answer();
    await Promise.all([app.close(), first.stop(), second.stop()]);
  });
  return { app, answer };
}

/** Resolves when the host has accepted the connection, and has received what was sent. */
async function connected(app: FastifyInstance, sent = ''): Promise<{ readonly socket: Socket; text: string }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const client = { socket, text: '' };
  socket.on('error', () => {}).on('data', (chunk: Buffer) => (client.text += chunk.toString()));
  const [accepted] = (await once(app.server, 'connection')) as [Socket];
  socket.write(sent);
  await expect.poll(() => accepted.bytesRead, { timeout: soonMs }).toBe(sent.length);
  return client;
}

it('closes connections without a request, and those that wait for another one', { timeout: soonMs }, async () => {
  const { app } = await started();
  await connected(app);
  const used = await connected(app, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => used.text, { timeout: soonMs }).toContain('200 OK');
  await connected(app);
  await app.close();
});

it('answers requests in progress, also those that are still arriving', { timeout: 2 * soonMs }, async () => {
  const { app, answer } = await started();
  const slow = await connected(app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  const arriving = await connected(app, 'GET /openapi.json HTTP/1.1\r\nHost:');
  const closed = app.close();
  await expect.poll(() => app.server.listening, { timeout: soonMs }).toBe(false);
  arriving.socket.write(' x\r\n\r\n');
  await expect.poll(() => arriving.text, { timeout: soonMs }).toMatch(/^HTTP\/1\.1 503/);
  answer();
  await closed;
  await expect.poll(() => slow.text, { timeout: soonMs }).toMatch(/200 OK[^]*done$/);
});
