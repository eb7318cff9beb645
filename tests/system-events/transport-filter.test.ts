/** The transport publish filter: how an application gets it, adds its own, and what its own cannot do. */
import {
  CommandAudited,
  EventAudited,
  newId,
  SystemEventStream,
  SystemEventTransportFilter,
  type MessageClass,
  type Service,
  type TransportPublishFilter,
} from '@svc/core';
import { auditDestination } from '@svc/core/storage';
import { InProcessTransport, type Transport, type TransportMessage } from '@svc/core/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  broadcastEvents,
  CacheCleared,
  collect,
  OrderPaid,
  OrderPinged,
  OrderPlaced,
  PayOrder,
  PlaceOrder,
  shop,
  shopEvents,
  tap,
} from './shop.js';

const passAll: TransportPublishFilter = {
  shouldPublishToTransport: () => true,
  shouldReceiveFromTransport: () => true,
};

const rejecting = (...types: MessageClass[]): TransportPublishFilter => ({
  shouldPublishToTransport: (message) =>
    !types.some((type) => message === type || (typeof message === 'object' && message instanceof type)),
  shouldReceiveFromTransport: (type) => !types.includes(type),
});

function host(transport: Transport, register: (service: Service) => Service, broadcast = false): Service {
  const service = register(
    shop()
      .useTransport(transport)
      .addSystemEventAuditing((options) => {
        options.enableAudit();
        options.localOnly = !broadcast;
      }),
  ).start();
  onTestFinished(() => service.stop());
  return service;
}

async function order(service: Service): Promise<void> {
  await service.ready();
  await service.dispatcher.invoke(new PlaceOrder());
  await service.dispatcher.invoke(new PayOrder());
}

async function settle(transport: InProcessTransport, ...hosts: Service[]): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (const service of hosts) await service.idle();
    await transport.idle();
  }
}

const stored = async (service: Service): Promise<string[]> =>
  (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.type);

describe('AddSystemEvents registers SystemEventTransportFilter as ITransportPublishFilter', () => {
  it.each([false, true])('and an application can obtain it: broadcast %s', (broadcast) => {
    const { transportPublishFilter: filter } = host(new InProcessTransport(), (service) => service, broadcast);
    expect(filter).toBeInstanceOf(SystemEventTransportFilter);
    for (const type of [EventAudited, CacheCleared]) {
      expect(filter.shouldPublishToTransport(new type())).toBe(broadcast);
      expect(filter.shouldReceiveFromTransport(type)).toBe(broadcast);
    }
    expect([
      filter.shouldPublishToTransport(new OrderPlaced()),
      filter.shouldReceiveFromTransport(OrderPlaced),
    ]).toEqual([true, true]);
  });

  it('and an application can supply its own, which decides what is published', async () => {
    const transport = new InProcessTransport();
    const wire = await tap(transport);
    const own: TransportPublishFilter = {
      ...passAll,
      shouldPublishToTransport: (message) => !(message instanceof OrderPlaced && message.note === 'secret'),
    };
    const service = host(transport, (registered) => registered.addTransportPublishFilter(own));
    await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { note: 'secret' }));
    await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { note: 'open' }));
    await settle(transport, service);
    expect(wire.map(({ body }) => body)).toEqual(['{"note":"open"}']);
    expect(
      (await stored(service)).filter((type) => type === 'shop.OrderPlaced'),
      'both are stored',
    ).toHaveLength(2);
  });

  it('and what is received: rejected types are neither subscribed to nor accepted', async () => {
    const transport = new InProcessTransport();
    const wanted: string[] = [];
    const noting: Transport = Object.assign(Object.create(transport) as InProcessTransport, {
      publish: (batch: readonly TransportMessage[]) => transport.publish(batch),
      subscribe: (...[interest, receive]: Parameters<Transport['subscribe']>) => {
        wanted.push(...interest.topics.flatMap(({ types }) => types));
        // Delivered in any case, as by a broker that still has a binding.
        const topics = [{ topic: 'shop', types: ['shop.OrderPlaced', 'shop.OrderPaid'] }];
        return transport.subscribe({ ...interest, topics }, receive);
      },
    });
    const [sender, receiver] = [
      host(transport, (service) => service),
      host(noting, (service) => service.acceptEvents(shopEvents).addTransportPublishFilter(rejecting(OrderPaid))),
    ];
    await receiver.ready();
    await order(sender);
    await settle(transport, sender, receiver);

    expect(wanted.toSorted()).toEqual(['shop.OrderPinged', 'shop.OrderPlaced']);
    expect(await stored(receiver)).toEqual(['shop.OrderPlaced']);
    expect(await receiver.deadLetters.list()).toMatchObject([
      {
        message: { type: 'shop.OrderPaid' },
        cause: 'OriginNotAccepted',
        errorMessage: expect.stringContaining('filter'),
      },
    ]);
  });
});

