/** The registration operations, one test or more for each row of the specification's table, and their order. */
import {
  AuditMode,
  CommandAudited,
  CommandAuditPipelineBehavior,
  createService,
  EventAudited,
  InMemoryStorage,
  newId,
  NoOpSystemEventEmitter,
  SystemEventOptions,
  type Service,
  type SystemEventEmitter,
} from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { wrap } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import {
  auditedTypes,
  collect,
  OrderPaid,
  OrderPlaced,
  PayOrder,
  PingOrder,
  PlaceOrder,
  records,
  shop,
  shopRegistry,
  systemEvents,
  tap,
} from './shop.js';

const enabled = (options: SystemEventOptions): unknown => options.enableEventAudit();
const withoutStorage = (): Service => createService(shopRegistry());

describe('AddSystemEvents', () => {
  it('registers the transport publish filter', async () => {
    const transport = new InProcessTransport();
    const published = await tap(transport);
    const service = shop()
      .useTransport(transport)
      .addSystemEvents((options) => options.enableEventAudit())
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await records(service, EventAudited)).toHaveLength(1);
    await transport.idle();
    expect(published.map(({ type }) => type)).toEqual(['shop.OrderPlaced']);
  });

  it('decorates the event store when EnableEventAudit is set', async () => {
    const service = shop()
      .addSystemEvents((options) => options.enableEventAudit())
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await records(service, EventAudited)).toHaveLength(1);
  });

  it('leaves it alone otherwise', async () => {
    const service = shop().addSystemEvents().start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await systemEvents(service)).toEqual([]);
  });

  it('decorates the event store in memory, which is the default', async () => {
    const service = withoutStorage().addSystemEvents(enabled).start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await records(service, EventAudited)).toHaveLength(1);
  });

  it('must be called after the event store when it audits events, and reports it', () => {
    const audited = withoutStorage().addSystemEvents((options) => options.enableEventAudit());
    expect(() => audited.useStorage(new InMemoryStorage())).toThrow(
      expect.objectContaining({ code: 'SVC_EVENT_STORE_AUDITED' }),
    );
  });

  it('does not audit commands', async () => {
    const service = shop()
      .addSystemEvents((options) => options.enableAudit())
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await records(service, CommandAudited)).toEqual([]);
  });

  it('called again, adds to the enabled options', async () => {
    const service = shop()
      .addSystemEvents((options) => options.enableEventAudit())
      .addSystemEvents((options) => options.enableErrorEvents())
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await records(service, EventAudited)).toHaveLength(1);
  });
});

describe('AddSystemEventAuditing', () => {
  it('does everything that AddSystemEvents does, and audits commands', async () => {
    const service = shop()
      .addSystemEventAuditing((options) => options.enableAudit())
      .start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await records(service, EventAudited)).toHaveLength(1);
    expect(await records(service, CommandAudited)).toHaveLength(1);
  });

  it('without a callback, audits both', async () => {
    const service = shop().addSystemEventAuditing().start();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await systemEvents(service)).toHaveLength(2);
  });

  it('adds the behavior only once', async () => {
    const twice = shop().addSystemEventAuditing().addSystemEventAuditing().start();
    await twice.dispatcher.invoke(new PlaceOrder());
    expect(await records(twice, CommandAudited)).toHaveLength(1);

    const emitted: unknown[] = [];
    const own = {
      shouldExcludeFromAudit: () => false,
      emitCommandAudited: (command: unknown) => Promise.resolve(void emitted.push(command)),
    } as unknown as SystemEventEmitter;
    const byHand = shop()
      .addBehavior(new CommandAuditPipelineBehavior(own, new SystemEventOptions().enableCommandAudit()))
      .addSystemEventAuditing()
      .start();
    await byHand.dispatcher.invoke(new PlaceOrder());
    expect(emitted).toHaveLength(1);
    expect(await records(byHand, CommandAudited)).toEqual([]);
  });

  it('must also be called after the event store', () => {
    expect(() => withoutStorage().addSystemEventAuditing().useStorage(new InMemoryStorage())).toThrow(
      expect.objectContaining({ code: 'SVC_EVENT_STORE_AUDITED' }),
    );
  });
});

