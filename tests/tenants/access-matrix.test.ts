/**
 * Who may do what in the reference service: every operation of its OpenAPI document and of its GraphQL schema, called by every kind of
 * caller with the ids of tenant `acme`. An operation that is not in the table fails the test.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStorage, runAsHost } from '@svc/core';
import { tenantOfEvent, type PerspectiveStorage, type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { order, SecuredOrders, tokenFor, type Answer } from '../../examples/orders/src/testing/secured-orders.js';
import { createDatabase } from '../postgres/test-database.js';

type Store = Storage & { readonly perspectives: PerspectiveStorage };

/** One store for all rows: no caller's request may affect the response to another. */
const stores: readonly { name: string; open: () => Promise<{ storage: Store; close: () => Promise<void> }> }[] = [
  { name: 'memory', open: () => Promise.resolve({ storage: new InMemoryStorage(), close: () => Promise.resolve() }) },
  {
    name: 'SQLite',
    open: () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-access-'));
      const close = (): Promise<void> => Promise.resolve(rmSync(folder, { recursive: true }));
      return Promise.resolve({ storage: sqlite({ file: join(folder, 'data.db') }), close });
    },
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const database = await createDatabase();
      return { storage: postgres({ url: database.url }), close: () => database.remove() };
    },
  },
];

/** In the order of the columns below. */
const callers = [
  ['no credential', null],
  ['acme, no role', { tenant_id: 'acme' }],
  ['acme, clerk', { tenant_id: 'acme', roles: ['clerk'] }],
  ['acme, auditor', { tenant_id: 'acme', roles: ['auditor'] }],
  ['acme, admin', { tenant_id: 'acme', roles: ['admin'] }],
  ['evil, no role', { tenant_id: 'evil' }],
  ['evil, clerk', { tenant_id: 'evil', roles: ['clerk'] }],
  ['evil, auditor', { tenant_id: 'evil', roles: ['auditor'] }],
  ['evil, admin', { tenant_id: 'evil', roles: ['admin'] }],
  ['no tenant, admin', { tenant_id: undefined, roles: ['admin'] }],
] as const;
const firstForeign = 5;

/** What the ids in a call refer to. */
type Needs = 'open order' | 'paid order' | 'nothing';

interface Row {
  readonly needs: Needs;
  readonly send: (ids: Ids) => { readonly path: string; readonly body?: object };
  /** The status for each caller; over GraphQL the status that REST would return. */
  readonly expected: readonly number[];
}

interface Ids {
  readonly orderId: string;
  readonly customerId: string;
}

const orderOfAcme = { ...order, shippingAddress: { ...order.shippingAddress, street: '7 Acme Road' } };
const label = '2 Side St, Shelbyville, IL 62565';
const { customerId } = order;
const graphQL = (query: string, command?: object) => ({
  path: '/graphql',
  body: { query, ...(command !== undefined && { variables: { command } }) },
});
const readers = [401, 403, 200, 200, 200, 403];

//                    nobody  -A  clerkA auditA adminA  -B  clerkB auditB adminB  adminless
const writesOrder = [401, 403, 200, 403, 200, 403, 404, 403, 404, 403];
const createsOrder = [401, 403, 200, 403, 200, 403, 200, 403, 200, 403];
const assignsRoles = [401, 403, 403, 403, 200, 403, 403, 403, 200, 403];
const revokesRoles = [401, 403, 403, 403, 422, 403, 403, 403, 422, 403];
const readsOne = [...readers, 404, 404, 404, 403];
const readsList = [...readers, 200, 200, 200, 403];
const readsAudit = [401, 403, 403, 200, 200, 403, 403, 404, 404, 403];

// A resource of another tenant has no records. A caller without a tenant reads those of no tenant.
const queriesAudit = [401, 403, 403, 200, 200, 403, 403, 200, 200, 200];