describe('a filter of the application', () => {
  it('cannot let system events out or in that are local', async () => {
    const transport = new InProcessTransport();
    const wire = await tap(transport);
    const service = host(transport, (registered) =>
      registered.acceptEvents(shopEvents).addTransportPublishFilter(passAll),
    );
    await order(service);
    await settle(transport, service);
    const id = newId();
    const forged = { id, type: 'svc.EventAudited', streamId: SystemEventStream.streamId, body: '{}', timestamp: 0 };
    await transport.publish([
      {
        ...forged,
        correlationId: id,
        causationId: null,
        scope: null,
        metadata: {},
        destination: auditDestination,
        origin: 'x',
      },
    ]);
    await settle(transport, service);
    expect(wire.map(({ type }) => type)).toEqual(['shop.OrderPlaced', 'shop.OrderPaid', 'svc.EventAudited']);
    expect(
      (await stored(service)).filter((type) => type === 'svc.EventAudited'),
      'its own two',
    ).toHaveLength(2);
    const { transportPublishFilter: filter } = service;
    expect([filter.shouldPublishToTransport(EventAudited), filter.shouldReceiveFromTransport(EventAudited)]).toEqual([
      false,
      false,
    ]);
    expect(() =>
      host(transport, (made) => made.acceptEvents(broadcastEvents).addTransportPublishFilter(passAll)),
    ).toThrow(expect.objectContaining({ code: 'SVC_UNKNOWN_NAMESPACE' }));
  });

  it('restricts broadcasts, in both directions', async () => {
    const transport = new InProcessTransport();
    const wire = await tap(transport);
    const [loud, central, deaf] = [
      host(transport, (service) => service.addTransportPublishFilter(rejecting(CommandAudited)), true),
      host(transport, (service) => service.acceptEvents(broadcastEvents).addTransportPublishFilter(passAll), true),
      host(
        transport,
        (service) => service.acceptEvents(broadcastEvents).addTransportPublishFilter(rejecting(EventAudited)),
        true,
      ),
    ];
    for (const service of [central, deaf]) await service.ready();
    await order(loud);
    await settle(transport, loud, central, deaf);
    const audits = wire.map(({ type }) => type).filter((type) => type.startsWith('svc.'));
    expect(audits).toEqual(['svc.EventAudited', 'svc.EventAudited']);
    const domain = ['shop.OrderPlaced', 'shop.OrderPaid'];
    expect((await stored(central)).toSorted()).toEqual([...domain, ...audits].toSorted());
    expect((await stored(deaf)).toSorted()).toEqual(domain.toSorted());
  });

  it('is no declaration of trust: without acceptEvents nothing enters', async () => {
    const transport = new InProcessTransport();
    const [loud, closed] = [
      host(transport, (service) => service, true),
      host(transport, (service) => service.addTransportPublishFilter(passAll), true),
    ];
    await closed.ready();
    await order(loud);
    await settle(transport, loud, closed);
    expect(await stored(closed)).toEqual([]);
  });

  it('rejects with every result but true, such as the promise of an asynchronous filter', async () => {
    const transport = new InProcessTransport();
    const wire = await tap(transport);
    const asynchronous = {
      shouldPublishToTransport: () => Promise.resolve(true),
      shouldReceiveFromTransport: () => Promise.resolve(true),
    } as unknown as TransportPublishFilter;
    const service = host(transport, (registered) => registered.addTransportPublishFilter(asynchronous));
    await order(service);
    await settle(transport, service);
    expect(wire).toEqual([]);
    expect(service.transportPublishFilter.shouldReceiveFromTransport(OrderPlaced)).toBe(false);
  });

  it('is combined with previous ones: all of them must accept a message', () => {
    const { transportPublishFilter: filter } = host(new InProcessTransport(), (service) =>
      service.addTransportPublishFilter(rejecting(OrderPaid)).addTransportPublishFilter(rejecting(OrderPlaced)),
    );
    expect([OrderPaid, OrderPlaced].map((type) => filter.shouldPublishToTransport(new type()))).toEqual([false, false]);
  });

  it('that has nothing to filter is an error at the start', () => {
    expect(() => shop().addTransportPublishFilter(passAll).start()).toThrow(
      expect.objectContaining({ code: 'SVC_TRANSPORT_MISSING' }),
    );
  });

  it('that rejects all events of an accepted namespace is an error at the start', () => {
    const own = rejecting(OrderPlaced, OrderPaid, OrderPinged);
    const start = (): unknown =>
      host(new InProcessTransport(), (service) => service.acceptEvents(shopEvents).addTransportPublishFilter(own));
    expect(start).toThrow(
      expect.objectContaining({
        code: 'SVC_UNKNOWN_NAMESPACE',
        message: expect.stringContaining('a transport publish filter rejects all of them') as string,
      }),
    );
  });

  it('decides about commands between hosts, and none is lost in silence', async () => {
    const transport = new InProcessTransport();
    const sender = shop((_command, context) => context.send(new PayOrder(), { to: 'billing' }))
      .useTransport(transport.host('sales'))
      .addTransportPublishFilter(rejecting(PayOrder))
      .start();
    onTestFinished(() => sender.stop());
    await expect(sender.dispatcher.invoke(new PlaceOrder())).rejects.toMatchObject({ code: 'SVC_COMMAND_FILTERED' });
    const receiver = shop()
      .useTransport(transport.host('billing'))
      .acceptCommands({ from: 'sales', commands: [PayOrder] })
      .addTransportPublishFilter(rejecting(PayOrder));
    expect(() => receiver.start()).toThrow(expect.objectContaining({ code: 'SVC_COMMAND_FILTERED' }));
  });
});
