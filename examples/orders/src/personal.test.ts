/** Names and addresses of customers are encrypted at rest. `svc erase` makes those of one customer unreadable, and the seals still fit. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/cli';
import { CommandAudited, EventAudited, newId, runAsHost, SubjectErased, SystemEventStream, type Uuid } from '@svc/core';
import { sealedLogOf, verifySeals } from '@svc/core/hosting';
import { structuredLogs } from '@svc/fastify';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost, type OrdersHost } from './host.js';
import { chooseKeyVault } from './key-vault.js';
import { chooseSeals } from './seals.js';
import { CapturedLogs } from './testing/captured-logs.js';

/** In every name and address below, and nowhere else: long enough that no random text has it. */
const mark = 'Qvzkwjx';
const lineItems = [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }];
const address = { street: `1 ${mark} St`, city: `${mark}field`, state: 'IL', zipCode: `62701-${mark}` };
const moved = { street: `2 ${mark} Rd`, city: `${mark}ville`, state: 'IL', zipCode: '62565' };

let folder: string;
let file: string;
let logs: CapturedLogs;
let storage: ReturnType<typeof sqlite>;
let host: OrdersHost;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-personal-orders-'));
  file = join(folder, 'orders.db');
  logs = new CapturedLogs();
  storage = sqlite({ file });
  const trial = { isTrial: true, folder };
  const { keyVault } = chooseKeyVault({}, trial);
  const { seals } = chooseSeals({}, trial);
  const server = structuredLogs({ level: 'trace', stream: logs.stream });
  const setup = { storage, keyVault, keysInMemoryMs: 200, seals: { ...seals!, everyMs: 20 }, server };
  host = await createHost({ notifier: { notify: () => Promise.resolve() } }, setup);
  await host.app.ready();
});
afterEach(async () => {
  await host.app.close();
  rmSync(folder, { recursive: true });
});

async function post<T>(url: string, payload: object, headers: Record<string, string> = {}): Promise<T> {
  const { statusCode, body } = await host.app.inject({ method: 'POST', url, payload, headers });
  expect({ statusCode, body }).toMatchObject({ statusCode: 200 });
  return JSON.parse(body) as T;
}

const get = async <T>(url: string): Promise<T> => (await host.app.inject(url)).json<T>();

/** An order that is delivered elsewhere, paid and returned: all commands with personal data. */
async function returnedOrder(customerId: Uuid, name: string): Promise<string> {
  const order = { customerId, customerName: name, lineItems, shippingAddress: address, note: `For ${name}` };
  const { orderId } = await post<{ orderId: string }>('/orders', order);
  const label = `${moved.street}, ${moved.city}, ${moved.state} ${moved.zipCode}`;
  const key = { 'idempotency-key': newId() };
  for (const _ of ['first', 'repeated']) {
    const changed = await post('/orders/change-delivery-address', { orderId, label }, key);
    expect(changed).toEqual({ customerId, ...moved });
  }
  await post('/orders/pay', { orderId, amount: '7.00', cardToken: 'tok_visa' });
  const command = { orderId, reason: 'unwanted', refund: { voucher: { name: `Voucher of ${name}` } } };
  const query = 'mutation ($command: ReturnOrderInput!) { returnOrder(command: $command) { refundReference } }';
  expect(await post('/graphql', { query, variables: { command } })).toHaveProperty(['data', 'returnOrder']);
  await host.service.idle();
  return orderId;
}

async function recorded<T extends object>(type: new () => T): Promise<T[]> {
  const found: T[] = [];
  for await (const { envelope } of runAsHost(() => host.service.eventStore.readStream(SystemEventStream.streamId))) {
    if (envelope.payload instanceof type) found.push(envelope.payload);
  }
  return found;
}

async function payloadsOf(orderId: string): Promise<object[]> {
  const payloads: object[] = [];
  for await (const { envelope } of host.service.eventStore.readStream(orderId as Uuid)) payloads.push(envelope.payload);
  return payloads;
}

it('encrypts names and addresses in everything that it stores, and shows them to its callers', async () => {
  const customerId = newId();
  const name = `Ada ${mark}`;
  const orderId = await returnedOrder(customerId, name);
  expect(await get(`/orders/${orderId}`)).toMatchObject({ customerName: name, shippingAddress: moved });
  expect(await get(`/customers/${customerId}`)).toMatchObject({ name, orders: 1 });
  expect(await payloadsOf(orderId)).toMatchObject([
    { customerId, customerName: name, shippingAddress: address },
    {},
    { customerId, shippingAddress: moved },
    {},
    { customerId, refundMethod: 'voucher', nameOnVoucher: `Voucher of ${name}` },
  ]);
  const bodies = (await recorded(CommandAudited)).map(({ commandBody }) => commandBody);
  expect(bodies).toContainEqual({
    customerId,
    customerName: name,
    lineItems,
    shippingAddress: address,
    note: `For ${name}`,
  });
  const hidden = '[secret]';
  const shippingAddress = { street: hidden, city: hidden, state: hidden, zipCode: hidden };
  expect(bodies).toContainEqual({ orderId, shippingAddress });
  const refund = { method: 'voucher', name: hidden };
  expect(bodies).toContainEqual({ orderId, reason: 'unwanted', refund });

  const stored = readdirSync(folder).map((one) => readFileSync(join(folder, one), 'latin1'));
  expect(stored.join('')).toContain('svc-personal:1:');
  expect(stored.join('')).not.toContain(mark);
  expect(logs.text).toContain(orderId);
  expect(logs.text).not.toContain(mark);
});

