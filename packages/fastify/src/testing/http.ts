/** Real HTTP for the tests of this package. */
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/** Listens on a free loopback port and returns it. */
export async function listen(app: Pick<FastifyInstance, 'listen' | 'server'>): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

export async function post(
  port: number,
  body: string | Uint8Array<ArrayBuffer> | object,
  headers: Record<string, string> = {},
  path = '/orders',
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  return answerOf(response.status, response.headers, await response.text());
}

/** Sends raw bytes and reads one response, or everything until the server closes the connection. */
export async function sendRaw(port: number, ...parts: (string | Uint8Array)[]): Promise<Answer> {
  const socket = await connected(port);
  for (const part of parts) socket.write(part);
  const { head, body } = await readAnswer(socket);
  socket.destroy();
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1)]),
  );
  return answerOf(Number(statusLine.split(' ')[1]), headers, body);
}

export function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Waits for a condition; if it never holds, the test fails, not the whole run. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function readAnswer(socket: Socket): Promise<{ head: string; body: string }> {
  let received = Buffer.alloc(0);
  const whole = (): { head: string; body: string } | undefined => {
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const head = received.subarray(0, headEnd).toString('latin1');
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY);
    const body = received.subarray(headEnd + 4);
    return body.length >= length ? { head, body: body.subarray(0, length).toString('utf8') } : undefined;
  };
  return await new Promise((resolve, reject) => {
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answer = whole();
      if (answer !== undefined) resolve(answer);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`The connection was closed after ${received.toString('latin1')}`)));
  });
}

function answerOf(status: number, headers: Headers, text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, headers, text, json };
}
