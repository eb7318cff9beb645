/** The generated client of examples/orders against the real service on SQLite. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createClient,
  decimal,
  operations,
  RequestError,
  resultOf,
  uuid,
  type Client,
  type OrderSummary,
} from '../../examples/orders/src/client/generated/orders-client.js';
import { clerkOf, orderOf, startOrders, type OrdersOnSqlite } from './orders-on-sqlite.js';

let served: OrdersOnSqlite;
let tenants = 0;
beforeAll(async () => (served = await startOrders()));
afterAll(() => served.stop());

async function newClient(): Promise<Client<typeof operations>> {
  const token = await clerkOf(`tenant-${++tenants}`);
  return createClient({ url: served.url, token: () => token }, operations);
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('commands', () => {
  it('return their results, typed as in the service', async () => {
    const client = await newClient();
    const { orderId } = await client.createOrder(orderOf(2));
    const paid = await client.payOrder({ orderId, amount: decimal('7.00'), cardToken: 'tok_visa' });
    expect(paid.status === 'paid' ? paid.paymentReference : paid.message).toEqual(expect.any(String));
  });

  it('without a result return null', async () => {
    const client = await newClient();
    const { orderId } = await client.createOrder(orderOf(1));
    expect(await client.cancelOrder({ orderId, reason: 'Ordered twice' })).toBeNull();
  });

  it('with a request type take the fields of the request', async () => {
    const client = await newClient();
    const { orderId } = await client.createOrder(orderOf(1));
    const label = '2 Side St, Shelbyville, IL 62565';
    expect(await client.changeDeliveryAddress({ orderId, label })).toMatchObject({ city: 'Shelbyville' });
  });
});

describe('models', () => {
  it('are found by their key, with dates and exact decimals, right after a command', async () => {
    const client = await newClient();
    const { orderId } = await client.createOrder({ ...orderOf(3), customerName: 'Ann' });
    const open = await client.orders.find(orderId);
    expect(open).toMatchObject({ orderId, customerName: 'Ann', status: 'open', paidAmount: null });
    expect(open?.placedAt).toBeInstanceOf(Date);
    await client.payOrder({ orderId, amount: decimal('10.50'), cardToken: 'tok_visa' });
    const paid: OrderSummary | null = await client.orders.find(orderId);
    expect(paid).toMatchObject({ status: 'paid', paidAmount: '10.50' });
  });

  it('that do not exist are null', async () => {
    const client = await newClient();
    expect(await client.orders.find('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d')).toBeNull();
  });

  it.each([
    ['', 'The key is empty'],
    ['.', 'is a part of a path'],
    ['..', 'is a part of a path'],
  ])('are not requested with the key "%s", which would be another path', async (key, message) => {
    const client = await newClient();
    served.proxy.fail();
    await expect(client.orders.find(key)).rejects.toThrow(message);
    expect(served.proxy.arrived).toEqual([]);
  });

  it.each(['../roles/assign', 'a/b?c#d', 'ä%2e%2e'])(
    'are requested with the key "%s" as one part of the path',
    async (key) => {
      const client = await newClient();
      served.proxy.fail();
      expect(await client.orders.find(key)).toBeNull();
      expect(served.proxy.arrived.map(({ path }) => path)).toEqual([`/orders/${encodeURIComponent(key)}`]);
    },
  );

  it('are filtered by values, ranges and alternatives, and sorted', async () => {
    const client = await newClient();
    const ids = [];
    for (const quantity of [1, 2, 3]) ids.push((await client.createOrder(orderOf(quantity))).orderId);
    const [first, second, third] = ids;
    await client.payOrder({ orderId: second!, amount: decimal('20.25'), cardToken: 'tok_visa' });
    await client.cancelOrder({ orderId: third!, reason: 'Ordered twice' });
    const list = async (query: Parameters<typeof client.orders.list>[0]): Promise<string[]> =>
      (await client.orders.list(query)).items.map(({ orderId }) => orderId);

    expect(await list({ where: { status: 'paid' } })).toEqual([second]);
    expect(await list({ where: { status: { in: ['open', 'cancelled'] } }, sort: 'placedAt' })).toEqual([first, third]);
    expect(await list({ where: { status: { in: [] } } })).toEqual([]);
    expect(await list({ where: { paidAmount: { gt: decimal('20.2'), lte: decimal('20.25') } } })).toEqual([second]);
    expect(
      await list({ where: { customerId: uuid('0190A3A4-7D5C-7CC2-8A9B-3F1F6A2B4C5D') }, sort: '-placedAt' }),
    ).toEqual([third, second, first]);
    const placed = await client.orders.find(second!);
    expect(await list({ where: { placedAt: { gt: placed!.placedAt } } })).toEqual([third]);
    expect(await list({ where: { placedAt: placed!.placedAt, status: undefined } })).toEqual([second]);
    expect(await list({ where: { key: third } })).toEqual([third]);
  });

  it('are listed page by page, and iterated over all pages', async () => {
    const client = await newClient();
    for (const quantity of [1, 2, 3, 4, 5]) await client.createOrder(orderOf(quantity));
    const page = await client.orders.list({ sort: 'placedAt', pageSize: 2 });
    expect(page).toMatchObject({ page: 1, pageSize: 2, hasMore: true });
    const next = await client.orders.list({ sort: 'placedAt', pageSize: 2, after: page.next });
    expect(next.items.map(({ pieces }) => pieces)).toEqual([3, 4]);
    served.proxy.fail();
    const all = await collected(client.orders.all({ sort: '-placedAt', pageSize: 2 }));
    expect(all.map(({ pieces }) => pieces)).toEqual([5, 4, 3, 2, 1]);
    expect(all.every(({ changedAt }) => changedAt instanceof Date)).toBe(true);
    expect(served.proxy.arrived).toHaveLength(3);
  });

  it('of pages that are not read are not requested', async () => {
    const client = await newClient();
    for (const quantity of [1, 2, 3]) await client.createOrder(orderOf(quantity));
    served.proxy.fail();
    for await (const order of client.orders.all({ sort: 'placedAt', pageSize: 1 })) if (order.pieces === 2) break;
    expect(served.proxy.arrived).toHaveLength(2);
  });
});

describe('errors', () => {
  it('of validation have the JSON Pointer of each value', async () => {
    const client = await newClient();
    const [item] = orderOf(0).lineItems;
    const error = await client.createOrder({ ...orderOf(1), lineItems: [item!], note: 'x'.repeat(501) }).catch(String);
    expect(error).toContain('POST /orders failed (400)');
    const result = await resultOf(client.createOrder({ ...orderOf(1), lineItems: [item!], note: 'x'.repeat(501) }));
    if (result.ok) throw new Error('The order was placed.');
    expect(result.error).toMatchObject({ type: 'urn:svc:problem:invalid-request', status: 400 });
    expect(result.error.errors.map(({ pointer }) => pointer)).toEqual(['/lineItems/0/quantity', '/note']);
    expect(result.error.detailAt('/lineItems/0/quantity')).toContain('1');
    expect(result.error.detailAt('/customerId')).toBeUndefined();
  });

  it('of business rules have the type of the problem and its detail', async () => {
    const client = await newClient();
    const { orderId } = await client.createOrder(orderOf(1));
    await client.cancelOrder({ orderId, reason: 'Ordered twice' });
    const error = await client.cancelOrder({ orderId, reason: 'Again' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({
      name: 'RequestError',
      type: 'urn:svc:problem:command-rejected',
      status: 422,
      detail: 'The order is already cancelled.',
      reason: 'order-not-open',
      traceId: expect.any(String) as string,
    });
  });

  it('of access have the type of the problem', async () => {
    const client = await newClient();
    const result = await resultOf(client.assignRole({ userId: 'bob', role: 'clerk' }));
    expect(result).toMatchObject({ ok: false, error: { type: 'urn:svc:problem:forbidden', status: 403 } });
    const anonymous = createClient({ url: served.url }, operations);
    expect(await resultOf(anonymous.orders.list())).toMatchObject({ error: { status: 401 } });
  });

  it('are absent from results that succeed', async () => {
    const client = await newClient();
    expect(await resultOf(client.orders.list())).toEqual({
      ok: true,
      value: { items: [], page: 1, pageSize: 10, hasMore: false, next: null },
    });
  });

  it('of an unusable address are thrown when the client is created', () => {
    expect(() => createClient({ url: '/api' }, operations)).toThrow('Invalid URL');
  });
});
