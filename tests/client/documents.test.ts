/** Typed GraphQL documents of examples/orders against the real service: results, errors, retries and waits. */
import { graphQLErrorCodes } from '@svc/graphql';
import { problemTypes, problemUrn, type ProblemName } from '@svc/http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createClient,
  createOrder,
  decimal,
  GraphQLRequestError,
  mutate,
  orders,
  query,
  resultOf,
  type Client,
  type ClientOptions,
  type MutationDocument,
  type QueryDocument,
  type Uuid,
} from '../../examples/orders/src/client/generated/orders-client.js';
import { graphql, OrderList, PayOrder } from '../../examples/orders/src/client/generated/orders-documents.js';
import { listOrders, pay } from '../../examples/orders/src/client/order-list.js';
import type { Fault } from './failing-proxy.js';
import { clerkOf, orderOf, startOrders, type OrdersOnSqlite } from './orders-on-sqlite.js';

const used = { createOrder, orders, query, mutate };

let served: OrdersOnSqlite;
let tenants = 0;
let token: string;
beforeAll(async () => (served = await startOrders()));
afterAll(() => served.stop());
beforeEach(async () => (token = await clerkOf(`tenant-${++tenants}`)));

function client(options: Partial<ClientOptions> = {}): Client<typeof used> {
  return createClient({ url: served.url, token: () => token, retryDelayMs: 5, ...options }, used);
}

const keysSent = (): (string | undefined)[] => served.proxy.arrived.map(({ headers }) => headers['idempotency-key']);
const sentVariables = (): Record<string, unknown>[] =>
  served.proxy.arrived.map(
    ({ body }) => (JSON.parse(body || '{}') as { variables?: Record<string, unknown> }).variables ?? {},
  );

const payment = (orderId: Uuid, cardToken = 'tok_visa') => ({
  command: { orderId, amount: decimal('3.50'), cardToken },
});

/** Two commands in one operation, which have no common idempotency key. */
const payTwo: MutationDocument<object, { readonly a: object; readonly b: object }> = {
  kind: 'mutation',
  text: 'mutation Two($a: CancelOrderInput!, $b: PayOrderInput!) { cancelOrder(command: $a) payOrder(command: $b) { __typename } }',
  read: null,
  isOneCommand: false,
};

const unavailable: Fault = { status: 503, headers: { 'retry-after': '0' } };

/** A response of the service whose operation failed. */
const failed = (code: string, message = 'No.', data: unknown = null): Exclude<Fault, string> => ({
  status: 200,
  headers: { 'content-type': 'application/graphql-response+json' },
  body: JSON.stringify({ data, errors: [{ message, path: ['orders'], extensions: { code, traceId: 'trace' } }] }),
});

