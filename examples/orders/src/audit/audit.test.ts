import { AccessDenied, AccessGranted, newId } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, SecuredOrders, tokenFor } from '../testing/secured-orders.js';
import type { AuditEntry } from './order-audit.js';

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

async function entriesOf(orderId: string, token = auditor): Promise<AuditEntry[]> {
  const { status, body } = await orders.get(token, `/orders/${orderId}/audit`);
  expect(status).toBe(200);
  return (body as { entries: AuditEntry[] }).entries;
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
    expect(entries.map(({ what, who }) => ({ what, who }))).toEqual([
      { what: 'orders.OrderPlaced', who: annDid },
      { what: 'orders.StockReserved', who: annDid },
      { what: 'orders.ReserveStock', who: annDid },
      { what: 'orders.CreateOrder', who: annDid },
      { what: 'orders.DeliveryAddressChanged', who: bobDid },
      { what: 'orders.ChangeDeliveryAddress', who: bobDid },
      { what: 'orders.OrderCancelled', who: bobDid },
      { what: 'orders.CancelOrder', who: bobDid },
    ]);
    expect(entries[6]).toEqual({
      when: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      what: 'orders.OrderCancelled',
      kind: 'event',
      who: bobDid,
      reason: 'changed my mind',
      auditReason: 'Cancellations are looked into when customers complain.',
      correlationId: entries[7]!.correlationId,
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
    expect(seen.slice(4)).toEqual([
      ['denial', 'svc.AccessDenied', 'mallory'],
      ['event', 'orders.DeliveryAddressChanged', 'olga'],
      ['command', 'orders.ChangeDeliveryAddress', 'olga'],
    ]);
    const [granted] = await orders.systemEvents(AccessGranted);
    expect(granted).toMatchObject({ resourceType: 'tenant', resourceId: 'acme', usedPermission: 'tenants:act' });
  });
});
