import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { post } from './post.js';

/** Long enough that only an attempt that never ends exceeds it. */
const patienceMs = 10_000;
const headers = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves what `answer` writes to each connection that sends a request. */
async function receiver(answer: (socket: Socket) => void): Promise<{ url: URL; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), sockets };
}

/** The outcome of a request to a receiver: the status or the error. */
async function outcome(answer: (socket: Socket) => void, timeoutMs: number): Promise<unknown> {
  const { url, sockets } = await receiver(answer);
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs)]);
  const posted = post({ url, headers: {}, body: '{}', signal }).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => (error.name === 'TimeoutError' ? error.name : error.code),
  );
  const late = new AbortController();
  const limit = once(AbortSignal.timeout(patienceMs), 'abort', { signal: late.signal }).then(() => 'never ends');
  const ended = await Promise.race([posted, limit.catch(() => 'never ends')]);
  late.abort();
  await expect.poll(() => sockets.size).toBe(0);
  return ended;
}

const every = (ms: number, text: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
};

describe('post', () => {
  it.each<[string, string, number]>([
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 101],
    ['an upgrade without a protocol', 'HTTP/1.1 101 x\r\n\r\n', 101],
    [
      'informational responses before the final one',
      `${'HTTP/1.1 103 x\r\n\r\n'.repeat(3)}HTTP/1.1 204 x\r\n\r\n`,
      204,
    ],
    ['a body that is too large', `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(100_000)}`, 200],
  ])('resolves with the status of %s, and closes the connection', async (_title, text, status) => {
    expect(await outcome((socket) => socket.write(text), patienceMs * 2)).toBe(status);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['a connection that is closed at once', (socket) => socket.end(), 'ECONNRESET'],
    ['a connection that is reset', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['an informational response and the end', (socket) => socket.end('HTTP/1.1 103 x\r\n\r\n'), 'ECONNRESET'],
    ['bytes that are no response', (socket) => socket.write('\0\x01garbage\r\n\r\n'), 'HPE_INVALID_CONSTANT'],
  ])('rejects after %s', async (_title, answer, code) => {
    expect(await outcome(answer, patienceMs * 2)).toBe(code);
  });

  it.each<[string, (socket: Socket) => void, unknown]>([
    ['nothing arrives', () => {}, 'TimeoutError'],
    ['informational responses never end', every(1, 'HTTP/1.1 103 x\r\n\r\n'), 'TimeoutError'],
    ['the headers never end', every(50, 'HTTP/1.1 200 OK\r\nX: y'), 'TimeoutError'],
  ])('rejects at its time limit if %s', async (_title, answer, ended) => {
    expect(await outcome(answer, 300)).toBe(ended);
  });

  it('resolves with the status at its time limit if the body never ends', async () => {
    const answer = (socket: Socket): void => {
      socket.write(headers);
      every(50, 'a')(socket);
    };
    expect(await outcome(answer, 300)).toBe(200);
  });

  it('sends nothing if it was aborted before', async () => {
    const { url, sockets } = await receiver(() => {});
    const posted = post({ url, headers: {}, body: '{}', signal: AbortSignal.abort(new Error('stopping')) });
    await expect(posted).rejects.toThrow('stopping');
    expect(sockets.size).toBe(0);
  });
});
