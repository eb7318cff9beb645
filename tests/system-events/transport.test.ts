/** Hosts that are connected: what leaves and enters. */
import { CommandAudited, createService, EventAudited, InMemoryStorage, newId, type Service } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import { InProcessTransport, type Transport, type TransportMessage } from '@svc/core/transport';
import { describe, expect, it, vi } from 'vitest';
import {
  broadcastEvents,
  collect,
  PlaceOrder,
  records,
  shop,
  shopEvents,
  shopRegistry,
  tap,
  type OrderPlaced,
} from './shop.js';

const host = (transport: Transport, broadcast: boolean): Service =>
  shop()
    .useTransport(transport)
    .acceptEvents(broadcast ? broadcastEvents : shopEvents)
    .addSystemEventAuditing((options) => {
      options.enableAll();
      options.localOnly = !broadcast;
    })
    .start();

async function settle(transport: InProcessTransport, ...hosts: Service[]): Promise<void> {
  // What one host publishes can make another one work.
  for (let round = 0; round < 3; round++) {
    for (const service of hosts) await service.idle();
    await transport.idle();
  }
}

const typesIn = async (service: Service): Promise<string[]> =>
  (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.type).toSorted();

describe('two hosts on one transport', () => {
  const own = ['shop.OrderPlaced', 'svc.CommandAudited', 'svc.EventAudited'];

  it('LocalOnly: domain events flow, each host audits only what it processed, nothing leaks', async () => {
    const transport = new InProcessTransport();
    const wire = await tap(transport);
    const [a, b] = [host(transport, false), host(transport, false)];
    await Promise.all([a.dispatcher.invoke(new PlaceOrder()), b.dispatcher.invoke(new PlaceOrder())]);
    await settle(transport, a, b);
    for (const service of [a, b]) expect(await typesIn(service)).toEqual(['shop.OrderPlaced', ...own].toSorted());
    expect(wire.map(({ type }) => type)).toEqual(['shop.OrderPlaced', 'shop.OrderPlaced']);
  });

  it('Broadcast: each record is on both hosts, exactly once', async () => {
    const transport = new InProcessTransport();
    const [a, b] = [host(transport, true), host(transport, true)];
    for (let i = 0; i < 10; i++) await (i % 2 === 0 ? a : b).dispatcher.invoke(new PlaceOrder());
    await settle(transport, a, b);
    for (const service of [a, b]) {
      expect(await records(service, EventAudited)).toHaveLength(10);
      expect(await records(service, CommandAudited)).toHaveLength(10);
      const ids = (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.id);
      expect(new Set(ids).size).toBe(30);
      expect(ids).toHaveLength(30);
    }
  });

  it('a central host collects what others broadcast, and sends nothing of it back', async () => {
    const transport = new InProcessTransport();
    const wire = await tap(transport);
    const [worker, central] = [host(transport, true), host(transport, true)];
    const command = new PlaceOrder();
    await worker.dispatcher.invoke(command);
    await settle(transport, worker, central);
    expect(await records(central, EventAudited)).toEqual(await records(worker, EventAudited));
    expect(wire.map(({ type, destination }) => [type, destination])).toEqual([
      ['shop.OrderPlaced', 'shop'],
      ['svc.EventAudited', 'svc.core.auditevents'],
      ['svc.CommandAudited', 'svc.core.auditevents'],
    ]);
  });

  it('a LocalOnly host accepts no system event from a Broadcast host', async () => {
    const transport = new InProcessTransport();
    const [loud, quiet] = [host(transport, true), host(transport, false)];
    await loud.dispatcher.invoke(new PlaceOrder());
    await settle(transport, loud, quiet);
    expect(await typesIn(quiet)).toEqual(['shop.OrderPlaced']);
  });

  it('events of one stream arrive in their order', async () => {
    const transport = new InProcessTransport();
    const [a, b] = [host(transport, false), host(transport, false)];
    const orderId = newId();
    for (let i = 0; i < 20; i++) {
      await a.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId, note: String(i) }));
    }
    await settle(transport, a, b);
    const notes = (await collect(b.eventStore.readStream(orderId))).map(
      ({ envelope }) => (envelope.payload as OrderPlaced).note,
    );
    expect(notes).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });
});