const rows: Readonly<Record<string, Row>> = {
  'POST /orders': { needs: 'nothing', send: () => ({ path: '/orders', body: order }), expected: createsOrder },
  'POST /orders/cancel': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: '/orders/cancel', body: { orderId, reason: 'x' } }),
    expected: writesOrder,
  },
  'POST /orders/change-delivery-address': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: '/orders/change-delivery-address', body: { orderId, label } }),
    expected: writesOrder,
  },
  'POST /orders/pay': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: '/orders/pay', body: { orderId, amount: '7', cardToken: 'visa' } }),
    expected: writesOrder,
  },
  'POST /roles/assign': {
    needs: 'nothing',
    send: () => ({ path: '/roles/assign', body: { userId: `user-${Math.random()}`, role: 'clerk' } }),
    expected: assignsRoles,
  },
  'POST /roles/revoke': {
    needs: 'nothing',
    send: () => ({ path: '/roles/revoke', body: { userId: 'nobody', role: 'clerk' } }),
    expected: revokesRoles,
  },
  'GET /orders': { needs: 'open order', send: () => ({ path: '/orders' }), expected: readsList },
  'GET /orders/{id}': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: `/orders/${orderId}` }),
    expected: readsOne,
  },
  // Live queries are open until their caller leaves: the first event decides.
  'GET /orders/live': { needs: 'open order', send: () => ({ path: '/orders/live' }), expected: readsList },
  'GET /orders/{id}/live': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: `/orders/${orderId}/live` }),
    expected: readsOne,
  },
  'GET /customers/live': { needs: 'open order', send: () => ({ path: '/customers/live' }), expected: readsList },
  'GET /customers/{id}/live': {
    needs: 'open order',
    send: () => ({ path: `/customers/${customerId}/live` }),
    expected: readsOne,
  },
  'GET /customers': { needs: 'open order', send: () => ({ path: '/customers' }), expected: readsList },
  'GET /customers/{id}': {
    needs: 'open order',
    send: () => ({ path: `/customers/${customerId}` }),
    expected: readsOne,
  },
  // The only custom route of the host that reads events.
  'GET /orders/{orderId}/audit': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: `/orders/${orderId}/audit` }),
    expected: readsAudit,
  },
  'GET /audit': {
    needs: 'open order',
    send: ({ orderId }) => ({ path: `/audit?resource=${orderId}` }),
    expected: queriesAudit,
  },
  'query audit': {
    needs: 'open order',
    send: ({ orderId }) => graphQL(`{ audit(resource: "${orderId}") { entries { type userId } next } }`),
    expected: queriesAudit,
  },
  'mutation createOrder': {
    needs: 'nothing',
    send: () => graphQL('mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }', order),
    expected: createsOrder,
  },
  'mutation cancelOrder': {
    needs: 'open order',
    send: ({ orderId }) =>
      graphQL('mutation ($command: CancelOrderInput!) { cancelOrder(command: $command) }', { orderId, reason: 'x' }),
    expected: writesOrder,
  },
  'mutation changeDeliveryAddress': {
    needs: 'open order',
    send: ({ orderId }) =>
      graphQL(`mutation { changeDeliveryAddress(request: { orderId: "${orderId}", label: "${label}" }) { city } }`),
    expected: writesOrder,
  },
  'mutation payOrder': {
    needs: 'open order',
    send: ({ orderId }) =>
      graphQL('mutation ($command: PayOrderInput!) { payOrder(command: $command) { __typename } }', {
        orderId,
        amount: '7',
        cardToken: 'visa',
      }),
    expected: writesOrder,
  },
  'mutation returnOrder': {
    needs: 'paid order',
    send: ({ orderId }) =>
      graphQL('mutation ($command: ReturnOrderInput!) { returnOrder(command: $command) { refundedAmount } }', {
        orderId,
        reason: 'broken',
        refund: { voucher: { name: 'Mallory' } },
      }),
    expected: writesOrder,
  },
  'query order': {
    needs: 'open order',
    send: ({ orderId }) => graphQL(`{ order(id: "${orderId}") { status } }`),
    expected: readsOne,
  },
  'query orders': { needs: 'open order', send: () => graphQL('{ orders { items { status } } }'), expected: readsList },
  'query customer': {
    needs: 'open order',
    send: () => graphQL(`{ customer(id: "${customerId}") { orders } }`),
    expected: readsOne,
  },
  'query customers': {
    needs: 'open order',
    send: () => graphQL('{ customers { items { orders } } }'),
    expected: readsList,
  },
  'subscription order': {
    needs: 'open order',
    send: ({ orderId }) => graphQL(`subscription { order(id: "${orderId}") { status } }`),
    expected: readsOne,
  },
  'subscription orders': {
    needs: 'open order',
    send: () => graphQL('subscription { orders { changed { model { status } } } }'),
    expected: readsList,
  },
  'subscription customer': {
    needs: 'open order',
    send: () => graphQL(`subscription { customer(id: "${customerId}") { orders } }`),
    expected: readsOne,
  },
  'subscription customers': {
    needs: 'open order',
    send: () => graphQL('subscription { customers { changed { model { orders } } } }'),
    expected: readsList,
  },
};

const statusOfCode: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  COMMAND_REJECTED: 422,
};

/** The status of a response, over either transport. */
function statusOf(operation: string, { status, body }: Answer): number {
  if (!/^(?:mutation|query|subscription) /.test(operation)) return status;
  const { data, errors } = body as {
    data?: Record<string, unknown> | null;
    errors?: { extensions: { code: string } }[];
  };
  const code = errors?.[0]?.extensions.code;
  if (code !== undefined) return statusOfCode[code] ?? 0;
  // A model that the caller may not see is null.
  return !operation.startsWith('mutation') && Object.values(data ?? {})[0] === null ? 404 : status;
}

