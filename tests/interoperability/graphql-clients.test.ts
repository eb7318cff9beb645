/** GraphQL clients as their users get them, unconfigured, against the reference service. */
import { createHash } from 'node:crypto';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { gql, GraphQLClient } from 'graphql-request';
import { serverAudits } from 'graphql-http';
import { parse } from 'graphql';
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
