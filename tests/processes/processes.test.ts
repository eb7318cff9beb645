/** What processes promise, on each storage. */
import { newId, type Service, type StreamEvent, type Uuid } from '@svc/core';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { eventsIn } from '../reactions/reaction-shop.js';
import { OrderPinged } from '../system-events/shop.js';
import { pay, place, processOf, started, textOf, type Texts } from './process-shop.js';

describeStores((stores) => {
  it('computes the state from events of several streams in the order of their arrival', async () => {
    const open = await stores.fresh();
    const seen: Texts[] = [];
    const flags: string[] = [];
    const checkout = processOf({ name: 'Checkout' }, (_event, context) => {
      seen.push(context.state);
      flags.push(`${context.processKey} ${context.isNew}`);
    });
    const service = await started([checkout], open());
    await pay(service, 'a:early');
    await service.idle();
    await place(service, 'a:late');
    await place(service, 'b:first');
    await place(service, 'none:of no instance');
    await service.idle();
    expect(seen.filter(([first]) => first === 'paid a:early')).toEqual([
      ['paid a:early'],
      ['paid a:early', 'placed a:late'],
    ]);
    expect(seen).toContainEqual(['placed b:first']);
    expect(flags.toSorted()).toEqual(['a false', 'a true', 'b true']);

    await service.stop();
    const next = await started([checkout], open());
    await next.idle();
    expect(seen, 'a restart triggers nothing').toHaveLength(3);
    await pay(next, 'a:again');
    await next.idle();
    expect(seen.at(-1)).toEqual(['paid a:early', 'placed a:late', 'paid a:again']);
  });

  it('commits what it does together with the event, caused by the event and connected by its correlation id', async () => {
    const target = newId();
    const checkout = processOf({ name: 'Checkout' }, (_event, context) => context.append(target, new OrderPinged()));
    const service = await started([checkout], (await stores.fresh())());
    const placed = await place(service, 'a');
    await service.idle();
    const [pinged, ...others] = await eventsIn(service, target);
    expect(others).toEqual([]);
    expect(pinged!.envelope).toMatchObject({ causationId: placed, correlationId: placed });
    const [advanced] = await instanceEvents(service);
    expect(advanced!.envelope).toMatchObject({
      type: 'svc.ProcessAdvanced',
      causationId: placed,
      correlationId: placed,
    });
    expect(advanced!.envelope.payload).toMatchObject({
      process: 'Checkout',
      key: 'a',
      eventId: placed,
      eventType: 'shop.OrderPlaced',
      actions: [{ kind: 'appended', type: 'shop.OrderPinged', streamId: target }],
    });
  });

  it('processes events of one instance one after another, although they are in different streams', async () => {
    const target = newId();
    const counting = processOf({ name: 'Counting', concurrency: 8 }, async (_event, context) => {
      await new Promise((resolve) => setImmediate(resolve));
      context.append(target, Object.assign(new OrderPinged(), { at: context.state.length }));
    });
    const service = await started([counting], (await stores.fresh())());
    await Promise.all(Array.from({ length: 12 }, (_, i) => place(service, `a:${i}`)));
    await service.idle();
    expect(await countsIn(service, target)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  it('counts each event once while two hosts take the process over from each other and attempts fail', async () => {
    const open = await stores.fresh();
    const target = newId();
    let runs = 0;
    const retry = { attempts: 1_000, firstDelayMs: 1, longestDelayMs: 4 };
    const counting = processOf({ name: 'Counting', retry }, async (_event, context) => {
      context.append(target, Object.assign(new OrderPinged(), { at: context.state.length }));
      if (++runs % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (runs % 5 === 0) throw new Error('now and then');
    });
    const storage = open();
    const hosts = [await started([counting], storage), await started([counting], open())];
    for (let i = 0; i < 12; i++) {
      await place(hosts[i % 2]!, `a:${i}`);
      if (i % 4 === 0) await storage.reactions!.begin('Counting', [0, 1, 2, 3, 4, 5, 6, 7]);
    }
    const expected = Array.from({ length: 12 }, (_, i) => i + 1);
    await expect.poll(() => countsIn(hosts[0]!, target), { timeout: 20_000 }).toEqual(expected);
  });

  it('ignores events after completion, and records them', async () => {
    const seen: string[] = [];
    const checkout = processOf({ name: 'Checkout' }, (event, context) => {
      seen.push(textOf(event));
      if (textOf(event).startsWith('paid')) context.complete();
    });
    const service = await started([checkout], (await stores.fresh())());
    await place(service, 'a');
    await service.idle();
    await pay(service, 'a');
    await service.idle();
    const late = await place(service, 'a:late');
    await service.idle();
    expect(seen).toEqual(['placed a', 'paid a']);
    const events = await instanceEvents(service);
    expect(events.map(({ envelope }) => envelope.type)).toEqual([
      'svc.ProcessAdvanced',
      'svc.ProcessAdvanced',
      'svc.ProcessCompleted',
      'svc.ProcessEventIgnored',
    ]);
    expect(events.at(-1)!.envelope.payload).toMatchObject({ process: 'Checkout', key: 'a', eventId: late });
  });
});

/** The events that svc has appended to the streams of instances. */
async function instanceEvents(service: Service): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of service.eventStore.readAll()) {
    if (event.envelope.type.startsWith('svc.Process')) events.push(event);
  }
  return events;
}

async function countsIn(service: Service, streamId: Uuid): Promise<number[]> {
  return (await eventsIn(service, streamId)).map(({ envelope }) => (envelope.payload as OrderPinged).at);
}