it('forgets a customer with svc erase, and no other one, and the seals still fit', async () => {
  const [ada, bob] = [newId(), newId()];
  const [forgotten, remembered] = [await returnedOrder(ada, `Ada ${mark}`), await returnedOrder(bob, `Bob ${mark}`)];
  await sealed();
  const printed: string[] = [];
  const line = (text: string): void => void printed.push(text);
  const terminal = { out: line, error: line, progress: () => {} };
  const args = ['erase', ada, '--reason', 'Request 17', '--database', file, '--as', 'olga'];
  expect([await run(args, terminal as never), printed.join('\n')]).toEqual([
    0,
    expect.stringContaining(`Erased ${ada}: personal data in 3 events is now null`),
  ]);
  await host.service.idle();

  const order = await get(`/orders/${forgotten}`);
  expect(order).toMatchObject({ customerId: ada, customerName: null, shippingAddress: null, status: 'returned' });
  expect(await get(`/customers/${ada}`)).toMatchObject({ name: null, orders: 1 });
  expect(await payloadsOf(forgotten)).toMatchObject([
    { customerName: null, shippingAddress: null },
    {},
    { shippingAddress: null },
    {},
    { refundMethod: 'voucher', nameOnVoucher: null },
  ]);
  const event = (await recorded(EventAudited)).find(({ originalStreamId }) => originalStreamId === forgotten);
  expect(event!.originalBody).toMatchObject({ customerName: null, shippingAddress: null });
  const command = (await recorded(CommandAudited)).find(({ commandBody }) => JSON.stringify(commandBody).includes(ada));
  expect(command!.commandBody).toMatchObject({
    customerId: ada,
    customerName: null,
    shippingAddress: null,
    note: null,
  });
  expect(await recorded(SubjectErased)).toMatchObject([{ subject: ada, reason: 'Request 17', erasedBy: 'olga' }]);

  expect(await get(`/orders/${remembered}`)).toMatchObject({ customerName: `Bob ${mark}`, shippingAddress: moved });
  expect(await get(`/customers/${bob}`)).toMatchObject({ name: `Bob ${mark}` });
  await sealed();
  expect(await verifySeals(sealedLogOf(storage))).toMatchObject({ finding: null });
});

/** Resolves once every event before this call is sealed. The record of the last checkpoint waits for the next one. */
async function sealed(): Promise<void> {
  let end = -1;
  for await (const { sequence, type } of storage.readAll()) if (type !== 'svc.LogSealed') end = Math.max(end, sequence);
  const reached = async (): Promise<number> => (await storage.seals.readLast())?.lastSequence ?? -1;
  await expect.poll(reached, { timeout: 30_000 }).toBeGreaterThanOrEqual(end);
}

it('reads events that were stored before their personal data were encrypted', async () => {
  const [orderId, customerId] = [newId(), newId()];
  const bodies = {
    OrderPlaced: { orderId, customerId, lineItems, shippingAddress: address },
    DeliveryAddressChanged: { orderId, shippingAddress: moved },
    OrderPaid: { orderId, amount: '7.00', paymentReference: 'payment-1' },
    OrderReturnedToSender: { orderId, reason: 'broken', refund: { method: 'voucher', name: 'Ada' } },
  };
  const events = Object.entries(bodies).map(([type, body]) => ({
    id: newId(),
    type: `orders.${type}`,
    body: JSON.stringify(body),
    timestamp: Date.now(),
    correlationId: newId(),
    causationId: null,
    scope: null,
    metadata: {},
    streamId: orderId,
    expectedPosition: undefined,
  }));
  await storage.commit({ events, outgoing: [], delivered: null, received: [] });
  const unknown = '00000000-0000-0000-0000-000000000000';
  expect(await payloadsOf(orderId)).toMatchObject([
    { customerId, customerName: null, shippingAddress: address },
    { customerId: unknown, shippingAddress: moved },
    {},
    { customerId: unknown, refundMethod: 'voucher', nameOnVoucher: 'Ada' },
  ]);
  const status = async (): Promise<unknown> => await get(`/orders/${orderId}`);
  await expect.poll(status, { timeout: 30_000 }).toMatchObject({ customerName: null, shippingAddress: moved });
});
