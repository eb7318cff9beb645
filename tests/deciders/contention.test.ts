import { CommandAudited, InMemoryStorage, newId, runAsHost, SystemEventStream, type Service } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { collect } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { callerOf } from '../tenants/bank.js';
import { capacity, outcomesOf, reserve, ReserveInside, ReserveSeats, theater } from './theater.js';

const databases = {
  'in memory': () => Promise.resolve([new InMemoryStorage()]),
  'on SQLite': () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-deciders-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return Promise.resolve([sqlite({ file: join(folder, 'data.db') })]);
  },
  'on PostgreSQL with two hosts': async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    return [postgres({ url: database.url }), postgres({ url: database.url })];
  },
};

describe.each(Object.entries(databases))('concurrent commands on one stream, %s', (_name, open) => {
  it('all succeed or are rejected by the business rule', async () => {
    const services: Service[] = [];
    const storages = await open();
    for (const storage of storages) {
      // On one host there are no conflicts at all.
      const retries = storages.length === 1 ? 0 : 20;
      services.push(await theater({ storage, configure: (service) => service.conflictRetries(retries) }));
    }
    const showId = newId();
    const commands = Array.from({ length: 60 }, (_, i) => reserve(services[i % services.length]!, showId));
    expect(await outcomesOf(commands)).toEqual({ committed: capacity, SVC_COMMAND_REJECTED: 60 - capacity });
    expect(await collect(services[0]!.eventStore.readStream(showId))).toHaveLength(capacity);
  });
});

describe('a command that has loaded a stream', () => {
  it('does not wait for itself if it runs another command on the stream in a unit of work of its own', async () => {
    const service = await theater();
    const showId = newId();
    const commands = Array.from({ length: 5 }, () =>
      service.dispatcher.invoke(Object.assign(new ReserveInside(), { showId })),
    );
    expect(await outcomesOf(commands)).toEqual({ committed: 5 });
    expect(await collect(service.eventStore.readStream(showId))).toHaveLength(5);
  });

  it('lets the next one in, however it ends', async () => {
    const controller = new AbortController();
    const service = await theater({
      afterDeciding: async ({ seats }) => {
        if (seats === 7) throw new Error('failed');
        if (seats === 8) controller.abort();
      },
    });
    const showId = newId();
    const { signal } = controller;
    const cancelled = service.dispatcher.invoke(Object.assign(new ReserveSeats(), { showId, seats: 8 }), { signal });
    const others = [reserve(service, showId, 7), reserve(service, showId, 99), reserve(service, showId, 3)];
    await expect(cancelled).rejects.toThrow('aborted');
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ]);
  });

  it('does not make callers of another tenant wait', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const service = await theater({
      afterDeciding: ({ seats }) => (seats === 1 ? held : undefined),
      configure: (configured) => configured.isolateTenants(),
    });
    const showId = newId();
    const first = runAs(callerOf('acme/ann'), () => reserve(service, showId));
    const second = runAs(callerOf('evil/eve'), () => reserve(service, showId, 2));
    await expect(second).resolves.toBe(2);
    release();
    await expect(first).rejects.toMatchObject({ code: 'SVC_NOT_FOUND' });
  });
});

it('audits a command that runs again once, with the events that are committed', async () => {
  const storage = new InMemoryStorage();
  const other = await theater({ storage });
  const showId = newId();
  let runs = 0;
  const service = await theater({
    storage,
    afterDeciding: () => (++runs < 3 ? reserve(other, showId) : undefined),
    configure: (configured) => configured.addSystemEventAuditing(),
  });
  await expect(reserve(service, showId, 5)).resolves.toBe(7);
  await service.idle();
  expect(runs).toBe(3);
  const audited = await collect(runAsHost(() => service.eventStore.readStream(SystemEventStream.streamId)));
  expect(audited.map(({ envelope }) => envelope.type)).toEqual(['svc.EventAudited', 'svc.CommandAudited']);
  expect(audited[1]!.envelope.payload).toBeInstanceOf(CommandAudited);
});

describe('a request whose command conflicts', () => {
  /** The command of the request conflicts as often as the test wants, because another host commits first. */
  async function request(conflicts: number) {
    const storage = new InMemoryStorage();
    const other = await theater({ storage });
    const showId = newId();
    const hooks: string[] = [];
    let left = conflicts;
    const service = await theater({
      storage,
      hooks,
      afterDeciding: () => (left-- > 0 ? reserve(other, showId) : undefined),
    });
    const app = Fastify();
    await app.register(svc(service));
    const send = () =>
      app.inject({ method: 'POST', url: '/seats', payload: { showId, seats: 5 }, headers: { 'idempotency-key': 'k' } });
    return { send, hooks, stored: async () => (await collect(service.eventStore.readStream(showId))).length };
  }

  it('runs its hooks once, and stores one result under its idempotency key', async () => {
    const { send, hooks, stored } = await request(3);
    const first = await send();
    expect([first.statusCode, first.body, hooks]).toEqual([200, '8', ['before', 'after']]);
    const second = await send();
    expect([second.body, second.headers['idempotency-replayed'], hooks.length]).toEqual(['8', 'true', 2]);
    expect(await stored()).toBe(4);
  });

  it('is a 409 with Retry-After after the last retry, and can be repeated with its key', async () => {
    const { send, hooks, stored } = await request(4);
    const first = await send();
    expect([first.statusCode, first.headers['retry-after'], hooks]).toEqual([409, '1', ['before', 'error']]);
    const second = await send();
    expect([second.statusCode, second.body, second.headers['idempotency-replayed']]).toEqual([200, '9', undefined]);
    expect(await stored()).toBe(5);
  });
});
