import { AccessDenied, AccessGranted, newId } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, SecuredOrders, tokenFor } from '../testing/secured-orders.js';
import type { OrderAction } from './audit-route.js';

let orders: SecuredOrders;
let ann: string;
let bob: string;
let auditor: string;

beforeEach(async () => {
  orders = await SecuredOrders.start();
  ann = await tokenFor('ann', { name: 'Ann Lee', roles: ['clerk'] });
  bob = await tokenFor('bob', { name: 'Bob Ray', roles: ['clerk'] });
  auditor = await tokenFor('eve', { roles: ['auditor'] });
});
afterEach(() => orders.stop());

async function placed(token = ann): Promise<string> {
  return ((await orders.post(token, '/orders', order)).body as { orderId: string }).orderId;
}

async function entriesOf(orderId: string, token = auditor): Promise<OrderAction[]> {
  const { status, body } = await orders.get(token, `/orders/${orderId}/audit`);
  expect(status).toBe(200);
  return (body as { entries: OrderAction[] }).entries;
}

describe('GET /orders/:orderId/audit', () => {
  it('returns who did what to the order, when, and why', async () => {
    const [orderId] = [await placed(), await placed(bob)];
    const label = '2 Side St, Shelbyville, IL 62565';
    await orders.post(bob, '/orders/change-delivery-address', { orderId, label });
    await orders.post(bob, '/orders/cancel', { orderId, reason: 'changed my mind' });
    const entries = await entriesOf(orderId);
    const [annDid, bobDid] = [
      { userId: 'ann', userName: 'Ann Lee', tenantId: 'acme' },
      { userId: 'bob', userName: 'Bob Ray', tenantId: 'acme' },
    ];
    expect(entries.map(({ what, who, cause }) => ({ what, who, cause }))).toEqual([
      { what: 'orders.OrderPlaced', who: annDid, cause: 'orders.CreateOrder' },
      { what: 'orders.StockReserved', who: annDid, cause: 'orders.ReserveStock' },
      { what: 'orders.DeliveryAddressChanged', who: bobDid, cause: 'orders.ChangeDeliveryAddress' },
      { what: 'orders.OrderCancelled', who: bobDid, cause: 'orders.CancelOrder' },
    ]);
    expect(entries[3]).toEqual({
      when: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      what: 'orders.OrderCancelled',
      kind: 'event',
      who: bobDid,
      reason: 'changed my mind',
      auditReason: 'Cancellations are looked into when customers complain.',
      cause: 'orders.CancelOrder',
      correlationId: expect.any(String) as string,
    });
    expect(new Set(entries.map(({ correlationId }) => correlationId)).size).toBe(3);
  });

  it('is a 404 for an order that does not exist, and rejects an invalid id', async () => {
    expect((await orders.get(auditor, `/orders/${newId()}/audit`)).status).toBe(404);
    expect((await orders.get(auditor, '/orders/mine/audit')).status).toBe(400);
  });

  it('requires the permission to read the system stream, and records the access', async () => {
    const orderId = await placed();
    expect((await orders.send(`/orders/${orderId}/audit`, {})).status).toBe(401);
    expect((await orders.get(ann, `/orders/${orderId}/audit`)).status).toBe(403);
    await entriesOf(orderId);
    const requested = { resourceType: 'order-audit', resourceId: orderId };
    expect(await orders.systemEvents(AccessDenied)).toMatchObject([{ ...requested, scope: { userId: 'ann' } }]);
    expect(await orders.systemEvents(AccessGranted)).toMatchObject([
      { ...requested, usedPermission: 'system:read', accessFilter: 1, scope: { userId: 'eve', tenantId: 'acme' } },
    ]);
  });

  it('is a 404 for other tenants, and forbidden to a caller without a tenant', async () => {
    const orderId = await placed();
    const stranger = await tokenFor('zed', { tenant_id: 'other', roles: ['auditor'] });
    const foreign = await orders.get(stranger, `/orders/${orderId}/audit`);
    const unknown = await orders.get(stranger, `/orders/${newId()}/audit`);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const homeless = await tokenFor('yan', { tenant_id: undefined, roles: ['auditor'] });
    expect(await orders.get(homeless, `/orders/${orderId}/audit`)).toMatchObject({
      status: 403,
      body: { type: 'urn:svc:problem:forbidden' },
    });
    expect(await orders.systemEvents(AccessDenied)).toMatchObject([
      { reason: 'ScopeViolation', resourceType: 'stream', resourceId: orderId, scope: { userId: 'zed' } },
      { reason: 'ScopeViolation', resourceType: 'order-audit', scope: { userId: 'yan' } },
    ]);
  });

  it('shows all actions and attempts on the order, by callers of any tenant', async () => {
    const orderId = await placed();
    const mallory = await tokenFor('mallory', { tenant_id: 'evil', roles: ['clerk'] });
    expect((await orders.post(mallory, '/orders/cancel', { orderId, reason: 'mine now' })).status).toBe(404);
    const operator = await tokenFor('olga', {
      tenant_id: 'platform',
      permissions: ['orders:write', 'tenants:act'],
    });
    const label = '2 Side St, Shelbyville, IL 62565';
    const asAcme = { authorization: `Bearer ${operator}`, 'svc-tenant': 'acme' };
    expect((await orders.send('/orders/change-delivery-address', asAcme, { orderId, label })).status).toBe(200);
    const seen = (await entriesOf(orderId)).map(({ kind, what, who }) => [kind, what, who.userId]);
    expect(seen.slice(2)).toEqual([
      ['denial', 'svc.AccessDenied', 'mallory'],
      ['event', 'orders.DeliveryAddressChanged', 'olga'],
    ]);
    const [granted] = await orders.systemEvents(AccessGranted);
    expect(granted).toMatchObject({ resourceType: 'tenant', resourceId: 'acme', usedPermission: 'tenants:act' });
  });
});