describe('a query', () => {
  it('returns dates and exact decimals, and includes earlier commands of the client', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    await own.mutate(PayOrder, payment(orderId));
    const { orders: page } = await own.query(OrderList);
    expect(page).toEqual({
      items: [{ orderId, status: 'paid', placedAt: expect.any(Date) as Date, paidAmount: '3.50' }],
      next: null,
    });
    expect((await own.query(OrderList, { status: 'open' })).orders?.items).toEqual([]);
  });

  it('is used by the example', async () => {
    const { orderId } = await client().createOrder(orderOf(1));
    const url = served.url;
    expect(await pay(url, () => Promise.resolve(token), orderId, '3.50')).toMatch(/^payment-/);
    await expect
      .poll(() => listOrders(url, () => Promise.resolve(token), 'paid'), { timeout: 30_000 })
      .toMatchObject([{ orderId, paidAmount: '3.50' }]);
  });

  it('is retried on network errors, 429 and 503, without a key', async () => {
    served.proxy.fail('cut before', unavailable, 'cut within');
    expect((await client().query(OrderList)).orders?.items).toEqual([]);
    expect(keysSent()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['UNAVAILABLE', 'EVENT_NOT_TAKEN', 'TOO_MANY_REQUESTS'])('is retried after %s', async (code) => {
    served.proxy.fail(failed(code), failed(code));
    expect((await client().query(OrderList)).orders?.items).toEqual([]);
    expect(served.proxy.arrived).toHaveLength(3);
  });

  it.each(['INTERNAL_ERROR', 'FORBIDDEN', 'CONCURRENCY_CONFLICT'])('is not retried after %s', async (code) => {
    served.proxy.fail(failed(code));
    expect(await resultOf(client().query(OrderList))).toMatchObject({ error: { failures: [{ code }] } });
    expect(served.proxy.arrived).toHaveLength(1);
  });

  it('waits for earlier commands of all kinds, unless that is disabled', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    served.proxy.fail();
    await own.query(OrderList, {}, { waitSeconds: 20 });
    await own.mutate(PayOrder, payment(orderId));
    await own.query(OrderList);
    await own.orders.list();
    await own.query(OrderList, {}, { afterEvent: false });
    await own.query(OrderList, {}, { afterEvent: 'x'.repeat(5) }).catch(() => {});
    const waits = sentVariables().map(({ svcAfterEvent }) => svcAfterEvent);
    expect(waits).toEqual([expect.any(String), undefined, expect.any(String), undefined, undefined, 'xxxxx']);
    expect(waits[2]).not.toBe(waits[0]);
    expect(sentVariables()[0]).toMatchObject({ svcWaitSeconds: 20 });
    expect(new URL(served.proxy.arrived[3]!.path, served.url).searchParams.get('afterEvent')).toBe(waits[2]);
  });

  it('waits once for each of several concurrent commands', async () => {
    const own = client();
    await Promise.all([1, 2, 3].map((quantity) => own.createOrder(orderOf(quantity))));
    served.proxy.fail();
    expect((await own.query(OrderList)).orders?.items).toHaveLength(3);
    expect(new Set(sentVariables().map(({ svcAfterEvent }) => svcAfterEvent)).size).toBe(3);
    await own.query(OrderList);
    expect(served.proxy.arrived).toHaveLength(4);
  });

  it('stops waiting for an event that the service no longer has', async () => {
    const own = client();
    await own.createOrder(orderOf(1));
    // The token of another tenant, whose events these are not: the same answer as after a restored database.
    token = await clerkOf(`tenant-${++tenants}`);
    served.proxy.fail({ status: 401 });
    expect((await own.query(OrderList)).orders?.items).toEqual([]);
    expect(sentVariables().at(-1)).not.toHaveProperty('svcAfterEvent');
  });

  it('ends when its signal is aborted', async () => {
    const reason = new Error('The page was closed.');
    const controller = new AbortController();
    served.proxy.fail('hang');
    const request = resultOf(client().query(OrderList, {}, { signal: controller.signal }));
    await expect.poll(() => served.proxy.arrived.length).toBe(1);
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
  });

  it('is sent to the path that the client sets, with its headers and a refreshed token', async () => {
    served.proxy.fail();
    const own = client({
      url: served.url.replace(/$/, '/'),
      graphQLPath: '/graphql?x=1',
      headers: { 'X-Page': 'orders' },
      token: (expired) => (expired === undefined ? 'expired-token' : token),
    });
    expect((await own.query(OrderList)).orders?.items).toEqual([]);
    expect(served.proxy.arrived.map(({ path, headers }) => [path, headers['x-page']])).toEqual([
      ['/graphql?x=1', 'orders'],
      ['/graphql?x=1', 'orders'],
    ]);
  });
});

describe('a mutation', () => {
  it('is retried with its idempotency key and executed once when its response is lost', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    served.proxy.fail('cut after', failed('UNAVAILABLE'), 'cut within');
    const { payOrder } = await own.mutate(PayOrder, payment(orderId));
    expect(payOrder).toEqual({ __typename: 'PaymentDone', paymentReference: expect.any(String) as string });
    expect(keysSent()).toHaveLength(4);
    expect(new Set(keysSent()).size).toBe(1);
  });

  it('repeated with your own idempotency key returns the first result', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    const first = await own.mutate(PayOrder, payment(orderId), { idempotencyKey: 'pay-of-today' });
    expect(await own.mutate(PayOrder, payment(orderId), { idempotencyKey: 'pay-of-today' })).toEqual(first);
  });

  it('without an idempotency key is not retried', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    served.proxy.fail('cut before');
    const result = await resultOf(own.mutate(PayOrder, payment(orderId), { idempotencyKey: false }));
    expect(result).toMatchObject({ error: { type: 'no-response' } });
    expect(keysSent()).toEqual([undefined]);
  });

  it('of several commands has no key and is never repeated after it ran, and later reads include what it stored', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    served.proxy.fail();
    const a = { orderId, reason: 'Ordered twice' };
    const error = await own.mutate(payTwo, { a, b: payment(orderId).command }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ type: 'urn:svc:problem:command-rejected', failures: [{ path: ['payOrder'] }] });
    expect(keysSent()).toEqual([undefined]);
    expect((await own.query(OrderList)).orders?.items).toMatchObject([{ status: 'cancelled' }]);
    served.proxy.fail(failed('UNAVAILABLE'), failed('UNAUTHENTICATED'));
    await resultOf(own.mutate(payTwo, { a, b: payment(orderId).command }));
    expect(served.proxy.arrived).toHaveLength(1);
    await resultOf(own.mutate(payTwo, { a, b: payment(orderId).command }));
    expect(served.proxy.arrived).toHaveLength(2);
  });
});

