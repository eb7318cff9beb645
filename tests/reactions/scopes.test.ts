/** For whom reactions act, and which events they never receive. */
import {
  AccessDenied,
  createService,
  currentSecurityContext,
  EventAudited,
  InMemoryStorage,
  newId,
  type Service,
  type Uuid,
} from '@svc/core';
import { wrap } from '@svc/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { described } from '../perspectives/perspective-shop.js';
import {
  CacheCleared,
  collect,
  OrderPaid,
  OrderPinged,
  OrderPlaced,
  PayOrder,
  shopRegistry,
} from '../system-events/shop.js';
import { append, eventsIn, reactionOf, started, systemEvents, type React } from './reaction-shop.js';

async function appendFor(service: Service, tenantId: string, note: string, streamId: Uuid = newId()): Promise<Uuid> {
  const scope = { tenantId, userId: 'ann', roles: 'admin', permissions: 'orders:write', source: 'jwt' };
  const envelope = wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note }), { streamId, scope });
  await service.eventStore.append(streamId, envelope);
  return streamId;
}

async function isolated(react: React): Promise<{ service: Service; storage: InMemoryStorage }> {
  const storage = new InMemoryStorage();
  const reactions = [reactionOf({ name: 'Acting', retry: { attempts: 1 } }, react)];
  const service = createService({ ...shopRegistry(), reactions })
    .useStorage(storage)
    .addSystemEvents((options) => options.enableAll())
    .isolateTenants()
    .addServiceReactions();
  onTestFinished(() => service.stop());
  service.start();
  await service.ready();
  return { service, storage };
}

describe('a reaction', () => {
  it('acts for the tenant and user of the event, without roles and permissions', async () => {
    const seen: unknown[] = [];
    const target = newId();
    const { service } = await isolated((_event, context) => {
      seen.push(currentSecurityContext());
      context.append(target, new OrderPaid());
    });
    await appendFor(service, 'a', 'x');
    await service.idle();
    expect(seen).toEqual([
      {
        scope: { tenantId: 'a', userId: 'ann' },
        roles: new Set(),
        permissions: new Set(),
        source: 'reaction',
        reactions: ['Acting'],
      },
    ]);
    const [paid] = await eventsIn(service, target);
    expect(paid!.envelope.scope).toEqual({ tenantId: 'a', userId: 'ann', source: 'reaction', svcReactions: 'Acting' });
  });

  it('reaches no stream of another tenant: it reads nothing of it, and an append parks its own stream', async () => {
    const read: number[] = [];
    const foreign = newId();
    const { service, storage } = await isolated(async ({ note }, context) => {
      if (note === 'secret') return;
      read.push((await collect(context.readStream(foreign))).length);
      if (note === 'append') context.append(foreign, new OrderPaid());
    });
    await appendFor(service, 'b', 'secret', foreign);
    await appendFor(service, 'a', 'read');
    await appendFor(service, 'a', 'append');
    await expect.poll(async () => (await storage.reactions.readStandings(1))[0]!.parked).toBe(1);
    expect(read).toEqual([0, 0]);
    expect(await eventsIn(service, foreign)).toHaveLength(1);
    const [failed] = await storage.reactions.readFailed('Acting', null, 10);
    expect(failed!.errorName).toBe('SVC_NOT_FOUND');
    await service.idle();
    const [record] = await systemEvents(service, 'svc.ReactionFailed');
    expect(record!.envelope.scope).toMatchObject({ tenantId: 'a' });
  });

  it('is not triggered by a rebuild of a perspective', async () => {
    let runs = 0;
    class Orders {
      apply(): object {
        return {};
      }
    }
    const perspectives = [described(Orders, [OrderPlaced])];
    const reactions = [reactionOf({ name: 'Counting' }, () => void runs++)];
    const service = createService({ ...shopRegistry(), perspectives, reactions })
      .useStorage(new InMemoryStorage())
      .addServicePerspectives()
      .addServiceReactions();
    onTestFinished(() => service.stop());
    service.start();
    await service.ready();
    await append(service, 'x');
    await service.idle();
    await service.rebuildPerspective(Orders);
    await service.idle();
    expect(runs).toBe(1);
  });
});

describe('system events', () => {
  it('trigger reactions, except those that the reaction itself has caused', async () => {
    const seen: string[] = [];
    const target = newId();
    const auditing = reactionOf(
      { name: 'Auditing' },
      async (event, context) => {
        seen.push(`${event.constructor.name} ${context.envelope.causationId === null ? '' : 'caused'}`);
        context.append(target, new OrderPaid());
        await context.invoke(Object.assign(new PayOrder(), { orderId: target }));
      },
      [EventAudited, CacheCleared, AccessDenied],
    );
    const service = await started([auditing], new InMemoryStorage());
    await append(service, 'x');
    await service.idle();
    expect(seen).toEqual(['EventAudited caused']);
    expect(await eventsIn(service, target), 'they are audited, and trigger nothing').toHaveLength(2);
    expect((await systemEvents(service, 'svc.EventAudited')).length).toBe(3);
    await service.emitter.emit(Object.assign(new CacheCleared(), { what: 'all' }));
    await service.idle();
    expect(seen).toEqual(['EventAudited caused', 'CacheCleared ']);
  });

  it('do not trigger a reaction to its own failure', async () => {
    const { ReactionFailed } = await import('@svc/core');
    let runs = 0;
    const failing = reactionOf(
      { name: 'Failing', retry: { attempts: 1 } },
      () => {
        runs++;
        throw new Error('always');
      },
      [OrderPlaced, ReactionFailed],
    );
    const storage = new InMemoryStorage();
    const service = await started([failing], storage);
    await append(service, 'x');
    await expect.poll(async () => (await storage.reactions.readStandings(1))[0]!.parked).toBe(1);
    await service.idle();
    expect(runs).toBe(1);
    expect(await systemEvents(service, 'svc.ReactionFailed')).toHaveLength(1);
  });
});

it('cuts a chain of reactions that cause each other, and parks the stream with the names of the last ones', async () => {
  let runs = 0;
  const pong =
    (type: typeof OrderPaid | typeof OrderPinged): React =>
    (_event, context) => {
      runs++;
      context.append(newId(), new type());
    };
  const ping = reactionOf({ name: 'Ping' }, pong(OrderPaid), [OrderPlaced, OrderPinged]);
  const back = reactionOf({ name: 'Pong' }, pong(OrderPinged), [OrderPaid]);
  const storage = new InMemoryStorage();
  const service = await started([ping, back], storage);
  await append(service, 'x');
  const parked = async (): Promise<number> =>
    (await storage.reactions.readStandings(1)).reduce((sum, one) => sum + one.parked, 0);
  await expect.poll(parked).toBe(1);
  await service.idle();
  expect(runs).toBe(20);
  const [failed] = await storage.reactions.readFailed('Ping', null, 1);
  expect(failed).toMatchObject({ errorName: 'SVC_REACTION_CHAIN', attempts: 1 });
  expect(failed!.errorMessage).toContain('Ping, Pong, Ping, Pong');
});
