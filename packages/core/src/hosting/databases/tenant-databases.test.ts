import { expect, it } from 'vitest';
import { UnauthenticatedError, type Authenticator } from '../../access/index.js';
import { InMemoryStorage } from '../../storage/index.js';
import { createService, type Service } from '../service.js';
import type { TenantDatabases } from './tenant-databases.js';

const nobody: Authenticator = {
  scheme: 'Test',
  credentialIn: () => null,
  authenticate: () => Promise.reject(new UnauthenticatedError('No.')),
};

const service = (): Service =>
  createService({ messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } });

const two = (overrides: Partial<TenantDatabases> = {}): TenantDatabases => ({
  databases: { eu: new InMemoryStorage(), us: new InMemoryStorage() },
  storageOf: () => 'eu',
  default: 'eu',
  ...overrides,
});

const shared = new InMemoryStorage();

it.each<[string, Partial<TenantDatabases>, string]>([
  ['an invalid name', { databases: { 'EU 1': new InMemoryStorage() }, default: 'EU 1' }, '"EU 1" is not a valid name'],
  ['an unknown default', { default: 'asia' }, 'The default database is "asia", and the databases are eu, us'],
  ['no databases', { databases: {} }, 'the databases are none'],
  ['one storage under two names', { databases: { eu: shared, us: shared } }, 'are the same storage'],
])('rejects %s', (_, overrides, message) => {
  expect(() => service().useDatabases(two(overrides))).toThrow(
    expect.objectContaining({ code: 'SVC_DATABASES_INVALID', message: expect.stringContaining(message) as string }),
  );
});

it('does not start without tenants to choose a database by', async () => {
  const invalid = (message: string) =>
    expect.objectContaining({ code: 'SVC_DATABASES_INVALID', message: expect.stringContaining(message) as string });
  expect(() => service().useDatabases(two()).start()).toThrow(invalid('has no authentication'));
  expect(() => service().useDatabases(two()).addAuthentication(nobody).shareDataBetweenTenants().start()).toThrow(
    invalid('cannot share data between tenants'),
  );
  for (const started of [
    service().useDatabases(two()).addAuthentication(nobody).start(),
    service().useDatabases(two()).isolateTenants().start(),
  ]) {
    await started.ready();
    await started.stop();
  }
});

it('reports a name that storageOf returns and no database has', async () => {
  const started = service()
    .useDatabases(two({ storageOf: () => 'asia' }))
    .isolateTenants()
    .start();
  await started.ready();
  await expect(
    started.runInDatabaseOf('acme', () => started.eventStore.findEvent(crypto.randomUUID() as never)),
  ).rejects.toMatchObject({
    code: 'SVC_UNKNOWN_DATABASE',
    message: 'The service has no database "asia". It has eu, us.',
  });
  await started.stop();
});
