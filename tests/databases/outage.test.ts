/** While one database is unavailable, the tenants of the other are served. */
import { newId, type TenantDatabases } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { transportMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cuttingProxy, type CuttingProxy } from '../postgres/cutting-proxy.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { openBank, type Bank } from '../tenants/bank.js';
import { regionOf, type Name } from './pairs.js';

let databases: Record<Name, TestDatabase>;
let proxies: Record<Name, CuttingProxy>;
beforeAll(async () => {
  databases = { eu: await createDatabase(), us: await createDatabase() };
  proxies = { eu: await cuttingProxy(databases.eu.url), us: await cuttingProxy(databases.us.url) };
});
afterAll(async () => {
  for (const name of ['eu', 'us'] as const) {
    await proxies[name].close();
    await databases[name].remove();
  }
});

function opened(): TenantDatabases<Name> {
  const open = (name: Name) => postgres({ url: proxies[name].url, connectTimeoutMs: 2_000 });
  return { databases: { eu: open('eu'), us: open('us') }, storageOf: regionOf, default: 'eu' };
}

async function stateOf({ service }: Bank): Promise<unknown> {
  const { status, entries } = await service.health.run();
  const { description, data } = entries.find(({ name }) => name === 'svc_relational_db')!;
  return { status, description, data };
}

it('serves the tenants of one database while the other is down, and reports which one it is', async () => {
  const transport = new InProcessTransport();
  const bank = await openBank({
    storage: opened(),
    configure: (service) =>
      service
        .reportTo(() => {})
        .useTransport(transport.host('bank'))
        .acceptEvents({ from: 'branch', namespaces: ['bank'] }),
  });
  const open = async (who: string): Promise<number> =>
    (await bank.post(who, '/accounts/open', { accountId: newId() })).statusCode;
  expect([await open('acme/ann'), await open('us-corp/bob')]).toEqual([200, 200]);
  expect(await stateOf(bank)).toMatchObject({
    status: 'Healthy',
    data: { 'eu.status': 'Healthy', 'eu.roles': 'single', 'us.status': 'Healthy' },
  });

  proxies.us.cutAnswers();
  await expect.poll(() => open('us-corp/bob')).toBe(503);
  expect((await bank.get('us-corp/bob', '/accounts')).statusCode).toBe(503);
  expect(await open('acme/ann')).toBe(200);
  const { headers } = await bank.post('acme/ann', '/accounts/open', { accountId: newId() });
  const read = await bank.get('acme/ann', `/accounts?afterEvent=${String(headers['svc-last-event'])}`);
  expect(read.json<{ items: unknown[] }>().items).toHaveLength(3);
  await expect
    .poll(() => stateOf(bank), { timeout: 10_000 })
    .toMatchObject({
      status: 'Degraded',
      description: 'Database us: The database does not answer.',
      data: { 'eu.status': 'Healthy', 'us.status': 'Unhealthy' },
    });
  // The place of a new tenant can only be recorded if no database can hold its data already.
  expect(await open('new/nora')).toBe(503);

  // Received events of both: those of the available database are stored now, the others later.
  const [inEu, inUs] = [newId(), newId()];
  const message = { type: 'bank.Deposited', destination: 'bank', body: '{}', origin: 'branch' };
  await transport
    .host('branch')
    .publish([
      transportMessage({ ...message, streamId: inUs, scope: { tenantId: 'us-corp' } }),
      transportMessage({ ...message, streamId: inEu, scope: { tenantId: 'acme' } }),
    ]);
  const stored = async (name: Name, stream: string): Promise<number> =>
    (await databases[name].query(`SELECT FROM svc_events WHERE stream_id = '${stream}'`)).rowCount ?? 0;
  await expect.poll(() => stored('eu', inEu), { timeout: 10_000 }).toBe(1);

  proxies.us.restore();
  await expect.poll(() => open('us-corp/bob'), { timeout: 20_000 }).toBe(200);
  await expect.poll(() => open('new/nora'), { timeout: 20_000 }).toBe(200);
  await expect
    .poll(async () => [await stored('eu', inEu), await stored('us', inUs)], { timeout: 20_000 })
    .toEqual([1, 1]);
  await expect.poll(async () => (await bank.service.health.run()).status, { timeout: 20_000 }).toBe('Healthy');

  // The service stops, and releases the available database, while the other is down.
  proxies.us.cutAnswers();
  await expect.poll(() => open('us-corp/bob')).toBe(503);
  const stopping = performance.now();
  await bank.service.stop();
  expect(performance.now() - stopping).toBeLessThan(10_000);
}, 90_000);

it('serves the tenants of the others while the default database is down', async () => {
  for (const name of ['eu', 'us'] as const) {
    proxies[name].restore();
    await databases[name].reset();
  }
  const bank = await openBank({ storage: opened(), configure: (service) => service.reportTo(() => {}) });
  const open = async (who: string): Promise<number> =>
    (await bank.post(who, '/accounts/open', { accountId: newId() })).statusCode;
  expect([await open('acme/ann'), await open('us-corp/bob')]).toEqual([200, 200]);
  proxies.eu.cutAnswers();
  await expect.poll(() => open('acme/ann')).toBe(503);
  // Another user of the tenant: authentication is recorded in the database of the tenant.
  expect(await open('us-corp/new')).toBe(200);
  expect((await bank.get('us-corp/bob', '/accounts')).statusCode).toBe(200);
  await expect
    .poll(() => stateOf(bank), { timeout: 10_000 })
    .toMatchObject({ status: 'Degraded', description: 'Database eu: The database does not answer.' });
}, 60_000);