describe('errors', () => {
  it('of business rules and validation have the types of REST', async () => {
    const own = client();
    const { orderId } = await own.createOrder(orderOf(1));
    await own.mutate(PayOrder, payment(orderId));
    const again = await resultOf(own.mutate(PayOrder, payment(orderId)));
    expect(again).toMatchObject({
      ok: false,
      error: {
        name: 'GraphQLRequestError',
        type: 'urn:svc:problem:command-rejected',
        status: 422,
        detail: expect.any(String) as string,
        traceId: expect.any(String) as string,
        reason: 'order-not-open',
        failures: [{ path: ['payOrder'], code: 'COMMAND_REJECTED', reason: 'order-not-open' }],
      },
    });
    const invalid = await resultOf(own.mutate(PayOrder, payment(orderId, '')));
    if (invalid.ok) throw new Error('The order was paid.');
    expect(invalid.error).toMatchObject({ type: 'urn:svc:problem:invalid-request', status: 400 });
    expect(invalid.error.detailAt('/cardToken')).toBe('must have at least 1 character');
    expect(String(invalid.error)).toContain('POST /graphql failed (400)');
  });

  it('of access and of documents are those of the response', async () => {
    const anonymous = createClient({ url: served.url }, used);
    expect(await resultOf(anonymous.query(OrderList))).toMatchObject({
      error: { type: 'urn:svc:problem:unauthenticated', status: 401 },
    });
    const old: QueryDocument<object, object> = { ...OrderList, text: '{ gone }', read: null };
    expect(await resultOf(client().query(old))).toMatchObject({
      error: {
        type: 'urn:svc:problem:bad-request',
        status: 400,
        detail: expect.stringContaining('"gone"') as string,
        failures: [{ code: 'GRAPHQL_VALIDATION_FAILED', path: null }],
      },
    });
  });

  it('of one query leave the results of the others', async () => {
    const item = { orderId: 'x', status: 'open', placedAt: '2026-01-31T12:00:00.000Z', paidAmount: null };
    served.proxy.fail(failed('FORBIDDEN', 'Not yours.', { orders: { items: [item], next: null } }));
    const result = await resultOf(client().query(OrderList));
    if (result.ok || !(result.error instanceof GraphQLRequestError)) throw new Error('The query succeeded.');
    expect(result.error).toMatchObject({ status: 403, detail: 'Not yours.' });
    expect(result.error.partialResult(OrderList)?.orders?.items[0]?.placedAt).toEqual(new Date(item.placedAt));
    expect(result.error.partialResult(PayOrder)).toBeNull();
  });

  it('of proxies and other servers are those of any request', async () => {
    served.proxy.fail({ status: 502, body: '<h1>Bad Gateway</h1>' });
    expect(await resultOf(client().query(OrderList))).toMatchObject({ error: { type: 'about:blank', status: 502 } });
    served.proxy.fail({ status: 200, body: '<h1>Welcome</h1>' });
    expect(await resultOf(client().query(OrderList))).toMatchObject({ error: { type: 'about:blank', status: 200 } });
  });

  it('have the type and the status of the same problem over REST', async () => {
    for (const code of Object.keys(graphQLErrorCodes)) {
      served.proxy.fail({ ...failed(code), status: 400 });
      const result = await resultOf(client({ retries: 0, token: undefined }).query(OrderList));
      const name = code.toLowerCase().replaceAll('_', '-') as ProblemName;
      const problem = Object.hasOwn(problemTypes, name) ? name : 'bad-request';
      expect([code, result]).toMatchObject([
        code,
        { error: { type: problemUrn(problem), status: problemTypes[problem].status } },
      ]);
    }
  });
});

describe('graphql', () => {
  it('rejects a text that was not generated', () => {
    expect(() => graphql('query New { orders { next } }' as never)).toThrow('Run svc generate.');
    expect(() => graphql('toString' as never)).toThrow('Run svc generate.');
  });
});
