/** A webhook over TLS from one process to another: the sender trusts an authority of its own, and the receiver verifies the signature. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@svc/http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { selfSigned } from '../tls/self-signed.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver with a certificate of an authority that no system trusts. Returns its address, the file of the authority, and what arrived. */
async function receiver(): Promise<{
  readonly url: string;
  readonly authority: string;
  readonly received: Received[];
}> {
  const { certificate, key } = selfSigned('localhost');
  const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificate);
  const received: Received[] = [];
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/hook`, authority, received };
}

/** Starts a host that sends a webhook. Returns what it has reported so far. It is stopped when the test has ended. */
async function send(url: string, environment: NodeJS.ProcessEnv): Promise<() => string> {
  const program = await bundledProgram(new URL('webhook-host.mjs', import.meta.url));
  const host = spawn(process.execPath, [program, url, secret], { env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [host.stdout, host.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(host, 'exit');
  onTestFinished(async () => {
    host.stdin.end();
    await ended;
  });
  return () => output;
}

it(
  'delivers an event over TLS; a replay of the request is rejected once it is too old',
  { timeout: 60_000 },
  async () => {
    const { url, authority, received } = await receiver();
    const output = await send(url, { NODE_EXTRA_CA_CERTS: authority });
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1);
    expect(output()).toBe('');
    const { headers, body } = received[0]!;
    expect(verifyWebhook(secret, headers, body).id).toBe(headers['webhook-id']);
    expect(JSON.parse(body.toString())).toMatchObject({ type: 'shop.Shipped', data: { parcel: 'ü' } });

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(() => verifyWebhook(secret, headers, body)).toThrow('too old');
  },
);

it('sends nothing to a receiver whose certificate is not trusted', { timeout: 60_000 }, async () => {
  const { url, received } = await receiver();
  const output = await send(url, { NODE_EXTRA_CA_CERTS: undefined });
  await expect.poll(output, { timeout: 30_000 }).toContain('the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)');
  expect(received).toEqual([]);
});
