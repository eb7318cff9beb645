/** Requests that force the new version through a real HAProxy: without the permission none of them reaches a command. */
import { request } from 'node:http';
import { newId } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { newApiKey } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../tools/ports/index.mjs';
import { bundledProgram } from '../bundled-program.js';
import { emittedEvents } from '../operations/emitted.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { HaproxyRig } from './haproxy-rig.js';
import { waitFor } from './wait-for.js';

const [clerk, tester] = [newApiKey(), newApiKey()];
const keys = [
  { sha256: clerk.sha256, scope: { userId: 'clerk', tenantId: 'acme' }, permissions: ['orders:write'] },
  { sha256: tester.sha256, scope: { userId: 'tester', tenantId: 'acme' }, permissions: ['orders:write', 'canary:use'] },
];
const order = {
  customerId: newId(),
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};
const mutation = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';

class GuardedRig extends HaproxyRig {
  static async start(database: TestDatabase): Promise<GuardedRig> {
    const program = await bundledProgram(new URL('guarded-instance.mjs', import.meta.url));
    const rig = new GuardedRig([program, database.url, JSON.stringify(keys)], await freePorts(3), {
      blue: 1,
      green: 1,
    });
    await rig.startHaproxy();
    return rig;
  }
}

let database: TestDatabase;
let rig: GuardedRig;
let storage: Storage;
beforeAll(async () => {
  database = await createDatabase();
  storage = postgres({ url: database.url });
  rig = await GuardedRig.start(database);
  await rig.must('install', '--environment', 'blue', '--version', 'v1', '--instances', '1');
  await rig.must('install', '--environment', 'green', '--version', 'v2', '--instances', '1');
  // As while a canary is under way, in its first moment.
  await rig.platform.forceByHeader('green');
}, 120_000);
afterAll(async () => {
  await rig?.stop();
  await storage?.close();
  await database?.remove();
});

/** Not with fetch, which cannot send a custom `connection` header. */
function send(
  headers: Record<string, string>,
  path = '/orders',
  body: object = order,
): Promise<{ status: number | undefined; version: string | string[] | undefined }> {
  const text = JSON.stringify(body);
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const options = { port: rig.port, path, method: 'POST', headers: { ...length, ...headers } };
    const sent = request(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode, version: answer.headers['x-orders-version'] }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** The number of orders, of either version. */
async function orders(): Promise<number> {
  const { rows } = await database.query("SELECT count(*)::int AS n FROM svc_events WHERE type = 'orders.OrderPlaced'");
  return (rows as { n: number }[])[0]!.n;
}

/** The number of executed commands, from their audit records, which follow shortly after a command. */
async function commands(): Promise<number> {
  let count = 0;
  await waitFor(async () => {
    const { rows } = await database.query("SELECT 1 FROM svc_outbox WHERE lane = 'system'");
    count = (await emittedEvents(storage, 'CommandAudited')).length;
    return rows.length === 0;
  }, 'all audit records are in the system stream');
  return count;
}

const forced = { 'x-svc-version': 'new' };

it('reach the new version with the permission, and the old one without the header', async () => {
  expect(await send({ ...forced, 'x-api-key': tester.key })).toEqual({ status: 200, version: 'v2' });
  expect(await send({ 'x-api-key': clerk.key })).toEqual({ status: 200, version: 'v1' });
  expect(await orders()).toBe(2);
});

it('are rejected without it, before a command, over REST and GraphQL', async () => {
  const before = { orders: await orders(), commands: await commands() };
  const graphql = { query: mutation, variables: { command: order } };
  const rejected = { status: 403, version: 'v2' };
  expect(await send({ ...forced, 'x-api-key': clerk.key })).toEqual(rejected);
  expect(await send({ ...forced, 'x-api-key': clerk.key }, '/graphql', graphql)).toEqual(rejected);
  // A proxy that took the header for one of the connection would route by it and not forward it. HAProxy forwards it.
  expect(await send({ ...forced, connection: 'close, x-svc-version', 'x-api-key': clerk.key })).toEqual(rejected);
  expect(await send(forced)).toEqual({ status: 401, version: 'v2' });
  await expect
    .poll(() => emittedEvents(storage, 'AccessDenied'))
    .toContainEqual(
      expect.objectContaining({
        resourceType: 'canary',
        resourceId: 'x-svc-version',
        requiredPermission: 'canary:use',
        scope: { userId: 'clerk', tenantId: 'acme' },
      }),
    );
  expect({ orders: await orders(), commands: await commands() }).toEqual(before);
});
