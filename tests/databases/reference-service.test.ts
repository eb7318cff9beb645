/** The reference service on two databases: REST, GraphQL, the audit route, assigned roles, operators of the platform. */
import { newId } from '@svc/core';
import { expect, it, onTestFinished } from 'vitest';
import { order, SecuredOrders, tokenFor, type Answer } from '../../examples/orders/src/testing/secured-orders.js';
import { describePairs } from './pairs.js';

describePairs((fresh) => {
  let orders: SecuredOrders;

  async function start(): Promise<void> {
    orders = await SecuredOrders.start({}, { databases: (await fresh()).open() });
    onTestFinished(() => orders.stop());
  }

  const clerk = (tenant: string): Promise<string> => tokenFor('ann', { tenant_id: tenant, roles: ['clerk'] });
  const auditor = (tenant: string): Promise<string> => tokenFor('eve', { tenant_id: tenant, roles: ['auditor'] });
  const query = (token: string, text: string): Promise<Answer> => orders.post(token, '/graphql', { query: text });

  async function placed(tenant: string): Promise<{ readonly orderId: string; readonly customerId: string }> {
    const customerId = newId();
    const { status, body } = await orders.post(await clerk(tenant), '/orders', { ...order, customerId });
    expect(status).toBe(200);
    return { ...(body as { orderId: string }), customerId };
  }

  it('shows the orders, customers and audit of a tenant only to that tenant, over REST and GraphQL', async () => {
    await start();
    const inEu = await placed('acme');
    const inUs = await placed('us-corp');
    await orders.host.service.idle();
    for (const [tenant, own, other] of [
      ['acme', inEu, inUs],
      ['us-corp', inUs, inEu],
    ] as const) {
      const token = await clerk(tenant);
      expect((await orders.get(token, `/orders/${own.orderId}`)).status).toBe(200);
      expect((await orders.get(token, `/orders/${other.orderId}`)).status).toBe(404);
      const { body } = await query(
        token,
        `{ own: order(id: "${own.orderId}") { orderId } other: order(id: "${other.orderId}") { orderId }
           orders { items { orderId } } customers { items { customerId } }
           customer(id: "${other.customerId}") { customerId } }`,
      );
      expect(body).toEqual({
        data: {
          own: { orderId: own.orderId },
          other: null,
          orders: { items: [{ orderId: own.orderId }] },
          customers: { items: [{ customerId: own.customerId }] },
          customer: null,
        },
      });
      const audit = await orders.get(await auditor(tenant), `/orders/${own.orderId}/audit`);
      const entries = (audit.body as { entries: { what: string; who: { tenantId: string } }[] }).entries;
      expect(entries.map(({ what, who }) => [what, who.tenantId])).toEqual([
        ['orders.OrderPlaced', tenant],
        ['orders.StockReserved', tenant],
      ]);
      expect((await orders.get(await auditor(tenant), `/orders/${other.orderId}/audit`)).status).toBe(404);
    }
  });

  it('runs GraphQL mutations in the database of the caller', async () => {
    await start();
    const { orderId } = await placed('us-corp');
    const cancel = `mutation { cancelOrder(command: { orderId: "${orderId}", reason: "late" }) }`;
    const denied = await query(await clerk('acme'), cancel);
    expect(denied.body).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    expect((await query(await clerk('us-corp'), cancel)).body).toEqual({ data: { cancelOrder: null } });
  });

  it('rejects callers of an unknown tenant over REST and GraphQL', async () => {
    await start();
    const token = await clerk('xeno');
    expect((await orders.post(token, '/orders', order)).status).toBe(403);
    const { status, body } = await query(token, '{ orders { items { orderId } } }');
    expect([status, body]).toEqual([
      403,
      { errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'FORBIDDEN' }) as object })] },
    ]);
  });

  it('reads roles that were assigned in the database of the tenant', async () => {
    await start();
    const admin = await tokenFor('root', { tenant_id: 'us-corp', roles: ['admin'] });
    expect((await orders.post(admin, '/roles/assign', { userId: 'bob', role: 'clerk' })).status).toBe(200);
    const bob = await tokenFor('bob', { tenant_id: 'us-corp', roles: [] });
    await expect.poll(async () => (await orders.post(bob, '/orders', order)).status).toBe(200);
    const namesake = await tokenFor('bob', { tenant_id: 'acme', roles: [] });
    expect((await orders.post(namesake, '/orders', order)).status).toBe(403);
  });

  it('shows an operator of the platform each tenant that it acts for', async () => {
    await start();
    const [inEu, inUs] = [await placed('acme'), await placed('us-corp')];
    await orders.host.service.idle();
    const operator = await tokenFor('olga', {
      tenant_id: 'platform',
      roles: ['auditor'],
      permissions: ['tenants:act'],
    });
    const actingFor = (tenant: string, path: string): Promise<Answer> =>
      orders.send(path, { authorization: `Bearer ${operator}`, 'svc-tenant': tenant });
    expect((await orders.get(operator, `/orders/${inUs.orderId}`)).status).toBe(404);
    expect((await actingFor('us-corp', `/orders/${inUs.orderId}`)).status).toBe(200);
    expect((await actingFor('us-corp', `/orders/${inEu.orderId}`)).status).toBe(404);
    expect((await actingFor('xeno', `/orders/${inEu.orderId}`)).status).toBe(403);
  });
});
