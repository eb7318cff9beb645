/** The service of examples/orders with orders that tell a story, for pictures. */
import { InMemoryStorage } from '@svc/core';
import { signToken } from '@svc/http';
import { authenticationFrom } from '../../examples/orders/dist/authentication.js';
import { createHost } from '../../examples/orders/dist/host.js';
import { temporaryKeyVault } from '../../examples/orders/dist/key-vault.js';

const secret = 'a secret of the pictures, which nothing else uses';
const names = { issuer: 'orders', audience: 'orders' };

/** Starts the service, and fills it. Resolves with its address and the token of an operator. */
export async function startOrders() {
  const authentication = authenticationFrom({ AUTH_SECRET: secret });
  const storage = new InMemoryStorage();
  await recordHour(storage.hosts);
  const keyVault = temporaryKeyVault();
  const { app, service } = await createHost({}, { authentication, storage, keyVault, payWithin: { minutes: 30 } });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  await service.ready();
  const cancelled = await fill(url);
  await service.idle();
  const operator = { user: 'olga', name: 'Olga Berg', permissions: ['system:read', 'system:write', 'tenants:act'] };
  return { url, token: await tokenOf(operator), cancelled, stop: () => app.close() };
}

/** The activity of an hour before the picture, which is too long to wait for. */
async function recordHour(hosts) {
  const everyMs = 10_000;
  const now = Math.floor(Date.now() / everyMs) * everyMs;
  for (let step = 360; step > 0; step--) {
    const commands = Math.round(240 + 90 * Math.sin(step / 40) + 25 * Math.sin(step / 3));
    const [rejected, failed] = [Math.round(commands / 60), step > 150 && step < 165 ? 6 : 0];
    // By bucket of duration, about 4, 6 and 20 ms.
    const durations = {
      39: Math.round(commands * 0.7),
      43: Math.round(commands * 0.28),
      56: Math.ceil(commands * 0.02),
    };
    const counts = { commands, rejected, failed, durations };
    const host = { version: '1.4.2', library: '0.1.0', startedAt: now - 3_600_000 };
    await hosts.record({ ...counts, ...host, at: now - step * everyMs, everyMs }, 3_600_000);
  }
}

const customers = [
  ['Ann Lee', '1 Main St', 'tea', '3.50'],
  ['Bob Ray', '8 Oak Ave', 'coffee', '7.20'],
  ['Cleo Diaz', '23 Hill Rd', 'cups', '12.00'],
  ['Dan Fox', '5 Lake Dr', 'tea', '3.50'],
  ['Eve Hart', '77 Park Ln', 'honey', '6.80'],
  ['Finn Moss', '14 Mill St', 'coffee', '7.20'],
];

/** Returns the id of an order that a clerk cancelled. */
async function fill(url) {
  const [ann, tom] = await Promise.all([
    tokenOf({ user: 'ann', name: 'Ann Clerk', tenant: 'north', roles: ['clerk'] }),
    tokenOf({ user: 'tom', name: 'Tom Clerk', tenant: 'south', roles: ['clerk'] }),
  ]);
  const orders = [];
  for (const [index, [customerName, street, productId, unitPrice]] of customers.entries()) {
    const { orderId } = await post(url, index % 3 === 2 ? tom : ann, '/orders', {
      customerId: `0190a3a4-7d5c-7cc2-8a9b-${String(index).padStart(12, '0')}`,
      customerName,
      lineItems: [{ productId, quantity: index + 1, unitPrice }],
      shippingAddress: { street, city: 'Springfield', state: 'IL', zipCode: '62701' },
    });
    orders.push(orderId);
  }
  const [cancelled, moved] = orders;
  await post(url, ann, '/orders/change-delivery-address', {
    orderId: cancelled,
    label: '2 Side St, Springfield, IL 62701',
  });
  await post(url, ann, '/orders/change-delivery-address', {
    orderId: moved,
    label: '9 Elm St, Springfield, IL 62701',
  });
  await post(url, ann, '/orders/cancel', { orderId: cancelled, reason: 'The customer called.' });
  return cancelled;
}

async function post(url, token, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function tokenOf(user) {
  return signToken(user, { secret, ...names });
}
