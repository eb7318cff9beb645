import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost } from './host.js';
import { temporaryKeyVault } from './key-vault.js';
import { chooseStorage } from './storage.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-orders-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('has the orders of an earlier run', async () => {
  const file = join(folder, 'orders.db');
  const keyVault = temporaryKeyVault();
  const first = await createHost({}, { storage: sqlite({ file }), keyVault });
  const order = {
    customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
    shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
  };
  const created = await first.app.inject({ method: 'POST', url: '/orders', payload: order });
  const { orderId } = created.json<{ orderId: string }>();
  await first.app.close();
  await first.service.stop();

  const second = await createHost({}, { storage: sqlite({ file }), keyVault });
  const payload = { orderId, reason: 'changed my mind' };
  const cancelled = await second.app.inject({ method: 'POST', url: '/orders/cancel', payload });
  expect(cancelled.statusCode).toBe(200);
  await second.app.close();
  await second.service.stop();
});

it('is a file unless the URL of a server is given, and shows no password', async () => {
  expect(chooseStorage({}).where).toBe('.svc/orders.db');
  expect(chooseStorage({ DATABASE_URL: '' }).where).toBe('.svc/orders.db');
  const { storage, where } = chooseStorage({
    DATABASE_URL: 'postgres://me:secret@db.example:5433/orders?sslmode=verify-full',
  });
  expect(where).toBe('PostgreSQL at db.example:5433/orders');
  await storage.close();
});

it.each(['DATABASE_LISTEN_URL', 'DATABASE_READ_URL'])('uses the server of %s as well', async (name) => {
  const DATABASE_URL = 'postgres://me@127.0.0.1/orders';
  const other = { [name]: 'postgres://me@db.example/orders' };
  expect(() => chooseStorage({ DATABASE_URL, ...other })).toThrow('PostgreSQL at db.example');
  await chooseStorage({ DATABASE_URL, ...other, ALLOW_PLAINTEXT: 'yes' }).storage.close();
});
