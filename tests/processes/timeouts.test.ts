/** Timeouts of processes, on each storage. */
import { CommandRejectedError, InMemoryStorage, newId, runAsHost, type Service, type Uuid } from '@svc/core';
import { type ScheduledCommand, type Storage } from '@svc/core/storage';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { eventsIn } from '../reactions/reaction-shop.js';
import { OrderPinged, OrderPlaced, PingOrder, type Receive } from '../system-events/shop.js';
import { pay, place, processOf, started, textOf, type React } from './process-shop.js';

const hour = { after: { hours: 1 } } as const;
const ping = (orderId: Uuid): PingOrder => Object.assign(new PingOrder(), { orderId });

describeStores((stores) => {
  it('run their command once, with the correlation id of the event that set them', async () => {
    const storage = (await stores.fresh())();
    const target = newId();
    const checkout = processOf({ name: 'Checkout' }, (_event, context) =>
      context.timeout('payment', ping(target), hour),
    );
    const service = await started([checkout], storage);
    const placed = await place(service, 'a');
    await service.idle();
    expect(await eventsIn(service, target)).toEqual([]);
    await runAllDue(storage);
    await expect.poll(() => eventsIn(service, target)).toHaveLength(1);
    const [pinged] = await eventsIn(service, target);
    expect(pinged!.envelope).toMatchObject({ correlationId: placed, scope: { source: 'schedule' } });
    expect(await openTimeouts(storage)).toEqual([]);
  });

  it('are cancelled when the instance completes, also those of the last event', async () => {
    const storage = (await stores.fresh())();
    const react: React = (event, context) => {
      context.timeout(textOf(event), ping(newId()), { at: new Date(Date.now() + 3_600_000) });
      if (textOf(event) === 'paid a') context.complete();
    };
    const service = await started([processOf({ name: 'Checkout' }, react)], storage);
    await place(service, 'a:1');
    await place(service, 'a:2');
    await place(service, 'b');
    await service.idle();
    expect(await openTimeouts(storage)).toHaveLength(3);
    await pay(service, 'a');
    await service.idle();
    expect((await openTimeouts(storage)).map(({ key }) => key!.split('|').at(-1))).toEqual(['placed b']);
  });
});

