/** The built reference service in two processes connected by RabbitMQ, as docs/guides/transports.md starts them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from 'amqplib';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { brokerUserUrl } from './test-broker.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/transports.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'svc-orders-'));
const children: ChildProcess[] = [];
let broker: string;

beforeAll(async () => {
  broker = await brokerUserUrl('operator');
});

afterEach(async () => {
  await Promise.all(
    children.map((child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      return ended;
    }),
  );
  await removeQueues(broker);
  rmSync(folder, { recursive: true });
});

/** Starts a host with the variables of a line of the guide, on the broker of this test run. */
async function start(line: string): Promise<{ url: string; output: string }> {
  const variables = Object.fromEntries([...line.matchAll(/(\w+)=(\S+) /g)].map(([, name, value]) => [name, value]));
  const { HOST_NAME: name = '', AMQP_URL: shown = '' } = variables;
  expect(new URL(shown).username, 'each host has a broker user of its name').toBe(name);
  const env = {
    PATH: process.env['PATH'],
    DRAIN_NOTICE_MS: '0',
    ...variables,
    AMQP_URL: await brokerUserUrl(name),
    PORT: '0',
    DATABASE_URL: '',
  };
  // SQLite in a folder of its own: nothing but the broker connects the two.
  const child = spawn(process.execPath, [join(root, 'examples/orders/dist/main.js')], {
    cwd: mkdtempSync(join(folder, 'host-')),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, url] = /POST (http\S+)\/orders/.exec(output) ?? [];
      if (url !== undefined && output.includes('broker')) resolve({ url, output });
    });
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.\n${output}`)));
  });
}

it('shows the orders of one host on the other, and reports a healthy broker', async () => {
  const lines = guide.split('\n').filter((line) => line.startsWith('AMQP_URL='));
  expect(lines).toHaveLength(2);
  const [north, south] = [await start(lines[0]!), await start(lines[1]!)];
  expect(north.output).toContain(`RabbitMQ at ${new URL(broker).host}, as north; accepts events from south`);
  expect(north.output).not.toContain(new URL(await brokerUserUrl('north')).password);
  for (const { url } of [north, south]) {
    const health = await fetch(`${url}/health/ready`);
    const { checks } = (await health.json()) as { checks: Record<string, unknown> };
    expect([health.status, Object.keys(checks)]).toEqual([
      200,
      expect.arrayContaining(['subscriptions', 'amqp_broker']) as unknown,
    ]);
  }
  const created = await fetch(`${north.url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
      lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
      shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
    }),
  });
  const { orderId } = (await created.json()) as { orderId: string };
  const cancel = async (): Promise<number> =>
    (
      await fetch(`${south.url}/orders/cancel`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ orderId, reason: 'changed my mind' }),
      })
    ).status;
  await expect.poll(cancel, { timeout: 10_000, interval: 100 }).toBe(200);
}, 60_000);

/** The hosts have the names of the guide: another run must not find their queues. */
async function removeQueues(url: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const host of ['north', 'south']) {
    for (const name of ['events', 'events.dead-letters']) await channel.deleteQueue(`${host}.${name}`);
  }
  await connection.close();
}
