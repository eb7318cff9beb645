import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, type PerspectiveScope, type SecurityContext, type Service } from '@svc/core';
import { CommandRequest, runAs } from '@svc/core/hosting';
import { StorageUnavailableError, type Storage } from '@svc/core/storage';
import { collect, type IdempotentAnswer } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cuttingProxy } from '../postgres/cutting-proxy.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { Deposit, tillRegistry, type Till } from './till.js';

let database: TestDatabase;
let folder: string;
let services: Service[];
let reports: unknown[];
const ends: (() => unknown)[] = [];

beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(async () => {
  services = [];
  reports = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-idempotency-'));
  await database.reset();
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  for (const end of ends.splice(0)) await end();
  rmSync(folder, { recursive: true });
});

async function start(storage: Storage, till: Till = {}): Promise<Service> {
  const service = createService(tillRegistry(till))
    .useStorage(storage)
    .reportTo((error) => reports.push(error))
    .start();
  services.push(service);
  await service.ready();
  return service;
}

function send(service: Service, key: string, amount = 5): Promise<IdempotentAnswer> {
  const request = { key, message: Object.assign(new Deposit(), { amount }), sent: { amount } };
  return service.idempotentRequests.handle(service.endpoints[0]!, request, new CommandRequest());
}

const amounts = async (service: Service): Promise<number[]> =>
  (await collect(service.eventStore.readAll())).map(({ envelope }) => (envelope.payload as { amount: number }).amount);

const inMemory = new InMemoryStorage();
const storages: Record<string, () => Storage> = {
  memory: () => inMemory,
  sqlite: () => sqlite({ file: join(folder, 'data.db') }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(storages))('on %s', (kind) => {
  const open = storages[kind]!;

  it('replays the first result to a repeated request, also after a restart, and runs no hook', async () => {
    const till: Till = { calls: [] };
    const first = await start(open(), till);
    const before = (await amounts(first)).length;
    const answer = await send(first, 'again');
    if (kind !== 'memory') await first.stop();
    const second = kind === 'memory' ? first : await start(open(), till);
    expect(await send(second, 'again')).toEqual({ ...answer, isReplayed: true });
    expect(till.calls).toEqual(['before', 'receive', 'after']);
    expect(await amounts(second)).toHaveLength(before + 1);
  });

  it('makes repeated requests to any host wait while the first one runs', async () => {
    const till: Till = { calls: [], pauseMs: 30 };
    const storage = open();
    const hosts = [await start(storage, till), await start(kind === 'memory' ? storage : open(), till)];
    const before = (await amounts(hosts[0]!)).length;
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => send(hosts[i % 2]!, 'at-once')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await amounts(hosts[0]!)).toHaveLength(before + 1);
    expect(till.calls!.filter((call) => call === 'receive').length, 'once in each host at most').toBeLessThanOrEqual(2);
  });
});

it('runs the next waiting request when the first one fails', async () => {
  const till: Till = { calls: [], pauseMs: 10, failures: 1 };
  const service = await start(new InMemoryStorage(), till);
  const settled = await Promise.allSettled([send(service, 'k'), send(service, 'k'), send(service, 'k')]);
  expect(
    settled.filter(({ status }) => status === 'rejected'),
    'whichever came first',
  ).toHaveLength(1);
  expect(await amounts(service)).toEqual([5]);
});

it.each(['what it is given', 'a signal with a time-out', 'a copy of the command'] as const)(
  'works with an endpoint that dispatches by itself, with %s',
  async (dispatch) => {
    const till: Till = { calls: [], dispatch };
    const service = await start(new InMemoryStorage(), till);
    const first = await send(service, 'k');
    expect(await send(service, 'k')).toEqual({ text: first.text, isReplayed: true });
    expect(till.calls).toEqual(['before', 'receive', 'after']);
    expect(reports).toEqual([]);
  },
);

it('is reported when an endpoint passes on neither command nor signal, because its result is not stored', async () => {
  const service = await start(new InMemoryStorage(), { dispatch: 'neither' });
  expect(await send(service, 'k')).toMatchObject({ isReplayed: false });
  expect(reports).toMatchObject([{ code: 'SVC_IDEMPOTENT_RESULT_NOT_KEPT' }]);
});

it('is not reported for a command that failed and has a fallback', async () => {
  const service = await start(new InMemoryStorage(), { failures: 1, fallback: 'none', dispatch: 'what it is given' });
  expect(await send(service, 'k')).toMatchObject({ isReplayed: false });
  expect(reports).toEqual([]);
});

it('returns the result of a faster host, not the fallback of the error-hook', async () => {
  const storage = new InMemoryStorage();
  const slow = await start(storage, { pauseMs: 50, fallback: 'failed' });
  const fast = await start(storage, {});
  const waiting = send(slow, 'k');
  const { text } = await send(fast, 'k');
  expect(await waiting).toEqual({ text, isReplayed: true });
});

it('belongs to its caller', async () => {
  const service = await start(new InMemoryStorage());
  const caller = (scope: PerspectiveScope, source = 'test'): SecurityContext => ({
    scope,
    roles: new Set(),
    permissions: new Set(),
    source,
  });
  const callers = [
    caller({ tenantId: 'a', userId: 'x' }),
    caller({ tenantId: 'a', userId: 'y' }),
    caller({ tenantId: 'b', userId: 'x' }),
    caller({ tenantId: 'a' }),
    caller({ tenantId: 'a' }, 'another kind of credential'),
    caller({ customerId: 'a' }),
    caller({ customerId: 'b' }),
    caller({ organizationId: 'a' }),
    caller({ extensions: { machine: 'a' } }),
    caller({ allowedPrincipals: ['a'] }),
    null,
  ];
  for (const isReplayed of [false, true]) {
    for (const one of callers) {
      const answer = await (one === null ? send(service, 'k') : runAs(one, () => send(service, 'k')));
      expect(answer.isReplayed).toBe(isReplayed);
    }
  }
  expect(await amounts(service)).toHaveLength(callers.length);
});

it('belongs to its caller, whatever its permissions are and whatever the order of its groups is', async () => {
  const service = await start(new InMemoryStorage());
  const caller = (allowedPrincipals: string[], ...roles: string[]): SecurityContext => ({
    scope: { userId: 'x', allowedPrincipals },
    roles: new Set(roles),
    permissions: new Set(),
    source: 'test',
  });
  await runAs(caller(['a', 'b'], 'clerk'), () => send(service, 'k'));
  expect(await runAs(caller(['b', 'a']), () => send(service, 'k'))).toMatchObject({ isReplayed: true });
});

it('has one effect when the response of the database is lost and the request is repeated', async () => {
  const direct = await start(postgres({ url: database.url }));
  const proxy = await cuttingProxy(database.url);
  ends.push(() => proxy.close());
  const storage = postgres({ url: proxy.url, resolveTimeoutMs: 300 });
  const host = await start(storage, { onReceive: (amount) => amount < 100 && proxy.cutAnswers() });
  for (let round = 0; round < 5; round++) {
    const key = `lost-${round}`;
    // So that there is a connection to cut.
    await send(host, `before-${round}`, 100);
    const error = await send(host, key, round).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect((error as StorageUnavailableError).outcome).toBe('unknown');
    proxy.restore();
    const answer = await send(host, key, round);
    expect([answer.isReplayed, answer.text]).toEqual([true, `{"balance":${round}}`]);
    expect(await send(direct, key, round), 'from another host').toEqual(answer);
  }
  expect((await amounts(direct)).filter((amount) => amount < 100)).toEqual([0, 1, 2, 3, 4]);
}, 20_000);