describe('a timeout', () => {
  it('is replaced and cancelled by its name, in its instance only', async () => {
    const storage = new InMemoryStorage();
    const [first, second] = [newId(), newId()];
    const react: React = (event, context) => {
      if (textOf(event).startsWith('paid')) context.cancelTimeout('payment');
      else context.timeout('payment', ping(context.isNew ? first : second), hour);
    };
    const service = await started([processOf({ name: 'Checkout' }, react)], storage);
    await place(service, 'a');
    await place(service, 'b');
    await service.idle();
    expect((await openTimeouts(storage)).map(targetOf)).toEqual([first, first]);
    await place(service, 'a:again');
    await service.idle();
    expect((await openTimeouts(storage)).map(targetOf).toSorted()).toEqual([first, second].toSorted());
    await pay(service, 'b');
    await service.idle();
    expect((await openTimeouts(storage)).map(targetOf)).toEqual([second]);
  });

  it('is not set if the event fails', async () => {
    const storage = new InMemoryStorage();
    const failing = processOf({ name: 'Failing', retry: { attempts: 1 } }, (_event, context) => {
      context.timeout('payment', ping(newId()), hour);
      throw new Error('after the timeout');
    });
    const service = await started([failing], storage);
    await place(service, 'a');
    await expect.poll(async () => (await storage.reactions.readStandings(1))[0]!.parked).toBe(1);
    expect(await openTimeouts(storage)).toEqual([]);
  });

  it('belongs to the tenant of its instance', async () => {
    const storage = new InMemoryStorage();
    const target = { a: newId(), b: newId() };
    const react: React = (_event, context) => {
      const tenantId = context.envelope.scope!['tenantId'] as 'a' | 'b';
      context.timeout('payment', ping(target[tenantId]), hour);
      if (tenantId === 'b') context.cancelTimeout('payment');
    };
    const service = await started([processOf({ name: 'Checkout' }, react)], storage, { isolatesTenants: true });
    await place(service, 'same key', { tenantId: 'a' });
    await place(service, 'same key', { tenantId: 'b' });
    await service.idle();
    expect((await openTimeouts(storage)).map(({ tenant }) => tenant)).toEqual(['a']);
    await runAllDue(storage);
    await expect.poll(() => eventsIn(service, target.a)).toHaveLength(1);
    expect((await eventsIn(service, target.a))[0]!.envelope.scope).toMatchObject({ tenantId: 'a', userId: 'ann' });
  });

  it('acts for its tenant also when an operator replays it as a dead letter', async () => {
    const storage = new InMemoryStorage();
    const target = newId();
    let isOutOfOrder = true;
    const receive: Receive = (_command, context) => {
      if (isOutOfOrder) throw new CommandRejectedError('Not now.');
      context.append(target, new OrderPinged());
    };
    const checkout = processOf({ name: 'Checkout' }, (_event, context) =>
      context.timeout('payment', ping(target), hour),
    );
    const service = await started([checkout], storage, { receive, isolatesTenants: true });
    await place(service, 'a', { tenantId: 'a' });
    await service.idle();
    await runAllDue(storage);
    await expect.poll(() => storage.readDeadLetters(null, 10)).toHaveLength(1);
    const [letter] = await storage.readDeadLetters(null, 10);
    isOutOfOrder = false;
    await runAsHost(() => service.deadLetters.replay(letter!.id));
    const [pinged] = await eventsIn(service, target);
    expect(pinged!.envelope.scope).toMatchObject({ tenantId: 'a', source: 'schedule' });
  });

  it('does not make a row of causes longer: a process can wait more often than reactions may cause each other', async () => {
    const storage = new InMemoryStorage();
    const rounds = 25;
    const receive: Receive = (command, context) => {
      const { orderId } = command as PingOrder;
      context.append(orderId, Object.assign(new OrderPlaced(), { note: 'a' }));
    };
    const waiting = processOf({ name: 'Waiting' }, (_event, context) => {
      if (context.state.length < rounds) context.timeout('next', ping(newId()), { after: { milliseconds: 1 } });
      else context.complete();
    });
    const service = await started([waiting], storage, { receive });
    await place(service, 'a');
    await expect.poll(() => countOf(service, 'svc.ProcessCompleted'), { timeout: 5_000 }).toBe(1);
    expect(await countOf(service, 'svc.ProcessAdvanced')).toBe(rounds);
  });

  it.each(['', 'x'.repeat(101), 'a\0b'])('rejects the name %j', async (name) => {
    const storage = new InMemoryStorage();
    const errors: unknown[] = [];
    const naming = processOf({ name: 'Naming' }, (_event, context) => {
      for (const act of [() => context.timeout(name, ping(newId()), hour), () => context.cancelTimeout(name)]) {
        try {
          act();
        } catch (error) {
          errors.push(error);
        }
      }
    });
    const service = await started([naming], storage);
    await place(service, 'a');
    await service.idle();
    const invalid: unknown = expect.objectContaining({ code: 'SVC_INVALID_SCHEDULE' });
    expect(errors).toEqual([invalid, invalid]);
  });
});

async function openTimeouts(storage: Storage): Promise<readonly ScheduledCommand[]> {
  return await storage.schedule!.read(100);
}

function targetOf({ message }: ScheduledCommand): Uuid {
  return (JSON.parse(message.body) as PingOrder).orderId;
}

async function runAllDue(storage: Storage): Promise<void> {
  for (const { message } of await openTimeouts(storage)) await storage.schedule!.makeDue(message.id);
}

async function countOf(service: Service, type: string): Promise<number> {
  let count = 0;
  for await (const { envelope } of service.eventStore.readAll()) if (envelope.type === type) count++;
  return count;
}
