/** Several hosts in the URL: which one a storage connects to, and when it looks for another. */
import { connect, createServer, type AddressInfo } from 'node:net';
import { newId } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresOptions, type PostgresStorage } from '@svc/postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { svc } from '../operations/processes.js';
import { cuttingProxy } from './cutting-proxy.js';
import { createDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());

/** The database under several addresses, in their order. */
function urlOf(hosts: readonly string[], attributes = 'read-write'): string {
  const url = database.url.replace(new URL(database.url).host, hosts.join(','));
  return `${url}?target_session_attrs=${attributes}`;
}

function storageOf(url: string, more: Partial<PostgresOptions> = {}): PostgresStorage {
  const storage = postgres({ url, ...more });
  onTestFinished(() => storage.close());
  return storage;
}

const write = (storage: PostgresStorage): Promise<void> =>
  storage.commit(commitRecord({ events: [pendingRecord(newId())] }));

/** An address at which no server listens. */
const closedHost = '127.0.0.1:1';

it('connects to the first host that answers', async () => {
  await expect(write(storageOf(urlOf([closedHost, new URL(database.url).host])))).resolves.toBeUndefined();
  await expect(write(storageOf(urlOf([closedHost, new URL(database.url).host], 'any')))).resolves.toBeUndefined();
});

it('spends no more than the connect timeout on a host that does not answer', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const hosts = [`127.0.0.1:${(silent.address() as AddressInfo).port}`, new URL(database.url).host];
  await expect(write(storageOf(urlOf(hosts), { connectTimeoutMs: 1_000 }))).resolves.toBeUndefined();
});

it('names every host when none can be used, and no password', async () => {
  const storage = storageOf(urlOf([closedHost, '127.0.0.1:2']));
  const failure = (await storage.open().catch((error: unknown) => error)) as Error;
  expect(failure).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
  expect((failure.cause as Error).message).toMatch(
    /^No host of the URL accepts read-write connections \(127\.0\.0\.1:1: .*; 127\.0\.0\.1:2: .*\)\.$/,
  );
  expect((failure.cause as Error).message).not.toContain(new URL(database.url).password);
});

it('stops at a host that rejects the login', async () => {
  const url = urlOf([new URL(database.url).host, closedHost]).replace(/:[^:@]*@/, ':wrong@');
  await expect(storageOf(url).open()).rejects.toMatchObject({
    code: 'SVC_STORAGE_MISCONFIGURED',
    cause: { code: '28P01' },
  });
});

it('moves to the next host when connections to the first are lost, and stays there', async () => {
  const first = await cuttingProxy(database.url);
  onTestFinished(() => first.close());
  const second = await cuttingProxy(database.url);
  onTestFinished(() => second.close());
  const storage = storageOf(urlOf([new URL(first.url).host, new URL(second.url).host]), { connectTimeoutMs: 1_000 });
  await write(storage);
  first.cutAnswers();
  await expect.poll(() => write(storage).then(() => 'written', String), { timeout: 15_000 }).toBe('written');
  first.restore();
  second.cutAnswers();
  await expect.poll(() => write(storage).then(() => 'written', String), { timeout: 15_000 }).toBe('written');
});

it('leaves connections that never answer when it finds another host', async () => {
  const first = await cuttingProxy(database.url);
  onTestFinished(() => first.close());
  const hosts = [new URL(first.url).host, new URL(database.url).host];
  const storage = storageOf(urlOf(hosts), { connectTimeoutMs: 1_000, statementTimeoutMs: 3_600_000, transactions: 1 });
  storage.notifications.onOutgoing(() => {});
  await write(storage);
  first.silenceAll();
  const writing = write(storage);
  // The health check asks over another connection, which has a short limit.
  await expect
    .poll(() => storage.connection.ping().then(() => 'answered', String), { timeout: 15_000 })
    .toBe('answered');
  await expect(writing).resolves.toBeUndefined();
});

it('survives a connection that is lost while it asks whether the host can be written to', async () => {
  const target = new URL(database.url);
  let questions = 0;
  const losing = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => {}).on('close', () => to.destroy());
    }
    client.on('data', (data) => {
      // The first one comes from the search for a host, the second one from the connection of a pool.
      if (data.includes('transaction_read_only') && ++questions === 2) client.destroy();
      else server.write(data);
    });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => losing.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void losing.close());
  const storage = storageOf(urlOf([`127.0.0.1:${(losing.address() as AddressInfo).port}`]));
  await expect.poll(() => write(storage).then(() => 'written', String), { timeout: 30_000 }).toBe('written');
  expect(questions).toBeGreaterThan(2);
});

it('does not use a read-only host', async () => {
  const other = await createDatabase();
  onTestFinished(() => other.remove());
  await other.query(`ALTER DATABASE ${new URL(other.url).pathname.slice(1)} SET default_transaction_read_only = on`);
  const storage = storageOf(`${other.url}?target_session_attrs=read-write`);
  const failure = (await storage.open().catch((error: unknown) => error)) as Error;
  expect(failure).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
  expect((failure.cause as Error).message).toContain('is read-only');
});

it('is understood by the svc command, and displayed without the password', async () => {
  const url = urlOf([closedHost, new URL(database.url).host]);
  const migrated = await svc('migrate', 'status', '--database', url);
  expect(migrated).toMatchObject({ code: 0, error: '' });
  const wrong = await svc('migrate', 'status', '--database', urlOf([closedHost], 'standby'));
  expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('target_session_attrs must be') as string });
  expect(wrong.error).not.toContain(new URL(database.url).password);
});