describe('GET /audit', () => {
  it('answers who cancelled an order in one call', async () => {
    const orderId = await placed();
    await orders.post(bob, '/orders/cancel', { orderId, reason: 'changed my mind' });
    await orders.host.service.idle();
    const path = `/audit?resource=${orderId}&type=orders.OrderCancelled`;
    const { status, body } = await orders.get(auditor, path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      entries: [
        {
          kind: 'event',
          type: 'orders.OrderCancelled',
          streamId: orderId,
          position: 2,
          userId: 'bob',
          userName: 'Bob Ray',
          tenantId: 'acme',
          roles: ['clerk'],
          level: 'Warning',
          reason: 'changed my mind',
          auditReason: 'Cancellations are looked into when customers complain.',
          result: 'succeeded',
          cause: { kind: 'command', type: 'orders.CancelOrder' },
        },
      ],
      next: null,
    });
  });

  it('answers over GraphQL, too', async () => {
    const orderId = await placed();
    await orders.host.service.idle();
    const query = `{ audit(resource: "${orderId}", first: "oldest", limit: 1) {
      entries { type streamId position userId at roles cause { type } } next } }`;
    const { body } = await orders.post(auditor, '/graphql', { query });
    const { entries, next } = (body as { data: { audit: { entries: object[]; next: string } } }).data.audit;
    expect(entries).toEqual([
      {
        type: 'orders.OrderPlaced',
        streamId: orderId,
        position: 0,
        userId: 'ann',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        roles: ['clerk'],
        cause: { type: 'orders.CreateOrder' },
      },
    ]);
    // The next entry after it is that this caller reads the audit.
    const further = `{ audit(resource: "${orderId}", first: "oldest", limit: 1, after: "${next}") { entries { type } } }`;
    expect((await orders.post(auditor, '/graphql', { query: further })).body).toMatchObject({
      data: { audit: { entries: [{ type: 'orders.StockReserved' }] } },
    });
    const invalid = await orders.post(auditor, '/graphql', { query: '{ audit(level: "High") { next } }' });
    expect(invalid.body).toMatchObject({
      data: { audit: null },
      errors: [{ extensions: { errors: [{ pointer: '/level' }] } }],
    });
  });

  it('rejects unknown and invalid parameters with a problem', async () => {
    const { status, body } = await orders.get(
      auditor,
      '/audit?resource=mine&user=a&user=b&limit=0&page=1&from=yesterday',
    );
    expect(status).toBe(400);
    const { errors } = body as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/from', '/limit', '/page', '/resource', '/user']);
  });

  it('requires the permission to read the system stream, and records who reads what', async () => {
    const orderId = await placed();
    expect((await orders.send('/audit', {})).status).toBe(401);
    expect((await orders.get(ann, `/audit?resource=${orderId}`)).status).toBe(403);
    expect((await orders.get(auditor, `/audit?resource=${orderId}`)).status).toBe(200);
    const requested = { resourceType: 'audit', resourceId: orderId };
    expect(await orders.systemEvents(AccessDenied)).toMatchObject([{ ...requested, scope: { userId: 'ann' } }]);
    expect(await orders.systemEvents(AccessGranted)).toMatchObject([
      { ...requested, usedPermission: 'system:read', scope: { userId: 'eve', tenantId: 'acme' } },
    ]);
    await orders.host.service.idle();
    const { body } = await orders.get(auditor, `/audit?resource=${orderId}&type=svc.AccessGranted`);
    expect((body as { entries: object[] }).entries).toMatchObject([
      { kind: 'grant', userId: 'eve', resourceType: 'audit' },
    ]);
  });

  it('is described in the OpenAPI document', async () => {
    const { body } = await orders.send('/openapi.json', {});
    const { get } = (body as { paths: Record<string, { get: { parameters: { name: string }[]; security: object[] } }> })
      .paths['/audit']!;
    const names = [
      'resource',
      'tenant',
      'user',
      'correlation',
      'message',
      'type',
      'level',
      'from',
      'to',
      'first',
      'limit',
      'after',
    ];
    expect(get.parameters.map(({ name }) => name)).toEqual(names);
    expect(get.security).toEqual([{ Bearer: ['system:read'] }]);
  });
});
