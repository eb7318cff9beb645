/** Reactions that schedule commands and load streams, on each storage. */
import { createService, newId, type Decider, type MessageClass, type Service, type Uuid } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { OrderPaid, PayOrder, PingOrder, PlaceOrder, shopRegistry } from '../system-events/shop.js';
import { append, eventsIn, reactionOf } from './reaction-shop.js';

/** How often an order was paid. */
class Payments implements Decider<{ readonly count: number }, OrderPaid> {
  initial(): { count: number } {
    return { count: 0 };
  }
  evolve({ count }: { readonly count: number }): { count: number } {
    return { count: count + 1 };
  }
}

const payments = {
  name: 'Payments',
  class: Payments as MessageClass,
  events: [OrderPaid] as MessageClass[],
  create: (): Payments => new Payments(),
};

type Reactions = NonNullable<ReturnType<typeof shopRegistry>['reactions']>;

async function started(reactions: Reactions, storage: Storage): Promise<Service> {
  const service = createService({ ...shopRegistry(), reactions, deciders: [payments] })
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAll())
    .addServiceReactions()
    .reportTo(() => {})
    .start();
  onTestFinished(() => service.stop());
  await service.ready();
  return service;
}

const about = <T extends object>(command: T, orderId: Uuid): T => Object.assign(command, { orderId });

describeStores((stores) => {
  it('commits a scheduled command with the changes of the reaction, and the command has its correlation', async () => {
    const open = await stores.fresh();
    const charge = reactionOf({ name: 'Charge' }, (_event, context) => {
      const { streamId } = context.envelope;
      context.send(about(new PayOrder(), streamId!));
      context.schedule(about(new PingOrder(), streamId!), { after: { days: 1 }, key: 'remind' });
      context.cancelScheduled('remind');
    });
    const service = await started([charge], open());
    const order = await append(service, 'a');
    await expect.poll(async () => (await eventsIn(service, order)).length).toBe(2);
    await service.idle();
    const [placed, paid] = await eventsIn(service, order);
    expect(paid!.envelope.type).toBe('shop.OrderPaid');
    expect(paid!.envelope.correlationId).toBe(placed!.envelope.correlationId);
  });

  it('drops a scheduled command if the reaction fails', async () => {
    const open = await stores.fresh();
    const storage = open();
    const failing = reactionOf({ name: 'Failing', retry: { attempts: 1 } }, (_event, context) => {
      context.send(about(new PayOrder(), context.envelope.streamId!));
      throw new Error('It is broken.');
    });
    const service = await started([failing], storage);
    const order = await append(service, 'a');
    await expect.poll(async () => (await storage.reactions!.readStandings(1))[0]!.parked).toBe(1);
    await service.idle();
    expect(await eventsIn(service, order)).toHaveLength(1);
  });

  it('cuts a chain that passes through scheduled commands', async () => {
    const open = await stores.fresh();
    const storage = open();
    const again = reactionOf({ name: 'Again', retry: { attempts: 1 } }, (_event, context) => {
      context.send(about(new PlaceOrder(), newId()));
    });
    const service = await started([again], storage);
    await append(service, 'a');
    await expect.poll(async () => (await storage.reactions!.readStandings(1))[0]!.parked, { timeout: 20_000 }).toBe(1);
    const [failed] = await storage.reactions!.readFailed('Again', null, 1);
    expect(failed).toMatchObject({ errorName: 'SVC_REACTION_CHAIN' });
  });

  it('does not cut a chain whose commands are scheduled for later', async () => {
    const open = await stores.fresh();
    let runs = 0;
    const again = reactionOf({ name: 'Again', retry: { attempts: 1 } }, (_event, context) => {
      runs++;
      if (runs < 25) context.schedule(about(new PlaceOrder(), newId()), { after: { milliseconds: 1 } });
    });
    const service = await started([again], open());
    await append(service, 'a');
    await expect.poll(() => runs, { timeout: 20_000 }).toBe(25);
  });

  it('runs again on fresh state if a stream that it loaded has changed', async () => {
    const open = await stores.fresh();
    const counts: number[] = [];
    const order = newId();
    const charge = reactionOf({ name: 'Charge' }, async (_event, context) => {
      const { state } = await context.load(Payments, order);
      counts.push(state.count);
      if (counts.length === 1) await service.eventStore.append(order, wrap('shop.OrderPaid', new OrderPaid()));
      context.append(order, new OrderPaid());
    });
    const service = await started([charge], open());
    await append(service, 'a');
    await expect.poll(async () => (await eventsIn(service, order)).length).toBe(2);
    expect(counts).toEqual([0, 1]);
  });
});
