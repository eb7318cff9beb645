import { InMemoryStorage, runAsHost, type EventAudited, type StoredEvent } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryKeyVault } from '../key-vault.js';
import { createHost, type OrdersHost } from '../host.js';

const order = {
  customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};

let host: OrdersHost;
let storage: InMemoryStorage;

beforeEach(async () => {
  storage = new InMemoryStorage();
  const notifier = { notify: () => Promise.resolve() };
  host = await createHost({ notifier }, { storage, keyVault: temporaryKeyVault(), payWithin: { minutes: 30 } });
  await host.app.ready();
});
afterEach(() => host.app.close());

async function post(url: string, payload: object): Promise<{ orderId: string }> {
  const response = await host.app.inject({ method: 'POST', url, payload });
  expect(response.statusCode).toBe(200);
  await host.service.idle();
  return response.json();
}

async function stored(): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of runAsHost(() => host.service.eventStore.readAll())) events.push(event);
  return events;
}

/** The events of the order, with the number of the request that they belong to. */
async function steps(): Promise<string[]> {
  const events = (await stored()).filter(({ envelope }) => !envelope.type.startsWith('svc.'));
  const requests = [...new Set(events.map(({ envelope }) => envelope.correlationId))];
  return events.map(({ envelope }) => `${requests.indexOf(envelope.correlationId)} ${envelope.type}`);
}

describe('the checkout', () => {
  it('requests the payment of an order, and ships it when it is paid', async () => {
    const { orderId } = await post('/orders', order);
    expect(await storage.schedule.read(10)).toHaveLength(1);
    await post('/orders/pay', { orderId, amount: '7.00', cardToken: 'tok' });
    expect(await steps()).toEqual([
      '0 orders.OrderPlaced',
      '0 orders.StockReserved',
      '0 orders.PaymentRequested',
      '1 orders.OrderPaid',
      '1 orders.OrderShipped',
    ]);
    expect(await storage.schedule.read(10), 'the timeout is cancelled').toEqual([]);
    const [instance] = await storage.processes.readInstances({ isOpen: false, after: null }, 10);
    expect(instance).toMatchObject({ process: 'Checkout', key: orderId, events: 3, isCompleted: true });
  });

  it('cancels an order that is not paid in time and releases its stock, audited under the request that placed it', async () => {
    await post('/orders', order);
    for (const { message } of await storage.schedule.read(10)) await storage.schedule.makeDue(message.id);
    await host.service.idle();
    const expected = ['OrderPlaced', 'StockReserved', 'PaymentRequested', 'OrderCancelled', 'StockReleased'];
    expect(await steps()).toEqual(expected.map((name) => `0 orders.${name}`));
    const audited = (await stored())
      .filter(({ envelope }) => envelope.type === 'svc.EventAudited')
      .map(({ envelope }) => (envelope.payload as EventAudited).originalEventType);
    expect(audited).toEqual(expected.map((name) => `orders.${name}`));
  });
});
