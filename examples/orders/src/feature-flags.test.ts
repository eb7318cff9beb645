/** Deployment practice, rule 5: new behaviour ships disabled, and rollback is disabling the flag. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, SystemEventStream, type CommandAudited } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHost, type OrdersHost } from './host.js';

const shipped = readFileSync(new URL('../flags.json', import.meta.url), 'utf8');
const shippingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' };

let folder: string;
let file: string;
let host: OrdersHost;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-orders-flags-'));
  file = join(folder, 'flags.json');
});
afterEach(async () => {
  await host.app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(flags: string | null): Promise<void> {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } }, { flags });
}

async function post<T>(url: string, payload: object): Promise<T> {
  const answer = await host.app.inject({ method: 'POST', url, payload });
  expect(answer.statusCode).toBe(200);
  return answer.json<T>();
}

/** Orders, pays and returns; resolves with the reference of the refund. */
async function returnOrder(method: 'card' | 'voucher' = 'card'): Promise<string | null> {
  const lineItems = [{ productId: 'tea', quantity: 1, unitPrice: '3.50' }];
  const { orderId } = await post<{ orderId: string }>('/orders', { customerId: newId(), lineItems, shippingAddress });
  await post('/orders/pay', { orderId, amount: '3.50', cardToken: 'tok_visa' });
  const refund = method === 'card' ? { card: {} } : { voucher: { name: 'Ada' } };
  const { data } = await post<{ data: { returnOrder: { refundReference: string | null } } }>('/graphql', {
    query: 'mutation ($command: ReturnOrderInput!) { returnOrder(command: $command) { refundReference } }',
    variables: { command: { orderId, reason: 'late', refund } },
  });
  return data.returnOrder.refundReference;
}

/** The flags in the audit record of the last return. */
async function decidedBy(): Promise<unknown> {
  await host.service.idle();
  let metadata: unknown;
  for await (const { envelope } of host.service.eventStore.readStream(SystemEventStream.streamId)) {
    if ((envelope.payload as CommandAudited).commandType === 'orders.ReturnOrder') ({ metadata } = envelope);
  }
  return metadata;
}

const isOn = { 'flag.card-refund-references': true };
const isOff = { 'flag.card-refund-references': false };

describe('references for refunds to a card', () => {
  it('ship disabled, are released by an edit, and are rolled back by disabling the flag, while the service runs', async () => {
    writeFileSync(file, shipped);
    await start(file);
    expect(await returnOrder()).toBeNull();
    expect(await decidedBy()).toEqual(isOff);

    writeFileSync(file, shipped.replace('"defaultVariant": "off"', '"defaultVariant": "on"'));
    await vi.waitFor(async () => expect(await returnOrder()).toMatch(/^refund-/), { timeout: 10_000, interval: 50 });
    expect(await decidedBy()).toEqual(isOn);

    writeFileSync(file, shipped.replace('"state": "ENABLED"', '"state": "DISABLED"'));
    await vi.waitFor(async () => expect(await returnOrder()).toBeNull(), { timeout: 10_000, interval: 50 });
    expect(await decidedBy()).toEqual(isOff);
  });

  it('are off without flags, and other refunds do not read the flag', async () => {
    await start(null);
    expect(await returnOrder()).toBeNull();
    expect(await decidedBy()).toEqual(isOff);
    expect(await returnOrder('voucher')).toMatch(/^voucher-/);
    expect(await decidedBy()).toEqual({});
  });
});
