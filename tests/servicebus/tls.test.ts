/** The first bytes that the transport sends to a namespace, and to a server that only claims to be one. */
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { numbered } from '@svc/core/testing';
import { serviceBusTransport } from '@svc/servicebus';
import { afterEach, expect, it } from 'vitest';
import { selfSigned } from '../tls/self-signed.js';

/** The first byte of a TLS handshake. */
const handshake = 0x16;
const key = 'SharedAccessKeyName=name;SharedAccessKey=key';
let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function listening(made: Server): Promise<number> {
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return (made.address() as AddressInfo).port;
}

async function publishTo(connectionString: string): Promise<unknown> {
  const transport = serviceBusTransport({ connectionString, hostName: 'orders', timeoutMs: 2_000 });
  try {
    return await transport.publish(numbered(1)).catch((error: unknown) => error);
  } finally {
    await transport.close();
  }
}

it.each([
  ['TLS to a namespace, also on a loopback address', '', handshake],
  ['no TLS to the development emulator', ';UseDevelopmentEmulator=true', 'A'.charCodeAt(0)],
])('uses %s', async (_what, more, expected) => {
  const first: number[] = [];
  const port = await listening(
    createPlainServer((socket) =>
      socket
        .on('error', () => {})
        .once('data', (bytes) => {
          first.push(bytes[0]!);
          socket.destroy();
        }),
    ),
  );
  await publishTo(`Endpoint=sb://localhost:${port};${key}${more}`);
  expect(first[0]).toBe(expected);
});

it('rejects a server with an untrusted certificate', async () => {
  const { certificate, key: secret } = selfSigned('localhost');
  const sent: Buffer[] = [];
  const port = await listening(
    createTlsServer({ cert: certificate, key: secret }, (socket) =>
      socket.on('error', () => {}).on('data', (bytes) => sent.push(bytes)),
    ),
  );
  const failure = await publishTo(`Endpoint=sb://localhost:${port};${key}`);
  expect(failure).toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
  expect(sent).toEqual([]);
});
