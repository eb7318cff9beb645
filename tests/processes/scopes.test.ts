/** For whom processes act, and what happens when they fail. */
import {
  createService,
  InMemoryStorage,
  newId,
  reaction,
  runAsHost,
  type Process,
  type Reaction,
  type Uuid,
} from '@svc/core';
import { wrap } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { eventsIn } from '../reactions/reaction-shop.js';
import { CacheCleared, OrderPinged, OrderPlaced, shopRegistry } from '../system-events/shop.js';
import { place, processOf, started, textOf, type Texts } from './process-shop.js';

describe('a process', () => {
  it('has its own instances for each tenant, and acts for the tenant of the event', async () => {
    const seen: Record<string, Texts[]> = { a: [], b: [] };
    const targets: Record<string, Uuid> = { a: newId(), b: newId() };
    const checkout = processOf({ name: 'Checkout' }, (_event, context) => {
      const tenantId = context.envelope.scope!['tenantId']!;
      seen[tenantId]!.push(context.state);
      context.append(targets[tenantId]!, new OrderPinged());
    });
    const service = await started([checkout], new InMemoryStorage(), { isolatesTenants: true });
    await place(service, 'key:1', { tenantId: 'a' });
    await place(service, 'key:2', { tenantId: 'b' });
    await service.idle();
    await place(service, 'key:3', { tenantId: 'a' });
    await service.idle();
    expect(seen).toEqual({
      a: [['placed key:1'], ['placed key:1', 'placed key:3']],
      b: [['placed key:2']],
    });
    expect(await eventsIn(service, targets['a']!)).toHaveLength(2);
    expect(await eventsIn(service, targets['b']!)).toHaveLength(1);
    for (const [tenantId, target] of Object.entries(targets)) {
      for (const { envelope } of await eventsIn(service, target)) {
        expect(envelope.scope).toMatchObject({ tenantId, source: 'reaction', svcReactions: 'Checkout' });
      }
    }
  });

  it('runs again on the new state if the stream of its instance has changed since it was read', async () => {
    const storage = new InMemoryStorage();
    const target = newId();
    let runs = 0;
    const checkout = processOf({ name: 'Checkout' }, async (_event, context) => {
      context.append(target, new OrderPinged());
      const [instance] = await storage.processes.readInstances({ isOpen: true, after: null }, 1);
      if (++runs !== 2) return;
      await runAsHost(() => service.eventStore.append(instance!.streamId, wrap('shop.OrderPinged', new OrderPinged())));
    });
    const service = await started([checkout], storage);
    await place(service, 'a:1');
    await service.idle();
    await place(service, 'a:2');
    await service.idle();
    expect(runs).toBe(3);
    expect(await eventsIn(service, target)).toHaveLength(2);
  });

  it('commits nothing of a failed attempt, and continues with the same state', async () => {
    const seen: string[] = [];
    const retry = { attempts: 3, firstDelayMs: 1 };
    const failing = processOf({ name: 'Failing', retry }, (event, context) => {
      seen.push(`${textOf(event)}: ${context.state.length}`);
      if (textOf(event) === 'placed a:bad' && context.attempt < 3) throw new Error('not yet');
    });
    const service = await started([failing], new InMemoryStorage());
    const streamId = newId();
    await place(service, 'a:bad', { streamId });
    await place(service, 'a:good', { streamId });
    await expect.poll(() => seen).toHaveLength(4);
    expect(seen).toEqual([...Array.from({ length: 3 }, () => 'placed a:bad: 1'), 'placed a:good: 2']);
  });

  it('fails at a stream of another tenant', async () => {
    const storage = new InMemoryStorage();
    const foreign = newId();
    const reaching = processOf({ name: 'Reaching' }, (_event, context) => context.append(foreign, new OrderPinged()));
    const service = await started([reaching], storage, { isolatesTenants: true });
    await place(service, 'none', { tenantId: 'b', streamId: foreign });
    await place(service, 'key', { tenantId: 'a' });
    await expect.poll(async () => (await storage.reactions.readStandings(1))[0]!.parked).toBe(1);
    expect(await eventsIn(service, foreign)).toHaveLength(1);
  });

  it('computes its state from system events, although it has no permission to read them', async () => {
    const counts: number[] = [];
    const descriptor = processOf({ name: 'Alerting' }, () => {}, [CacheCleared]);
    const alerting: Process<number, CacheCleared> = {
      initial: () => 0,
      keyOf: () => 'all',
      evolve: (count) => count + 1,
      react: (_event, { state }) => void counts.push(state),
    };
    const processes = [{ ...descriptor, create: () => alerting }];
    const service = await started(processes, new InMemoryStorage(), { isolatesTenants: true });
    for (let i = 0; i < 3; i++) await service.emitter.emit(new CacheCleared());
    await service.idle();
    expect(counts).toEqual([1, 2, 3]);
  });

  it.each([undefined, '', 'x'.repeat(401), 'a\0b', '\ud800', 7])('is parked at once for the key %j', async (key) => {
    const storage = new InMemoryStorage();
    const descriptor = processOf({ name: 'Keyed' }, () => {});
    const keyed = { ...descriptor.create({} as never, {}), keyOf: () => key };
    const service = await started([{ ...descriptor, create: () => keyed as never }], storage);
    await place(service, 'a');
    await expect.poll(async () => (await storage.reactions.readStandings(1))[0]!.parked).toBe(1);
    const [failed] = await storage.reactions.readFailed('Keyed', null, 1);
    expect(failed).toMatchObject({ errorName: 'SVC_INVALID_PROCESS_KEY', attempts: 1 });
  });
});

it('rejects a process and a reaction with the same name', () => {
  class Charging implements Reaction<OrderPlaced> {
    react(): void {}
  }
  reaction({ name: 'Checkout' })(Charging);
  const reactions = [{ name: 'Charging', class: Charging, events: [OrderPlaced], create: () => new Charging() }];
  const service = createService({
    ...shopRegistry(),
    reactions,
    processes: [processOf({ name: 'Checkout' }, () => {})],
  })
    .useStorage(new InMemoryStorage())
    .addServiceReactions();
  expect(() => service.start()).toThrow(expect.objectContaining({ code: 'SVC_DUPLICATE_REACTION' }) as Error);
});
