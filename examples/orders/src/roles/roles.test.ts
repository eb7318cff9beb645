import { messageOf, PermissionChanged, ScopeContextEstablished } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AssignRole } from './assign-role.js';
import { order, SecuredOrders, tokenFor } from '../testing/secured-orders.js';

let orders: SecuredOrders;
let admin: string;
let ann: string;

beforeEach(async () => {
  orders = await SecuredOrders.start();
  admin = await tokenFor('root', { roles: ['admin'] });
  ann = await tokenFor('ann');
});
afterEach(() => orders.stop());

const assign = (token: string, role = 'clerk', userId = 'ann') => orders.post(token, '/roles/assign', { userId, role });
const revoke = (token: string, role = 'clerk') => orders.post(token, '/roles/revoke', { userId: 'ann', role });

describe('a role', () => {
  it('takes effect with the next request, and until it is revoked', async () => {
    expect((await orders.post(ann, '/orders', order)).status).toBe(403);
    expect(await assign(admin)).toEqual({ status: 200, body: { userId: 'ann', roles: ['clerk'] } });
    expect((await orders.post(ann, '/orders', order)).status).toBe(200);
    expect(await revoke(admin)).toEqual({ status: 200, body: { userId: 'ann', roles: [] } });
    expect((await orders.post(ann, '/orders', order)).status).toBe(403);
    const contexts = await orders.systemEvents(ScopeContextEstablished);
    const ofAnn = contexts.filter(({ scope }) => scope.userId === 'ann').map(({ roles }) => Array.from(roles));
    expect(ofAnn).toEqual([[], ['clerk'], []]);
  });

  it('is assigned and revoked by permitted callers, in their own tenant', async () => {
    expect((await assign(ann)).status).toBe(403);
    const other = await tokenFor('root', { tenant_id: 'other', roles: ['admin'] });
    expect((await assign(other)).status).toBe(200);
    expect((await orders.post(ann, '/orders', order)).status).toBe(403);
    expect((await revoke(admin)).status).toBe(422);
  });

  it('must be a known role, and is not assigned twice', async () => {
    expect((await assign(admin, 'king')).status).toBe(400);
    await assign(admin);
    expect(await assign(admin)).toMatchObject({ status: 422, body: { detail: 'ann already has the role clerk.' } });
    expect(await revoke(admin, 'auditor')).toMatchObject({
      status: 422,
      body: { detail: 'ann was not assigned the role auditor in this service.' },
    });
  });
});

it('emits a system event for each change, in the transaction of the change', async () => {
  await assign(admin);
  await assign(admin);
  await revoke(admin);
  const cancelled = new AbortController();
  const command = messageOf(AssignRole, { userId: 'ann', role: 'admin' });
  const assigning = orders.host.service.dispatcher.invoke(command, { signal: cancelled.signal });
  cancelled.abort();
  await expect(assigning).rejects.toThrow('aborted');
  const changed = { userId: 'ann', tenantId: 'acme', changedBy: 'root' };
  expect(await orders.systemEvents(PermissionChanged)).toMatchObject([
    { ...changed, changeType: 'RolesAdded', rolesAdded: new Set(['clerk']) },
    { ...changed, changeType: 'RolesRemoved', rolesRemoved: new Set(['clerk']) },
  ]);
});
