/**
 * Databases of version 0.1.0, which identified a model by its key alone and allowed every clerk to cancel orders of every tenant. In each of
 * them `mallory` of `evil` placed an order for a customer of `acme` before acme did, and cancelled one of acme's orders.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PerspectiveStorage, type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SecuredOrders, tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

const customerId = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';
const writtenBy = (name: string): string =>
  readFileSync(new URL(`written-by-0.1.0/${name}.sql`, import.meta.url), 'utf8');

type Opened = Storage & { readonly perspectives: PerspectiveStorage };

function upgraded(open: () => Opened): void {
  const indexed = ['status', 'customerId', 'placedAt', 'paidAmount'];

  it('serves existing models before the replay, each to its own tenant', async () => {
    const storage = open();
    const { perspectives } = storage;
    const types = { status: 'text', customerId: 'text', placedAt: 'timestamp', paidAmount: 'decimal' } as const;
    const columns = indexed.map((name) => ({ name, type: types[name as keyof typeof types] }));
    perspectives.define([{ perspective: 'OrderSummaryPerspective', columns, version: 'another' }]);
    const seen = async (tenantId: string | null): Promise<number> => {
      const owner = { owner: tenantId ?? '', values: { tenantId } };
      const query = { offset: 0, limit: 10, owner, principals: null };
      const sort = { column: 'placedAt', descending: true };
      const [list, sorted] = [
        await perspectives.listModels('OrderSummaryPerspective', query),
        await perspectives.listModels('OrderSummaryPerspective', { ...query, sort }),
      ];
      expect(sorted).toHaveLength(list.length);
      return list.length;
    };
    expect([await seen('acme'), await seen('evil'), await seen(null)]).toEqual([2, 1, 0]);
    const all = await perspectives.listModels('OrderSummaryPerspective', {
      offset: 0,
      limit: 10,
      owner: null,
      principals: null,
    });
    expect(all).toHaveLength(3);
    const [first] = all;
    expect(await perspectives.readModels('OrderSummaryPerspective', [`${first!.key}\u001facme`])).toEqual([first]);
    expect(await perspectives.findModels('OrderSummaryPerspective', first!.key, 2)).toEqual([first]);
    expect(await perspectives.readProgress('OrderSummaryPerspective')).toMatchObject({ ofOtherVersion: true });
    await storage.close();
  });

  describe('after the replay', () => {
    let orders: SecuredOrders;
    beforeEach(async () => {
      orders = await SecuredOrders.start({}, { storage: open() });
    });
    afterEach(() => orders.stop());

    const get = async (tenant: string, path: string): Promise<unknown> => {
      const token = await tokenFor('eve', { tenant_id: tenant, roles: ['clerk'] });
      return (await orders.get(token, path)).body;
    };

    it('has one model per key and tenant, also for squatted keys', async () => {
      const ordersOf = async (tenant: string): Promise<unknown> =>
        ((await get(tenant, `/customers/${customerId}`)) as { orders?: number }).orders;
      await expect.poll(() => ordersOf('acme'), { timeout: 10_000 }).toBe(2);
      expect(await ordersOf('evil')).toBe(1);
    });

    it('shows each tenant its own orders, in the state that their events define', async () => {
      const states = async (tenant: string): Promise<string[]> => {
        const { items } = (await get(tenant, '/orders')) as { items: { status: string }[] };
        return items.map(({ status }) => status).toSorted();
      };
      await expect.poll(() => states('acme'), { timeout: 10_000 }).toEqual(['cancelled', 'open']);
      expect(await states('evil')).toEqual(['open']);
    });

    it('allows each tenant to append to its own streams only', async () => {
      const { items } = (await get('acme', '/orders?filter[status]=open')) as { items: { orderId: string }[] };
      const cancel = { orderId: items[0]!.orderId, reason: 'changed my mind' };
      const [ann, mallory] = [
        await tokenFor('ann', { tenant_id: 'acme', roles: ['clerk'] }),
        await tokenFor('mallory', { tenant_id: 'evil', roles: ['clerk'] }),
      ];
      expect((await orders.post(mallory, '/orders/cancel', cancel)).status).toBe(404);
      expect((await orders.post(ann, '/orders/cancel', cancel)).status).toBe(200);
    });
  });
}

describe('in SQLite', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-upgrade-'));
    const engine = (process.getBuiltinModule?.('node:sqlite') ??
      createRequire(import.meta.url)('@photostructure/sqlite')) as {
      DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
    };
    const database = new engine.DatabaseSync(join(folder, 'data.db'));
    database.exec(writtenBy('sqlite'));
    database.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  upgraded(() => sqlite({ file: join(folder, 'data.db') }));
});

describe('in PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createDatabase()));
  beforeEach(async () => {
    await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await database.query(writtenBy('postgres'));
  });
  afterAll(() => database.remove());
  upgraded(() => postgres({ url: database.url }));
});
