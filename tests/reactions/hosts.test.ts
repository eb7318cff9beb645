/** Several hosts on one database, and several databases of one service. */
import { createService, InMemoryStorage, newId, type Service, type Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { OrderPaid, OrderPlaced, shopRegistry } from '../system-events/shop.js';
import { append, eventsIn, reactionOf, started } from './reaction-shop.js';

describe('two hosts on PostgreSQL', () => {
  it('share the reactions evenly, process each event once, and take over from a host that stops', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const ran: string[] = [];
    const targets = { First: newId(), Second: newId() };
    const start = (host: string): Promise<Service> => {
      const reactions = (['First', 'Second'] as const).map((name) =>
        reactionOf({ name }, (_event, context) => {
          ran.push(`${host} ${name}`);
          context.append(targets[name], new OrderPaid());
        }),
      );
      // Without polls: other hosts are woken by notifications.
      return started(reactions, postgres({ url: database.url, pollMs: 3_600_000 }));
    };
    const one = await start('one');
    const other = await start('other');
    const storage: Storage = postgres({ url: database.url });
    onTestFinished(() => storage.close());
    const holders = async (): Promise<number> =>
      new Set((await storage.leases!.readHeld('reactions/of/')).map(({ holder }) => holder)).size;
    await expect.poll(holders, { timeout: 10_000 }).toBe(2);

    const paid = (name: keyof typeof targets): Promise<unknown[]> => eventsIn(one, targets[name]);
    for (let i = 0; i < 10; i++) await append(i % 2 === 0 ? one : other, String(i));
    await expect.poll(async () => (await paid('First')).length, { timeout: 10_000 }).toBe(10);
    await expect.poll(async () => (await paid('Second')).length, { timeout: 10_000 }).toBe(10);
    expect(new Set(ran.map((text) => text.split(' ')[0])).size, 'both hosts run one').toBe(2);

    await other.stop();
    ran.length = 0;
    await append(one, 'after');
    await expect
      .poll(async () => (await paid('First')).length + (await paid('Second')).length, { timeout: 10_000 })
      .toBe(22);
    expect(ran.toSorted()).toEqual(['one First', 'one Second']);
  });

  it('share the streams of one reaction, and continue where a host has stopped', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const ran = new Map<string, string>();
    const start = (host: string): Promise<Service> => {
      const charging = reactionOf({ name: 'Charging' }, ({ note }, context) => {
        ran.set(note, host);
        context.append(context.envelope.streamId!, new OrderPaid());
      });
      return started([charging], postgres({ url: database.url, pollMs: 100 }));
    };
    const [one, other] = [await start('one'), await start('other')];
    const storage: Storage = postgres({ url: database.url });
    onTestFinished(() => storage.close());
    const segments = async (): Promise<number[]> => {
      const held = (await storage.leases!.readHeld('reactions/of/Charging/')).map(({ holder }) => holder);
      return [...new Set(held)].map((holder) => held.filter((each) => each === holder).length);
    };
    await expect.poll(segments, { timeout: 10_000 }).toEqual([4, 4]);
    const streams = Array.from({ length: 16 }, (_, i) => `${newId().slice(0, -1)}${i.toString(16)}` as Uuid);
    const append16 = async (round: string): Promise<void> => {
      for (const [i, stream] of streams.entries()) await append(one, `${round} ${i}`, stream);
    };
    const paid = async (): Promise<number[]> =>
      Promise.all(streams.map(async (stream) => (await eventsIn(one, stream)).length));

    await append16('first');
    await expect.poll(paid, { timeout: 10_000 }).toEqual(streams.map(() => 2));
    expect([...ran.values()].toSorted()).toEqual([
      ...Array.from({ length: 8 }, () => 'one'),
      ...Array.from({ length: 8 }, () => 'other'),
    ]);
    await other.stop();
    await append16('second');
    await expect.poll(paid, { timeout: 10_000 }).toEqual(streams.map(() => 4));
    await expect.poll(segments, { timeout: 10_000 }).toEqual([8]);
  });
});

describe('a service with several databases', () => {
  it('reacts in each database to its own events', async () => {
    const seen: string[] = [];
    const target = newId();
    const databases = { eu: new InMemoryStorage(), us: new InMemoryStorage() };
    const reactions = [
      reactionOf({ name: 'Charging' }, ({ note }, context) => {
        seen.push(`${note} ${context.envelope.scope?.['tenantId']}`);
        context.append(target, new OrderPaid());
      }),
    ];
    const service = createService({ ...shopRegistry(), reactions })
      .useDatabases({ databases, default: 'eu', storageOf: (tenant) => (tenant === 'acme' ? 'eu' : 'us') })
      .isolateTenants()
      .addServiceReactions();
    onTestFinished(() => service.stop());
    service.start();
    await service.ready();
    for (const tenantId of ['acme', 'us-corp']) {
      await service.runInDatabaseOf(tenantId, async () => {
        const streamId = newId();
        const payload = Object.assign(new OrderPlaced(), { note: 'order of' });
        await service.eventStore.append(streamId, wrap('shop.OrderPlaced', payload, { streamId, scope: { tenantId } }));
      });
    }
    await service.idle();
    expect(seen.toSorted()).toEqual(['order of acme', 'order of us-corp']);
    for (const storage of Object.values(databases)) expect(await storage.lastPosition(target)).toBe(0);
  });
});
