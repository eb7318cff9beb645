/** GraphQL clients as their users get them, unconfigured, against the reference service. */
import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange, type OperationResult } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { gql, GraphQLClient } from 'graphql-request';
import { serverAudits } from 'graphql-http';
import { createClient as createStream, type Sink } from 'graphql-sse';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHost, type OrdersHost } from '../../examples/orders/src/host.js';

let host: OrdersHost;
let url: string;
/** The method, and what was sent instead of a query or with it, of each request. */
let sent: { readonly method: string; readonly hasQuery: boolean; readonly hasHash: boolean }[];

beforeAll(async () => {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } });
  url = `${await host.app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
});
afterAll(() => host.app.close());
beforeEach(() => void (sent = []));

const recordingFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const body = decodeURIComponent(request.url) + (typeof init?.body === 'string' ? init.body : '');
  sent.push({
    method: request.method,
    hasQuery: /[?&"]query"?[=:]/.test(body),
    hasHash: body.includes('sha256Hash'),
  });
  return await fetch(input, init);
};

const orders = 'orders { items { orderId } }';
const noOrders = { orders: { items: [] } };
const readOrder = 'query Order($id: ID!) { order(id: $id) { orderId } }';
const createOrder = 'mutation Create($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';
const nothing = { id: '01900000-0000-7000-8000-000000000000' };

/** That the first client sent the hash, then the query with it, and the second client only the hash. */
function expectRegistered(): void {
  expect(sent.map(({ hasQuery, hasHash }) => [hasQuery, hasHash])).toEqual([
    [false, true],
    [true, true],
    [false, true],
  ]);
}

describe('urql', () => {
  it('sends queries by GET by default, and is answered', async () => {
    const client = new Client({ url, exchanges: [fetchExchange], fetch: recordingFetch });
    const answer = await client.query(readOrder, nothing).toPromise();
    expect([answer.error, answer.data]).toEqual([undefined, { order: null }]);
    expect(sent).toMatchObject([{ method: 'GET' }]);
  });

  it('registers a query under its hash, and sends only the hash from then on', async () => {
    const exchanges = [persistedExchange({ preferGetForPersistedQueries: true }), fetchExchange];
    const query = `query ByUrql { ${orders} }`;
    for (let i = 0; i < 2; i++) {
      const client = new Client({ url, exchanges, fetch: recordingFetch });
      const answer = await client.query(query, {}).toPromise();
      expect([answer.error, answer.data]).toMatchObject([undefined, noOrders]);
    }
    expectRegistered();
  });

  it('sends a mutation by POST, and its error is readable', async () => {
    const client = new Client({ url, exchanges: [fetchExchange], fetch: recordingFetch });
    const { error } = await client.mutation(createOrder, { command: {} }).toPromise();
    expect(error?.graphQLErrors[0]?.extensions['code']).toBe('INVALID_REQUEST');
    expect(sent).toMatchObject([{ method: 'POST' }]);
  });
});

describe('Apollo Client', () => {
  it('queries by GET with useGETForQueries', async () => {
    const link = new HttpLink({ uri: url, useGETForQueries: true, fetch: recordingFetch });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    expect((await client.query({ query: parse(readOrder), variables: nothing })).data).toEqual({ order: null });
    expect(sent).toMatchObject([{ method: 'GET' }]);
  });

  it('registers a query under its hash, and sends only the hash from then on', async () => {
    const query = parse(`query ByApollo { ${orders} }`);
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    for (let i = 0; i < 2; i++) {
      const http = new HttpLink({ uri: url, fetch: recordingFetch });
      const client = new ApolloClient({
        link: new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(http),
        cache: new InMemoryCache(),
      });
      expect((await client.query({ query })).data).toMatchObject(noOrders);
    }
    expectRegistered();
  });
});

it('graphql-request queries by GET', async () => {
  const client = new GraphQLClient(url, { method: 'GET', fetch: recordingFetch });
  expect(
    await client.request(gql`
      query ByRequest {
        orders {
          items {
            orderId
          }
        }
      }
    `),
  ).toEqual(noOrders);
  expect(sent).toMatchObject([{ method: 'GET' }]);
});

describe('the audits of graphql-http', () => {
  it.each(serverAudits({ url: () => url }).map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});

// Last, because others expect that there are no orders.
describe('subscriptions', () => {
  const order = {
    customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
    shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
  };
  const place = async (): Promise<string> => {
    const { createOrder: placed } = await new GraphQLClient(url).request<{ createOrder: { orderId: string } }>(
      createOrder,
      { command: order },
    );
    return placed.orderId;
  };
  const newest = 'subscription Newest { orders(sort: "-placedAt", pageSize: 1) { keys } }';

  it('come to urql without another package', async () => {
    const client = new Client({ url, exchanges: [fetchExchange], fetchSubscriptions: true });
    const results: OperationResult[] = [];
    const { unsubscribe } = client.subscription(newest, {}).subscribe((result) => void results.push(result));
    await expect.poll(() => results.length).toBe(1);
    const orderId = await place();
    await expect.poll(() => results.at(-1)).toMatchObject({ data: { orders: { keys: [orderId] } } });
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
    unsubscribe();
    const rejected: OperationResult[] = [];
    client.subscription('subscription { weather }', {}).subscribe((result) => void rejected.push(result));
    await expect.poll(() => rejected[0]?.error?.message).toContain('Cannot query field "weather"');
  });

  it('update the cache of Apollo Client, so that its queries show them', async () => {
    const stream = createStream({ url });
    const link = new ApolloLink(
      (operation) =>
        new Observable((observer) =>
          stream.subscribe({ query: print(operation.query), variables: operation.variables }, observer as Sink),
        ),
    );
    const cache = new InMemoryCache({ typePolicies: { OrderSummary: { keyFields: ['orderId'] } } });
    const client = new ApolloClient({ link, cache });
    const orderId = await place();
    const variables = { id: orderId };
    const fields = '($id: ID!) { order(id: $id) { orderId status } }';
    // A query over a stream has one result.
    await expect
      .poll(
        async () => (await client.query({ query: parse(`query ${fields}`), variables, fetchPolicy: 'no-cache' })).data,
      )
      .toMatchObject({ order: { status: 'open' } });
    const shown: unknown[] = [];
    const query = client.watchQuery({ query: parse(`query ${fields}`), variables });
    query.subscribe(({ data }) => void shown.push((data as { order?: { status: string } } | undefined)?.order?.status));
    const live = client.subscribe({ query: parse(`subscription ${fields}`), variables }).subscribe({});
    await expect.poll(() => shown.at(-1)).toBe('open');
    const cancel = 'mutation ($command: CancelOrderInput!) { cancelOrder(command: $command) }';
    await new GraphQLClient(url).request(cancel, { command: { orderId, reason: 'x' } });
    await expect.poll(() => shown.at(-1)).toBe('cancelled');
    live.unsubscribe();
    stream.dispose();
  });
});