describe('DecorateEventStoreWithAuditing', () => {
  /** What is audited of one event without attributes, one that is marked, and one that is excluded. */
  const audited = async (service: Service): Promise<string[]> => {
    service.start();
    for (const command of [new PlaceOrder(), new PayOrder(), new PingOrder()]) await service.dispatcher.invoke(command);
    return auditedTypes(await records(service, EventAudited));
  };
  const optIn = (options: SystemEventOptions): void => void (options.auditMode = AuditMode.OptIn);

  it('decorates the registered event store explicitly: on its own, it has events audited', async () => {
    const service = shop().decorateEventStoreWithAuditing();
    expect(await audited(service)).toEqual(['shop.OrderPlaced', 'shop.OrderPaid']);
    expect(await systemEvents(service), 'and nothing else').toHaveLength(2);
    expect(service.emitter, 'the decorator depends on no emitter').toBeInstanceOf(NoOpSystemEventEmitter);
  });

  it.each<[string, (service: Service) => Service]>([
    ['after AddSystemEvents', (service) => service.addSystemEvents().decorateEventStoreWithAuditing()],
    ['before AddSystemEvents', (service) => service.decorateEventStoreWithAuditing().addSystemEvents()],
  ])('%s, audits events whatever EventAuditEnabled is', async (_when, register) => {
    expect(await audited(register(shop()))).toEqual(['shop.OrderPlaced', 'shop.OrderPaid']);
  });

  it('leaves EventAuditEnabled alone, which only its method sets, and with it the emitter', async () => {
    let options: SystemEventOptions | undefined;
    const service = shop()
      .addSystemEvents((given) => void (options = given))
      .decorateEventStoreWithAuditing()
      .start();
    await service.emitter.emitEventAudited(newId(), 0, wrap('shop.OrderPaid', new OrderPaid()));
    expect([options!.eventAuditEnabled, options!.auditEnabled]).toEqual([false, false]);
    expect(await systemEvents(service)).toEqual([]);
  });

  it('is subject to AuditMode and the exclusion attribute', async () => {
    expect(await audited(shop().decorateEventStoreWithAuditing().addSystemEvents(optIn))).toEqual(['shop.OrderPaid']);
  });

  it.each<[string, (service: Service) => Service]>([
    ['twice', (service) => service.decorateEventStoreWithAuditing().decorateEventStoreWithAuditing()],
    ['after EnableEventAudit', (service) => service.addSystemEvents(enabled).decorateEventStoreWithAuditing()],
    ['before EnableEventAudit', (service) => service.decorateEventStoreWithAuditing().addSystemEvents(enabled)],
    ['after AddSystemEventAuditing', (service) => service.addSystemEventAuditing().decorateEventStoreWithAuditing()],
  ])('%s, audits each event once', async (_how, register) => {
    expect(await audited(register(shop()))).toEqual(['shop.OrderPlaced', 'shop.OrderPaid']);
  });

  it('must be called after the event store is registered, and reports it', () => {
    expect(() => shop().decorateEventStoreWithAuditing().useStorage(new InMemoryStorage())).toThrow(
      expect.objectContaining({
        code: 'SVC_EVENT_STORE_AUDITED',
        message: expect.stringContaining('decorateEventStoreWithAuditing') as string,
      }),
    );
  });
});

describe('AddService', () => {
  /** A service whose receptor asks for the emitter and uses it. */
  const asking = (): Service => {
    const { receptors, ...registry } = shopRegistry();
    const create: (typeof receptors)[number]['create'] = (host) => ({
      receive: async () => {
        await host.emitter.emit(new OrderPlaced());
        return host.emitter.shouldExcludeFromAudit(OrderPlaced);
      },
    });
    const others = receptors.filter(({ command }) => command !== PlaceOrder);
    return createService({ ...registry, receptors: [...others, { name: 'Asking', command: PlaceOrder, create }] });
  };

  it.each<[string, (service: Service) => Service]>([
    ['registers the no-op emitter, so that injecting the emitter is always safe', (service) => service.addService()],
    ['is the default: without the call, injecting the emitter is safe too', (service) => service],
  ])('%s', async (_name, register) => {
    const service = register(asking()).start();
    expect(await service.dispatcher.invoke(new PlaceOrder())).toBe(true);
    expect(await collect(service.eventStore.readAll())).toEqual([]);
  });
});

it('failures in the background go to reportTo, else to the default of the host', async () => {
  const reported: string[] = [];
  const failing = (): Service =>
    withoutStorage()
      .addSystemEventAuditing()
      .addTagHook('sys-audit', () => Promise.reject(new Error('The hook failed.')));
  const byDefault = failing().reportByDefault((_error, part) => reported.push(`default ${part}`));
  const chosen = failing()
    .reportTo((_error, part) => reported.push(`chosen ${part}`))
    .reportByDefault(() => reported.push('default'));
  for (const service of [byDefault.start(), chosen.start().reportByDefault(() => reported.push('late'))]) {
    await service.dispatcher.invoke(new PlaceOrder());
    await service.idle();
    await service.stop();
  }
  expect([...new Set(reported)]).toEqual(['default tag-hooks', 'chosen tag-hooks']);
});

it('every registration is rejected once the service has started', () => {
  const service = shop().start();
  const calls: (() => unknown)[] = [
    () => service.addService(),
    () => service.addSystemEvents(),
    () => service.addSystemEventAuditing(),
    () => service.decorateEventStoreWithAuditing(),
    () => service.useStorage(new InMemoryStorage()),
    () => service.useTransport(new InProcessTransport()),
    () => service.addAuthentication(),
    () => service.allowEverybody(),
    () => service.addTagHook('orders', () => {}),
    () => service.reportTo(() => {}),
  ];
  for (const call of calls) expect(call).toThrow(expect.objectContaining({ code: 'SVC_SERVICE_STARTED' }));
});