describe('messages from the transport', () => {
  const message = (change: Partial<TransportMessage> = {}): TransportMessage => ({
    id: newId(),
    type: 'shop.OrderPlaced',
    streamId: newId(),
    body: '{"note":""}',
    timestamp: 0,
    correlationId: newId(),
    causationId: null,
    scope: null,
    metadata: {},
    destination: 'shop',
    origin: 'elsewhere',
    ...change,
  });

  it('are stored once, however often they are delivered', async () => {
    const transport = new InProcessTransport();
    const service = host(transport, false);
    await service.ready();
    const twice = message();
    await transport.publish([twice, twice]);
    await transport.publish([twice]);
    await settle(transport, service);
    expect(await typesIn(service)).toEqual(['shop.OrderPlaced']);
  });

  it('that were already stored do not delay the others', async () => {
    const transport = new InProcessTransport();
    const service = host(transport, false);
    await service.ready();
    const all = Array.from({ length: 9 }, (_, i) => message({ body: `{"note":"${i}"}` }));
    await transport.publish([all[1]!, all[2]!, all[7]!]);
    await settle(transport, service);
    await transport.publish(all);
    await settle(transport, service);
    const ids = (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.id);
    expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  it('that are unreadable become dead letters, and later ones are stored', async () => {
    const transport = new InProcessTransport();
    const service = host(transport, false);
    await service.ready();
    const [broken, whole] = [message({ body: '{"note":' }), message()];
    await transport.publish([broken, whole]);
    await settle(transport, service);
    expect(await typesIn(service)).toEqual(['shop.OrderPlaced', 'svc.MessageDeadLettered']);
    expect(await service.deadLetters.list()).toMatchObject([{ message: { id: broken.id }, cause: 'Unreadable' }]);
    expect(transport.deadLetters, 'the transport is done with it').toEqual([]);
  });

  it('that cannot be stored are retried, then become dead letters; the others are stored at once', async () => {
    const transport = new InProcessTransport();
    const storage = new InMemoryStorage();
    const [flawed, whole] = [message(), message()];
    const commit = vi.spyOn(storage, 'commit').mockImplementation((record) => {
      if (record.events.some(({ id }) => id === flawed.id)) throw new Error('value out of range');
      InMemoryStorage.prototype.commit.call(storage, record);
    });
    const random = vi.spyOn(Math, 'random').mockReturnValue(-1);
    const reported: string[] = [];
    const service = createService(shopRegistry())
      .useStorage(storage)
      .useTransport(transport)
      .acceptEvents(shopEvents)
      .reportTo((_error, part) => reported.push(part))
      .start();
    await service.ready();
    await transport.publish([whole, flawed]);
    await settle(transport, service);
    expect(await typesIn(service)).toEqual(['shop.OrderPlaced']);
    expect(await service.deadLetters.list()).toMatchObject([
      { message: { id: flawed.id }, cause: 'AttemptsExhausted', errorMessage: 'value out of range', attempts: 10 },
    ]);
    const attempts = commit.mock.calls.filter(([{ events }]) => events.length === 1 && events[0]!.id === flawed.id);
    expect(attempts).toHaveLength(10);
    expect(reported, 'once').toEqual(['receive']);
    random.mockRestore();
  });

  it('never become dead letters because the storage is unavailable', async () => {
    const transport = new InProcessTransport();
    const storage = new InMemoryStorage();
    let failures = 12;
    vi.spyOn(storage, 'commit').mockImplementation((record) => {
      if (failures-- > 0) throw new StorageUnavailableError('none', new Error('connection refused'));
      InMemoryStorage.prototype.commit.call(storage, record);
    });
    const random = vi.spyOn(Math, 'random').mockReturnValue(-1);
    const reported: string[] = [];
    const service = createService(shopRegistry())
      .useStorage(storage)
      .useTransport(transport)
      .acceptEvents(shopEvents)
      .reportTo((_error, part) => reported.push(part))
      .start();
    await service.ready();
    await transport.publish([message()]);
    await settle(transport, service);
    expect(await typesIn(service)).toEqual(['shop.OrderPlaced']);
    expect(await service.deadLetters.list()).toEqual([]);
    expect(reported, 'once').toEqual(['receive']);
    random.mockRestore();
  });

  it('of a type that the host does not know are left alone', async () => {
    const transport = new InProcessTransport();
    const service = host(transport, false);
    await service.ready();
    await transport.publish([message({ type: 'elsewhere.Unknown' }), message()]);
    await settle(transport, service);
    expect(await typesIn(service)).toEqual(['shop.OrderPlaced']);
  });

  it('stop coming when the service stops', async () => {
    const transport = new InProcessTransport();
    const service = host(transport, false);
    await service.ready();
    await service.stop();
    await transport.publish([message()]);
    await transport.idle();
    expect(await typesIn(service)).toEqual([]);
  });

  it('are published again until the transport accepts them, in order', async () => {
    const published: string[] = [];
    let failures = 2;
    const flaky: Transport = {
      publish: (batch) => {
        if (failures-- > 0) return Promise.reject(new Error('no route to host'));
        published.push(...batch.map(({ body }) => body));
        return Promise.resolve();
      },
      subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
    };
    const reported: unknown[] = [];
    const service = shop()
      .useTransport(flaky)
      .reportTo((error) => reported.push(error))
      .start();
    for (const note of ['1', '2', '3']) await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { note }));
    await service.idle();
    expect(published).toEqual(['{"note":"1"}', '{"note":"2"}', '{"note":"3"}']);
    expect(reported).toHaveLength(2);
  });
});
