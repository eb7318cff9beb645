/** Clients that people use, against the reference service: graphql-request, and graphql-codegen on the schema as it is served. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as operationsPlugin from '@graphql-codegen/typescript-operations';
import { buildClientSchema, getIntrospectionQuery, parse, printSchema, type IntrospectionQuery } from 'graphql';
import { ClientError, gql, GraphQLClient } from 'graphql-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost, type OrdersHost } from '../../examples/orders/src/host.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let host: OrdersHost;
let client: GraphQLClient;

beforeAll(async () => {
  host = await createHost({ notifier: { notify: () => Promise.resolve() } });
  client = new GraphQLClient(`${await host.app.listen({ host: '127.0.0.1', port: 0 })}/graphql`);
});
afterAll(() => host?.app.close());

const createOrder = gql`
  mutation CreateOrder($command: CreateOrderInput!) {
    createOrder(command: $command) {
      orderId
    }
  }
`;
const payOrder = gql`
  mutation PayOrder($command: PayOrderInput!) {
    payOrder(command: $command) {
      __typename
      ... on PaymentDone {
        status
        paymentReference
      }
      ... on PaymentPending {
        status
        message
      }
    }
  }
`;
const returnOrder = gql`
  mutation ReturnOrder($command: ReturnOrderInput!) {
    returnOrder(command: $command) {
      refundReference
      refundedAmount
      returnedAt
    }
  }
`;
const readOrders = gql`
  query ReadOrders($id: ID!, $pageSize: Int, $filter: OrderSummaryFilter) {
    order(id: $id) {
      orderId
      status
      paidAmount
      placedAt
      shippingAddress {
        city
      }
    }
    orders(pageSize: $pageSize, filter: $filter, sort: "-placedAt") {
      items {
        orderId
        pieces
      }
      page
      pageSize
      hasMore
      next
    }
  }
`;

const order = {
  customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};

async function newOrder(): Promise<string> {
  const { createOrder: created } = await client.request<{ createOrder: { orderId: string } }>(createOrder, {
    command: order,
  });
  return created.orderId;
}

describe('graphql-request', () => {
  it('places, pays and returns an order', async () => {
    const orderId = await newOrder();
    const paid = await client.request(payOrder, { command: { orderId, amount: '7.00', cardToken: 'good' } });
    expect(paid).toEqual({
      payOrder: {
        __typename: 'PaymentDone',
        status: 'paid',
        paymentReference: expect.stringMatching(/^payment-/) as string,
      },
    });
    const returned = await client.request(returnOrder, {
      command: { orderId, reason: 'late', refund: { voucher: { name: 'Ada' } }, comment: null },
    });
    expect(returned).toEqual({
      returnOrder: {
        refundReference: expect.stringMatching(/^voucher-/) as string,
        refundedAmount: '7.00',
        returnedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      },
    });
    const types: string[] = [];
    for await (const { envelope } of host.service.eventStore.readStream(orderId as never)) types.push(envelope.type);
    expect(types).toEqual([
      'orders.OrderPlaced',
      'orders.StockReserved',
      'orders.OrderPaid',
      'orders.OrderReturnedToSender',
    ]);
  });

  it('uses the endpoint class that REST uses: its error-hook answers while the bank is unavailable', async () => {
    const orderId = await newOrder();
    const paid = await client.request(payOrder, { command: { orderId, amount: '7.00', cardToken: 'unavailable' } });
    expect(paid).toMatchObject({ payOrder: { __typename: 'PaymentPending', status: 'pending' } });
  });

  it('sends the request of a command with a request type', async () => {
    const orderId = await newOrder();
    const query = gql`
      mutation ($request: ChangeDeliveryAddressRequestInput!) {
        changeDeliveryAddress(request: $request) {
          street
          zipCode
        }
      }
    `;
    const request = { orderId, label: '2 Side St, Shelbyville, IL 62565' };
    expect(await client.request(query, { request })).toEqual({
      changeDeliveryAddress: { street: '2 Side St', zipCode: '62565' },
    });
  });

  it('receives null from a command without a result', async () => {
    const command = { orderId: await newOrder(), reason: 'changed my mind' };
    const query = 'mutation ($command: CancelOrderInput!) { cancelOrder(command: $command) }';
    expect(await client.request(query, { command })).toEqual({ cancelOrder: null });
  });

  it('reads the models of an order, as over REST', async () => {
    const orderId = await newOrder();
    await client.request(payOrder, { command: { orderId, amount: '7.00', cardToken: 'good' } });
    await host.service.idle();
    const rest = (await host.app.inject(`/orders/${orderId}`)).json<Record<string, unknown>>();
    const page = (await host.app.inject('/orders?pageSize=2&sort=-placedAt&filter[paidAmount][gte]=1')).json<{
      items: { orderId: string; pieces: number }[];
    }>();
    const found = await client.request(readOrders, {
      id: orderId,
      pageSize: 2,
      filter: { paidAmount: { gte: '1' } },
    });
    expect(found).toEqual({
      order: {
        orderId,
        status: 'paid',
        paidAmount: '7.00',
        placedAt: rest['placedAt'],
        shippingAddress: { city: 'Springfield' },
      },
      orders: {
        ...page,
        items: page.items.map(({ orderId: id, pieces }) => ({ orderId: id, pieces })),
      },
    });
    const customer = await client.request('query ($id: ID!) { customer(id: $id) { orders products { productId } } }', {
      id: order.customerId,
    });
    expect(customer).toMatchObject({ customer: { products: [{ productId: 'tea' }] } });
  });

  it('receives each validation error with its JSON Pointer', async () => {
    const failure = await client
      .request(createOrder, { command: { ...order, lineItems: [], customerId: 'me' } })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClientError);
    expect((failure as ClientError).response.errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [
        { pointer: '/customerId', detail: 'must be a UUID' },
        { pointer: '/lineItems', detail: 'must have at least 1 item' },
      ],
    });
  });
});

describe('graphql-codegen', () => {
  const usage = `
import type { CreateOrderInput, CreateOrderMutation, PayOrderMutation, ReadOrdersQuery, ReadOrdersQueryVariables, ReturnOrderInput, ReturnOrderMutation } from './schema.js';

export const order: CreateOrderInput = {
  customerId: 'id',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: 'a', city: 'b', state: 'c', zipCode: 'd' },
};
export const withNote: CreateOrderInput = { ...order, note: null };
export const back: ReturnOrderInput = { orderId: 'id', reason: 'late', refund: { voucher: { name: 'Ada' } } };
export const idOf = (answer: CreateOrderMutation): string => answer.createOrder.orderId;
export const statusOf = ({ payOrder }: PayOrderMutation): string =>
  payOrder.__typename === 'PaymentDone' ? payOrder.paymentReference : payOrder.message;
export const referenceOf = (answer: ReturnOrderMutation): string | null => answer.returnOrder.refundReference ?? null;
export const firstPage: ReadOrdersQueryVariables = { id: 'id' };
export const open: ReadOrdersQueryVariables = { id: 'id', filter: { status: { in: ['open'] }, paidAmount: { gt: '1' } } };
export const cityOf = ({ order }: ReadOrdersQuery): string | undefined => order?.shippingAddress?.city;
export const isOpen = ({ order }: ReadOrdersQuery): boolean => order?.status === 'open';
export const pieces = ({ orders }: ReadOrdersQuery): number[] => orders?.items.map((item) => item.pieces) ?? [];

// @ts-expect-error: there may be no order
export const orderId = ({ order }: ReadOrdersQuery): string => order.orderId;
// @ts-expect-error: it is not indexed
export const byPieces: ReadOrdersQueryVariables = { id: 'id', filter: { pieces: { eq: 1 } } };
// @ts-expect-error: nothing is lost
export const isLost = ({ order }: ReadOrdersQuery): boolean => order?.status === 'lost';
// @ts-expect-error: what is required must be there
export const incomplete: CreateOrderInput = { customerId: 'id' };
// @ts-expect-error: only one arm at a time
export const both: ReturnOrderInput = { ...back, refund: { card: {}, voucher: { name: 'Ada' } } };
// @ts-expect-error: a reason is one of three
export const unknown: ReturnOrderInput = { ...back, reason: 'bored' };
// @ts-expect-error: it may be null
export const notNull = (answer: ReturnOrderMutation): string => answer.returnOrder.refundReference;
`;
  const scalars = { UUID: 'string', Decimal: 'string', DateTime: 'string', SafeInt: 'number', Void: 'null' };

  it(
    'generates types from the served schema, with which a correct client compiles and a wrong one does not',
    { timeout: 60_000 },
    async () => {
      const introspection = await client.request<IntrospectionQuery>(getIntrospectionQuery({ oneOf: true }));
      const schema = parse(printSchema(buildClientSchema(introspection)));
      const code = await codegen({
        filename: 'schema.ts',
        schema,
        documents: [createOrder, payOrder, readOrders, returnOrder].map((text) => ({ document: parse(text) })),
        config: { scalars, enumsAsTypes: true, useTypeImports: true },
        plugins: [{ operations: {} }],
        pluginMap: { operations: operationsPlugin },
      });
      mkdirSync(join(root, '.cache'), { recursive: true });
      const folder = mkdtempSync(join(root, '.cache', 'codegen-'));
      try {
        writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
        writeFileSync(join(folder, 'schema.ts'), code);
        writeFileSync(join(folder, 'usage.ts'), usage);
        const tsc = join(root, 'node_modules/typescript/bin/tsc');
        const flags = [
          '--ignoreConfig',
          '--noEmit',
          '--strict',
          '--module',
          'nodenext',
          '--target',
          'es2022',
          '--types',
          '',
        ];
        const { stdout } = spawnSync(process.execPath, [tsc, ...flags, join(folder, 'usage.ts')], { encoding: 'utf8' });
        expect(stdout).toBe('');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
