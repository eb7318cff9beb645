/** After an erasure, neither the files of the broker, nor the database of a host that received events, nor the logs have the erased values. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Uuid } from '@svc/core';
import { unprovenHosts } from '@svc/core/transport';
import { structuredLogs } from '@svc/fastify';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { sqlite } from '@svc/sqlite';
import { connect } from 'amqplib';
import { expect, it, onTestFinished } from 'vitest';
import { createHost, type HostSetup, type OrdersHost } from '../../examples/orders/src/host.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { CapturedLogs } from '../../examples/orders/src/testing/captured-logs.js';
import { createNode } from '../../tools/rabbitmq/node.mjs';

/** In every name and address, and nowhere else. */
const mark = 'Qvzlovelace';
const queue = 'south.events';

it('has no byte of an erased customer in RabbitMQ, in its queues, in received events and in the logs', async () => {
  const broker = await createNode();
  onTestFinished(() => broker.remove());
  const folder = mkdtempSync(join(tmpdir(), 'svc-erased-messages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logs = new CapturedLogs();
  const storage = sqlite({ file: join(folder, 'north.db') });
  const start = async (hostName: string, setup: HostSetup): Promise<OrdersHost> => {
    const transport = rabbitMqTransport({ url: broker.url, hostName });
    const server = structuredLogs({ level: 'trace', stream: logs.stream });
    const own = { transport, server, keyVault: temporaryKeyVault(), keysInMemoryMs: 150 };
    const host = await createHost({ notifier: { notify: () => Promise.resolve() } }, { ...own, ...setup });
    await host.app.ready();
    await host.service.ready();
    onTestFinished(() => host.app.close());
    return host;
  };
  const north = await start('north', { storage });
  const south = await start('south', {
    storage: sqlite({ file: join(folder, 'south.db') }),
    acceptEventsFrom: [unprovenHosts],
  });

  const ada = newId();
  const received = await placed(north, ada);
  const read = async (): Promise<number> => (await south.app.inject(`/orders/${received}`)).statusCode;
  await expect.poll(read, { timeout: 30_000 }).toBe(200);
  // It has none of the keys.
  expect((await south.app.inject(`/orders/${received}`)).json()).toMatchObject({ customerId: ada, customerName: null });
  await south.app.close();
  await placed(north, ada);
  await rejected(north, ada);
  await north.service.idle();
  await expect.poll(() => waiting(broker.url), { timeout: 30_000 }).toBeGreaterThanOrEqual(3);

  await north.service.erase(ada, { reason: 'Request 17' });
  await north.service.idle();
  const keyIds = await storage.subjectKeys.destroy(ada);
  expect(await storage.subjectKeys.byIds(keyIds)).toMatchObject(keyIds.map((id) => ({ id, wrapped: null })));
  await north.app.close();
  // It writes all messages to its files.
  await broker.stop();

  const sealed = Buffer.from(`svc-personal:1:${keyIds[0]!}:`);
  for (const root of [broker.folder, folder]) {
    const files = filesBelow(root);
    expect(files.filter(({ bytes }) => bytes.includes(sealed)).length).toBeGreaterThan(0);
    expect(files.filter(({ bytes }) => bytes.includes(mark)).map(({ path }) => path)).toEqual([]);
  }
  expect(logs.text).toContain(received);
  expect(logs.text).not.toContain(mark);
}, 240_000);

/** Places an order and changes its address, and returns its id. */
async function placed({ app }: OrdersHost, customerId: Uuid): Promise<string> {
  const payload = {
    customerId,
    customerName: `Ada ${mark}`,
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
    shippingAddress: { street: `1 ${mark} St`, city: `${mark}field`, state: 'IL', zipCode: '62701' },
    note: `For ${mark}`,
  };
  const { orderId } = (await app.inject({ method: 'POST', url: '/orders', payload })).json<{ orderId: string }>();
  const change = { orderId, label: `2 ${mark} St, ${mark}ville, IL 62565` };
  const changed = await app.inject({ method: 'POST', url: '/orders/change-delivery-address', payload: change });
  expect(changed.statusCode).toBe(200);
  return orderId;
}

/** Commands with personal data that fail: invalid, and rejected by a business rule. */
async function rejected({ app }: OrdersHost, customerId: Uuid): Promise<void> {
  const lineItems = [{ productId: 'sold-out', quantity: 1, unitPrice: '1' }];
  const shippingAddress = { street: mark, city: mark, state: 'IL', zipCode: '62701' };
  const orders = [
    { customerId, customerName: mark, lineItems, shippingAddress },
    { customerId, customerName: mark.repeat(50), lineItems, shippingAddress },
  ];
  const answers = [];
  for (const payload of orders) answers.push(await app.inject({ method: 'POST', url: '/orders', payload }));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 400]);
}

/** How many messages wait for the host that is down. */
async function waiting(url: string): Promise<number> {
  const connection = await connect(url);
  try {
    const channel = await connection.createChannel();
    return (await channel.checkQueue(queue)).messageCount;
  } finally {
    await connection.close();
  }
}

function filesBelow(root: string): { path: string; bytes: Buffer }[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}
