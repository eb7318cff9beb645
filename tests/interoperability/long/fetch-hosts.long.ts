/** `fetchHandler` in Bun, Deno and Next.js: the service of examples/orders in a process of each. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { order } from '../../../examples/orders/src/testing/secured-orders.js';
import { programOf } from './program-of.js';

const folder = fileURLToPath(new URL('.', import.meta.url));

const nextProgram = join(folder, 'node_modules/next/dist/bin/next');

const hosts = [
  ['Bun', () => [programOf('@oven', 'bin/bun'), 'run', 'fetch-host.mjs']],
  // --no-remote: it imports nothing from the network.
  [
    'Deno',
    () => [programOf('@deno', 'deno'), 'run', '-A', '--no-remote', '--node-modules-dir=manual', 'fetch-host.mjs'],
  ],
  ['Next.js', () => [process.execPath, nextProgram, 'dev', 'next-app', '--hostname', '127.0.0.1', '--port', '0']],
] as const;

/** The port is the only number of a line, or at the end of the address that Next.js prints. */
const portIn = /(?:^|Local: +http:\/\/127\.0\.0\.1:)(\d+)$/;

async function portOf(lines: Interface): Promise<string> {
  const ended = once(lines, 'close').then(() => Promise.reject(new Error('The host ended before it listened.')));
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const [, port] = portIn.exec(line) ?? [];
      if (port !== undefined) resolve(port);
    });
  });
  return await Promise.race([found, ended]);
}

describe.each(hosts)('%s', (_name, command) => {
  let host: ChildProcessWithoutNullStreams;
  let base: string;
  const printed: string[] = [];
  beforeAll(async () => {
    const [program, ...args] = command();
    host = spawn(program!, args, { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } });
    host.stderr.pipe(process.stderr);
    const lines = createInterface(host.stdout).on('line', (line) => printed.push(line));
    base = `http://127.0.0.1:${await portOf(lines)}/api`;
  });
  afterAll(async () => {
    if (host === undefined || host.exitCode !== null) return;
    host.kill();
    await once(host, 'exit');
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: (body instanceof Uint8Array ? body : JSON.stringify(body)) as string,
    });

  it('runs a command, and a query that waits for its effect', async () => {
    const answer = await post('/orders', order);
    const { orderId } = (await answer.json()) as { readonly orderId: string };
    const read = await fetch(`${base}/orders/${orderId}?afterEvent=${answer.headers.get('svc-last-event')}`);
    expect([read.status, await read.json()]).toMatchObject([200, { orderId, status: 'open' }]);
  });

  it('runs a mutation and a query of GraphQL', async () => {
    const mutation = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';
    const created = await post('/graphql', { query: mutation, variables: { command: order } });
    expect(await created.json()).toEqual({ data: { createOrder: { orderId: expect.any(String) as string } } });
    const query = '{ orders(pageSize: 1) { items { status } pageSize } }';
    const listed = async (): Promise<unknown> => await (await post('/graphql', { query })).json();
    await expect.poll(listed).toEqual({ data: { orders: { items: [{ status: 'open' }], pageSize: 1 } } });
  });

  it('decodes bodies, and answers an invalid one with a problem', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect((await post('/orders', gzipSync(JSON.stringify(order)), gzip)).status).toBe(200);
    const rejected = await post('/orders', { ...order, lineItems: [] });
    expect(rejected.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await rejected.json()).toMatchObject({ status: 400, errors: [{ pointer: '/lineItems' }] });
  });

  it('returns the first result for a repeated idempotency key', async () => {
    const key = { 'idempotency-key': 'order-1' };
    const [first, again] = [await post('/orders', order, key), await post('/orders', order, key)];
    expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', await first.text()]);
  });

  it('cancels the command of a client that disconnects, and stores nothing', async () => {
    const created = await post('/orders', order);
    const { orderId } = (await created.json()) as { readonly orderId: string };
    const client = request(`${base}/orders/pay`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    client.on('error', () => {});
    client.end(JSON.stringify({ orderId, amount: '7.00', cardToken: 'tok' }));
    await expect.poll(() => printed).toContain('charging');
    client.destroy();
    await expect.poll(() => printed).toContain('cancelled');
    const cancelled = await post('/orders/cancel', { orderId, reason: 'changed their mind' });
    expect(cancelled.status).toBe(200);
    const read = await fetch(`${base}/orders/${orderId}?afterEvent=${cancelled.headers.get('svc-last-event')}`);
    expect(await read.json()).toMatchObject({ status: 'cancelled' });
  });
});
