import { newId, SystemEventStream, type StoredEvent } from '@svc/core';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { createHost, type OrdersHost } from './host.js';
import { CreateOrder, type OrderCreated } from './orders/create-order.js';
import { SecuredOrders, tokenFor } from './testing/secured-orders.js';

const order = {
  customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};

let host: OrdersHost;
let url: string;
let notifications: string[];

beforeEach(async () => {
  notifications = [];
  const notifier = { notify: (text: string) => Promise.resolve(void notifications.push(text)) };
  host = await createHost({ notifier });
  url = await host.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => host.app.close());

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** The domain events. Other tests cover system events. */
async function storedDomainEvents(): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of host.service.eventStore.readAll()) events.push(event);
  return events.filter(({ envelope }) => !envelope.type.startsWith('svc.'));
}
const storedTypes = async (): Promise<string[]> => (await storedDomainEvents()).map(({ envelope }) => envelope.type);

async function createOrder(): Promise<string> {
  const { body } = await post('/orders', order);
  return (body as OrderCreated).orderId;
}

describe('POST /orders', () => {
  it('places an order and reserves its stock in one unit of work', async () => {
    const { status, body } = await post('/orders', order);
    expect({ status, body }).toEqual({
      status: 200,
      body: { orderId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
    });
    const [placed, reserved] = await storedDomainEvents();
    expect(placed?.envelope).toMatchObject({ type: 'orders.OrderPlaced', payload: { ...order, ...(body as object) } });
    expect(reserved?.envelope).toMatchObject({
      type: 'orders.StockReserved',
      payload: { items: [{ productId: 'tea', quantity: 2 }] },
      correlationId: placed?.envelope.correlationId,
    });
  });

  it('commits nothing without stock', async () => {
    const { status, body } = await post('/orders', {
      ...order,
      lineItems: [...order.lineItems, { productId: 'sold-out', quantity: 1, unitPrice: '1' }],
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: 'Not in stock: sold-out.' });
    expect(await storedTypes()).toEqual([]);
  });

  it('reports all validation errors of an order at once', async () => {
    const { status, body } = await post('/orders', {
      customerId: 'me',
      lineItems: [{ productId: '', quantity: 0, unitPrice: '-1' }],
      shippingAddress: { street: 1, city: 'Springfield', state: 'IL', zip: '62701' },
    });
    expect(status).toBe(400);
    expect((body as { errors: unknown }).errors).toEqual([
      { pointer: '/customerId', detail: 'must be a UUID' },
      { pointer: '/lineItems/0/productId', detail: 'must have at least 1 character' },
      { pointer: '/lineItems/0/quantity', detail: 'must be at least 1' },
      { pointer: '/lineItems/0/unitPrice', detail: 'must be at least 0' },
      { pointer: '/shippingAddress/street', detail: 'must be a string' },
      { pointer: '/shippingAddress/zipCode', detail: 'is required' },
      { pointer: '/shippingAddress/zip', detail: 'is not a known property' },
    ]);
  });
});

describe('POST /orders/cancel', () => {
  it('cancels an order only once', async () => {
    const orderId = await createOrder();
    expect(await post('/orders/cancel', { orderId, reason: 'changed my mind' })).toEqual({ status: 200, body: null });
    const again = await post('/orders/cancel', { orderId, reason: 'again' });
    expect(again).toMatchObject({ status: 422, body: { detail: 'The order is already cancelled.' } });
    expect(await storedTypes()).toEqual(['orders.OrderPlaced', 'orders.StockReserved', 'orders.OrderCancelled']);
  });

  it('does not accept the id of another stream as an order: of roles, or of the system', async () => {
    await post('/roles/assign', { userId: 'ann', role: 'clerk' });
    const [assigned] = await storedDomainEvents();
    for (const orderId of [assigned!.streamId, SystemEventStream.streamId]) {
      expect(await post('/orders/cancel', { orderId, reason: 'x' })).toMatchObject({ status: 404 });
    }
    expect(await storedTypes()).toEqual(['orders.RoleAssigned']);
  });

  it('does not accept records that an administrator can read as an order', async () => {
    const orders = await SecuredOrders.start();
    const token = await tokenFor('ann', { roles: ['admin'] });
    // The records of another tenant come first, and ann cannot see them.
    await orders.post(await tokenFor('eve', { roles: ['admin'], tenant_id: 'evil' }), '/orders', order);
    await orders.post(token, '/orders', order);
    await orders.host.service.idle();
    const cancel = { orderId: SystemEventStream.streamId, reason: 'x' };
    expect(await orders.post(token, '/orders/cancel', cancel)).toMatchObject({ status: 404 });
    await orders.stop();
  });

  it('rejects an unknown order', async () => {
    const orderId = newId();
    const { status, body } = await post('/orders/cancel', { orderId, reason: 'why not' });
    expect(status).toBe(404);
    expect(body).toMatchObject({ detail: `There is no order ${orderId}.` });
  });
});

describe('POST /orders/change-delivery-address, which has its own request type', () => {
  it('maps the request to the command', async () => {
    const orderId = await createOrder();
    const { status, body } = await post('/orders/change-delivery-address', {
      orderId,
      label: '2 Side St, Shelbyville, IL 62565',
    });
    expect(status).toBe(200);
    const shippingAddress = { street: '2 Side St', city: 'Shelbyville', state: 'IL', zipCode: '62565' };
    const { customerId } = order;
    expect(body).toEqual({ customerId, ...shippingAddress });
    const { payload } = (await storedDomainEvents()).at(-1)!.envelope;
    expect(payload).toMatchObject({ orderId, customerId, shippingAddress });
  });

  it('rejects a request that cannot be mapped', async () => {
    const { status, body } = await post('/orders/change-delivery-address', { orderId: newId(), label: 'nowhere' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/label', detail: 'must read "street, city, state zip"' }] });
  });
});

describe('POST /orders/pay, whose endpoint uses every hook', () => {
  it('pays and notifies', async () => {
    const orderId = await createOrder();
    const { status, body } = await post('/orders/pay', { orderId, amount: '7.00', cardToken: 'good' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'paid' });
    expect(notifications).toEqual([expect.stringContaining(`Order ${orderId} was paid`)]);
    expect(await storedTypes()).toContain('orders.OrderPaid');
  });

  it('validates in the before-hook', async () => {
    const orderId = await createOrder();
    const { status, body } = await post('/orders/pay', { orderId, amount: '0.00', cardToken: 'good' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/amount', detail: 'must be more than 0' }] });
  });

  it('returns "pending" from the error-hook while the bank is unavailable, and commits no payment', async () => {
    const orderId = await createOrder();
    const { status, body } = await post('/orders/pay', { orderId, amount: '7.00', cardToken: 'unavailable' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'pending' });
    expect(notifications).toEqual([]);
    expect(await storedTypes()).not.toContain('orders.OrderPaid');
  });

  it('passes other failures through the error-hook', async () => {
    const { status } = await post('/orders/pay', { orderId: newId(), amount: '7.00', cardToken: 'good' });
    expect(status).toBe(404);
  });
});

it('serves no endpoint for a command without a route', async () => {
  expect((await post('/reserve-stock', {})).status).toBe(404);
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(pathsWithPost(document.paths)).toEqual([
    '/orders',
    '/orders/cancel',
    '/orders/change-delivery-address',
    '/orders/pay',
    '/roles/assign',
    '/roles/revoke',
  ]);
});

it('infers the result of a command that is invoked in code', async () => {
  const command = Object.assign(new CreateOrder(), order);
  const created = await host.service.dispatcher.invoke(command);
  expectTypeOf(created).toEqualTypeOf<OrderCreated>();
  expect(created.orderId).toMatch(/^[0-9a-f-]{36}$/);
});

function pathsWithPost(paths: object): string[] {
  return Object.entries(paths)
    .filter(([, item]) => 'post' in (item as object))
    .map(([path]) => path);
}
