/** Typed GraphQL subscriptions of the generated client, against the real service on SQLite. */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import {
  createClient,
  GraphQLRequestError,
  operations,
  subscribe,
  type Client,
  type ClientOptions,
  type SubscriptionDocument,
} from '../../examples/orders/src/client/generated/orders-client.js';
import { LiveOrders, type LiveOrdersResult } from '../../examples/orders/src/client/generated/orders-documents.js';
import { followOrders } from '../../examples/orders/src/client/order-list.js';
import { tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { clerkOf, orderOf, startOrders, type OrdersOnSqlite } from './orders-on-sqlite.js';

const used = { ...operations, subscribe };

let served: OrdersOnSqlite;
let tenants = 0;
let token: string;
beforeAll(async () => (served = await startOrders()));
afterAll(() => served.stop());
beforeEach(async () => {
  token = await clerkOf(`subscription-${++tenants}`);
  served.proxy.fail();
});

function client(options: Partial<ClientOptions> = {}): Client<typeof used> {
  return createClient({ url: served.url, token: () => token, retryDelayMs: 5, ...options }, used);
}

const pollOptions = { timeout: 30_000, interval: 10 };

async function expectNoStreams(): Promise<void> {
  await expect.poll(() => served.proxy.openStreams, pollOptions).toBe(0);
}

/** Collects the results of a subscription until the test has ended. */
function collect<T>(iterable: AsyncIterable<T>): { readonly results: T[]; readonly ended: Promise<void> } {
  const results: T[] = [];
  const iterator = iterable[Symbol.asyncIterator]();
  const ended = (async () => {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) results.push(next.value);
  })();
  ended.catch(() => {});
  onTestFinished(async () => {
    await iterator.return!();
    await expectNoStreams();
  });
  return { results, ended };
}

/** The statuses of the orders in a result that are new or have changed. */
const changedIn = ({ orders }: LiveOrdersResult): string[] => orders!.changed.map(({ model }) => model.status);

const sentVariables = (): Record<string, unknown>[] =>
  served.proxy.arrived.map(({ body }) => (JSON.parse(body) as { variables: Record<string, unknown> }).variables);

it('has typed models first, with earlier commands of the client, and then each change', async () => {
  const own = client();
  const { orderId } = await own.createOrder(orderOf(1));
  const { results } = collect(own.subscribe(LiveOrders));
  await expect.poll(() => results.length, pollOptions).toBe(1);
  const row = { orderId, status: 'open', placedAt: expect.any(Date) as Date, paidAmount: null };
  expect(results).toEqual([{ orders: { keys: [orderId], changed: [{ key: orderId, model: row }] } }]);
  await own.cancelOrder({ orderId, reason: 'Ordered twice' });
  await expect.poll(() => results.length, pollOptions).toBe(2);
  expect(changedIn(results[1]!)).toEqual(['cancelled']);
});

it('passes its variables', async () => {
  const own = client();
  await own.createOrder(orderOf(1));
  const { results } = collect(own.subscribe(LiveOrders, { status: 'cancelled' }));
  await expect.poll(() => results.length, pollOptions).toBe(1);
  expect(results[0]!.orders).toEqual({ keys: [], changed: [] });
});

it('continues where it was when connections are cut: only what has changed is sent', async () => {
  const own = client();
  const first = await own.createOrder(orderOf(1));
  const { results } = collect(own.subscribe(LiveOrders));
  await expect.poll(() => results.length, pollOptions).toBe(1);
  served.proxy.fail('cut before', { status: 503, headers: { 'retry-after': '0' } }, 'cut before');
  served.proxy.cutStreams();
  await expect.poll(() => served.proxy.arrived.length, pollOptions).toBe(4);
  await expect.poll(() => results.length, pollOptions).toBe(2);
  expect(changedIn(results[1]!)).toEqual([]);
  expect(sentVariables().map(({ svcSince }) => typeof svcSince)).toEqual(Array.from({ length: 4 }, () => 'string'));
  served.proxy.fail('cut before', 'cut before');
  served.proxy.cutStreams();
  const second = await own.createOrder(orderOf(2));
  await own.cancelOrder({ orderId: first.orderId, reason: 'Ordered twice' });
  await expect.poll(() => results.at(-1)!.orders!.keys, pollOptions).toEqual([second.orderId, first.orderId]);
  await expect.poll(() => results.flatMap(changedIn).toSorted(), pollOptions).toEqual(['cancelled', 'open', 'open']);
});

it('ends when the service has nothing more to send', async () => {
  const order: SubscriptionDocument<{ readonly order: object | null }, { readonly id: string }> = {
    kind: 'subscription',
    text: 'subscription ($id: ID!) { order(id: $id) { status } }',
    read: null,
    isWaiting: false,
    list: null,
  };
  const { results, ended } = collect(client().subscribe(order, { id: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d' }));
  await ended;
  expect(results).toEqual([{ order: null }]);
});

it('throws what the service rejects, and does not repeat it', async () => {
  const own = client();
  const invalid = collect(
    own.subscribe({ ...LiveOrders, text: 'subscription { orders(sort: "no") { keys } }', list: null }),
  );
  await expect(invalid.ended).rejects.toMatchObject({ type: 'urn:svc:problem:invalid-request', status: 400 });
  await expect(invalid.ended).rejects.toBeInstanceOf(GraphQLRequestError);
  expect(served.proxy.arrived).toHaveLength(1);
  token = await tokenFor('eve', { tenant_id: 'none' });
  const forbidden = collect(client().subscribe(LiveOrders));
  await expect(forbidden.ended).rejects.toMatchObject({ status: 403 });
});

it('retries a service that is unavailable as other reads, and gets a new token after a 401', async () => {
  const unavailable = { status: 503, headers: { 'retry-after': '0' } };
  served.proxy.fail(unavailable, { status: 401 }, 'cut before');
  const asked: (string | undefined)[] = [];
  const { results } = collect(client({ token: (rejected) => (asked.push(rejected), token) }).subscribe(LiveOrders));
  await expect.poll(() => results.length, pollOptions).toBe(1);
  expect(asked).toEqual([undefined, token]);
  served.proxy.fail(unavailable, unavailable);
  const failing = client({ retries: 1 }).subscribe(LiveOrders)[Symbol.asyncIterator]();
  await expect(failing.next()).rejects.toMatchObject({ status: 503 });
});

it('closes its connection when the caller leaves the loop, and when the signal is aborted', async () => {
  const own = client();
  for await (const { orders } of own.subscribe(LiveOrders)) {
    expect(orders!.keys).toEqual([]);
    expect(served.proxy.openStreams).toBe(1);
    break;
  }
  await expectNoStreams();
  const abort = new AbortController();
  const shown: string[][] = [];
  const followed = followOrders(
    served.url,
    () => Promise.resolve(token),
    (orders) => shown.push(orders.map(({ status }) => status)),
    abort.signal,
  );
  await expect.poll(() => shown, pollOptions).toEqual([[]]);
  await own.createOrder(orderOf(1));
  await expect.poll(() => shown, pollOptions).toEqual([[], ['open']]);
  abort.abort();
  await expect(followed).rejects.toBe(abort.signal.reason);
  await expectNoStreams();
});
