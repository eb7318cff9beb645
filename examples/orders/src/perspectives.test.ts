import { newId, type Uuid } from '@svc/core';
import { afterEach, beforeEach, expect, expectTypeOf, it } from 'vitest';
import { AuditLogPerspective } from './audit/audit-log.perspective.js';
import { createHost, type OrdersHost } from './host.js';
import { CustomerOverviewPerspective } from './orders/customer-overview.perspective.js';
import { OrderSummaryPerspective, type OrderSummary } from './orders/order-summary.perspective.js';

const shippingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' };

let host: OrdersHost;
beforeEach(async () => {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } });
});
afterEach(() => host.app.close());

async function post<T>(url: string, payload: object): Promise<T> {
  const answer = await host.app.inject({ method: 'POST', url, payload });
  expect(answer.statusCode).toBe(200);
  return answer.json<T>();
}

async function order(customerId: Uuid, quantity: number): Promise<Uuid> {
  const lineItems = [{ productId: 'tea', quantity, unitPrice: '3.50' }];
  const customerName = 'Ada Lovelace';
  return (await post<{ orderId: Uuid }>('/orders', { customerId, customerName, lineItems, shippingAddress })).orderId;
}

it('has a summary of each order', async () => {
  const customerId = newId();
  const paid = await order(customerId, 2);
  const cancelled = await order(customerId, 1);
  await post('/orders/pay', { orderId: paid, amount: '7.00', cardToken: 'tok_visa' });
  await post('/orders/cancel', { orderId: cancelled, reason: 'changed my mind' });
  await host.service.idle();
  const lens = host.service.lens(OrderSummaryPerspective);
  expect(await lens.find(paid)).toEqual({
    orderId: paid,
    customerId,
    customerName: 'Ada Lovelace',
    status: 'paid',
    pieces: 2,
    paidAmount: '7.00',
    shippingAddress,
    placedAt: expect.any(Date) as Date,
    changedAt: expect.any(Date) as Date,
  });
  expect((await lens.find(cancelled))?.status).toBe('cancelled');
  expectTypeOf(lens.find(paid)).resolves.toEqualTypeOf<OrderSummary | null>();
});

it('has an overview of each customer, over all their orders', async () => {
  const customers = [newId(), newId()] as const;
  await order(customers[0], 2);
  await order(customers[1], 5);
  await order(customers[0], 3);
  await host.service.idle();
  const lens = host.service.lens(CustomerOverviewPerspective);
  expect(await lens.find(customers[0])).toMatchObject({
    name: 'Ada Lovelace',
    orders: 2,
    products: [{ productId: 'tea', pieces: 5 }],
  });
  expect(await lens.find(customers[1])).toMatchObject({ orders: 1, products: [{ productId: 'tea', pieces: 5 }] });
});

it('has a log of audit records', async () => {
  const orderId = await order(newId(), 1);
  await host.service.idle();
  const entries = await host.service.lens(AuditLogPerspective).list();
  expect(entries.map(({ what, type, streamId }) => [what, type, streamId])).toEqual(
    expect.arrayContaining([
      ['event', 'orders.OrderPlaced', orderId],
      ['event', 'orders.StockReserved', orderId],
      ['command', 'orders.CreateOrder', null],
    ]),
  );
});

it('serves those with a route and lists them in the API', async () => {
  const customerId = newId();
  const orderId = await order(customerId, 2);
  await host.service.idle();
  const one = await host.app.inject(`/orders/${orderId}`);
  expect(one.json()).toMatchObject({ orderId, customerId, status: 'open', pieces: 2 });
  const page = (await host.app.inject('/customers?pageSize=1')).json<{ items: unknown[] }>();
  expect(page.items).toEqual([expect.objectContaining({ customerId, orders: 1 })]);
  const { paths, components } = (await host.app.inject('/openapi.json')).json<{
    paths: Record<string, object>;
    components: { schemas: Record<string, object> };
  }>();
  expect(Object.keys(paths['/orders']!).toSorted()).toEqual(['get', 'post']);
  expect(paths['/orders/{id}']).toMatchObject({
    get: {
      responses: {
        '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/OrderSummary' } } } },
      },
    },
  });
  expect(Object.keys(components.schemas)).toContain('CustomerOverview');
  // A perspective without a route is not served.
  expect(Object.keys(components.schemas)).not.toContain('AuditLogEntry');
});