describe.each(stores)('in $name', ({ open }) => {
  let orders: SecuredOrders;
  let storage: Store;
  let close: () => Promise<void>;
  let tokens: readonly (string | null)[];
  let clerk: string;

  beforeAll(async () => {
    ({ storage, close } = await open());
    orders = await SecuredOrders.start({}, { storage });
    tokens = await Promise.all(
      callers.map(async ([name, claims]) => (claims === null ? null : await tokenFor(`user of ${name}`, claims))),
    );
    clerk = await tokenFor('ann', { tenant_id: 'acme', roles: ['clerk'] });
  });
  afterAll(async () => {
    await orders.stop();
    await close();
  });

  const call = (token: string | null, { path, body }: ReturnType<Row['send']>): Promise<Answer> => {
    const credential: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const isStream = JSON.stringify(body ?? {}).includes('"subscription ');
    return isStream ? orders.firstResult(path, credential, body) : orders.send(path, credential, body);
  };

  async function prepared(needs: Needs): Promise<Ids> {
    if (needs === 'nothing') return { orderId: '', customerId };
    const { body } = await orders.post(clerk, '/orders', orderOfAcme);
    const { orderId } = body as { orderId: string };
    if (needs === 'paid order') await orders.post(clerk, '/orders/pay', { orderId, amount: '7', cardToken: 'visa' });
    await orders.host.service.idle();
    return { orderId, customerId };
  }

  /** Everything of acme in the storage. */
  async function everythingOfAcme(): Promise<unknown> {
    await orders.host.service.idle();
    const events: unknown[] = [];
    for await (const record of storage.readAll()) {
      if (tenantOfEvent(record) === 'acme') events.push({ ...plain(record) });
    }
    const models: unknown[] = [];
    for (const perspective of ['OrderSummaryPerspective', 'CustomerOverviewPerspective', 'AuditLogPerspective']) {
      const owner = { owner: 'acme', values: { tenantId: 'acme' } };
      models.push(
        await storage.perspectives.listModels(perspective, { offset: 0, limit: 10_000, owner, principals: null }),
      );
    }
    return { events, models };
  }

  it('has a row for every operation', async () => {
    const { paths } = (await orders.send('/openapi.json', {})).body as { paths: Record<string, object> };
    const rest = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const answer = await call(clerk, graphQL(getIntrospectionQuery()));
    const schema = buildClientSchema((answer.body as { data: IntrospectionQuery }).data);
    const fields = (kind: string, type: ReturnType<typeof schema.getQueryType>): string[] =>
      Object.keys(type?.getFields() ?? {}).map((name) => `${kind} ${name}`);
    const found = [
      ...rest,
      'GET /orders/{orderId}/audit',
      ...fields('mutation', schema.getMutationType()),
      ...fields('query', schema.getQueryType()),
      ...fields('subscription', schema.getSubscriptionType()),
    ];
    expect(found.toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  // Reads come first: a clerk of another tenant may place an order for the same customer.
  const inOrder = Object.entries(rows).toSorted(([a], [b]) => Number(isWriting(a)) - Number(isWriting(b)));

  /** Callers share what they only read. */
  let shared: Promise<Ids> | undefined;
  const idsFor = (operation: string, needs: Needs): Promise<Ids> =>
    isWriting(operation) ? prepared(needs) : (shared ??= prepared('open order'));

  it.each(inOrder)('%s', async (operation, row) => {
    const answers: number[] = [];
    for (const token of tokens.slice(0, firstForeign)) {
      answers.push(statusOf(operation, await call(token, row.send(await idsFor(operation, row.needs)))));
    }
    const ids = await idsFor(operation, row.needs);
    const before = await everythingOfAcme();
    for (const token of tokens.slice(firstForeign)) {
      answers.push(statusOf(operation, await call(token, row.send(ids))));
    }
    const named = (list: readonly number[]): unknown => Object.fromEntries(callers.map(([name], i) => [name, list[i]]));
    expect(named(answers)).toEqual(named(row.expected));
    expect(await everythingOfAcme()).toEqual(before);
  });

  it('reveals nothing of another tenant in any response', async () => {
    const { orderId } = await prepared('open order');
    const mallory = tokens[8]!;
    const audits = ['/audit', '/audit?tenant=acme', '/audit?user=ann', `/audit?resource=${orderId}`];
    const live = ['/orders/live', '/customers/live', `/orders/${orderId}/live`];
    const reads = ['/orders', '/customers', `/orders/${orderId}`, `/orders/${orderId}/audit`];
    for (const path of [...reads, ...live, ...audits]) {
      const text = JSON.stringify((await call(mallory, { path })).body);
      expect(text).not.toMatch(/Acme Road|"ann"/);
    }
    expect(await runAsHost(() => orders.host.service.eventStore.lastPosition(orderId as never))).toBe(1);
  });
});

function isWriting(operation: string): boolean {
  return /^(?:POST|mutation) /.test(operation);
}

function plain(record: object): object {
  const names = [
    'id',
    'type',
    'streamId',
    'body',
    'timestamp',
    'correlationId',
    'causationId',
    'scope',
    'metadata',
    'position',
    'sequence',
  ];
  return Object.fromEntries(names.map((name) => [name, (record as Record<string, unknown>)[name]]));
}
