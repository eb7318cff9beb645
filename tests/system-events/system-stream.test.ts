/** The system stream: who writes to it, who reads it, and that nothing is lost or doubled on the way. */
import {
  AccessDenied,
  AccessGranted,
  EventAudited,
  InMemoryStorage,
  newId,
  permission,
  SystemEventStream,
  type AppliedEvent,
  type Perspective,
  type SecurityContext,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { InProcessTransport } from '@svc/core/transport';
import { auditDestination, MessageSettledError, type CommitRecord } from '@svc/core/storage';
import { describe, expect, it, vi } from 'vitest';
import { described, shopWith, type Trace } from '../perspectives/perspective-shop.js';
import { ann, collect, OrderPlaced, PlaceOrder, records, shop, systemEvents } from './shop.js';

describe('the system stream', () => {
  it('is written by the system only', async () => {
    const service = shop((_command, context) => context.append(SystemEventStream.streamId, new OrderPlaced()))
      .addSystemEventAuditing()
      .start();
    await expect(service.dispatcher.invoke(new PlaceOrder())).rejects.toMatchObject({ code: 'SVC_SYSTEM_STREAM' });
    expect(await systemEvents(service)).toEqual([]);
  });

  it('is read with the permission system:read, and denials are recorded once', async () => {
    const service = shop().addSystemEventAuditing().start();
    await runAs(ann, () => service.dispatcher.invoke(new PlaceOrder()));
    await service.idle();
    const auditor: SecurityContext = { ...ann, permissions: new Set([permission('system:read')]) };
    const readStream = () => collect(service.eventStore.readStream(SystemEventStream.streamId));
    const readAll = () => collect(service.eventStore.readAll());
    expect(await runAs(auditor, readStream)).toHaveLength(2);
    expect(await runAs(auditor, readAll)).toHaveLength(3);
    await expect(runAs(ann, readStream)).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
    await expect(runAs(ann, readAll)).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
    const denied = await records(service, AccessDenied);
    expect(denied.map(({ requiredPermission, scope }) => [requiredPermission, scope.userId])).toEqual([
      ['system:read', 'ann'],
    ]);
  });

  it('is read by a receptor on behalf of its caller', async () => {
    const service = shop((_command, context) => collect(context.readStream(SystemEventStream.streamId)))
      .addSystemEvents()
      .start();
    const asAnn = runAs(ann, () => service.dispatcher.invoke(new PlaceOrder()));
    await expect(asAnn).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
    await expect(service.dispatcher.invoke(new PlaceOrder())).resolves.toEqual([]);
  });
});

/** One trace for each kind of resource that somebody got access to. */
class GrantTrace implements Perspective<Trace, AccessGranted> {
  keyOf({ resourceType }: AccessGranted): string {
    return resourceType;
  }

  apply(model: Trace | null, _event: AccessGranted, { id }: AppliedEvent): Trace {
    return { ids: [...(model?.ids ?? []), id] };
  }
}

describe('on the way from the outbox to the stream', () => {
  /** Fails as a database does: before a commit, or after it, when only the answer is lost. */
  class FailingStorage extends InMemoryStorage {
    failures: ('before' | 'after')[] = [];

    override commit(record: CommitRecord): void {
      const failure = record.delivered !== null ? this.failures.shift() : undefined;
      if (failure === 'before') throw new Error('connection refused');
      super.commit(record);
      if (failure === 'after') throw new Error('connection reset');
    }
  }

  it.each([
    ['before its commit', ['before'] as const],
    ['after its commit', ['after'] as const],
    ['repeatedly', ['before', 'after', 'before', 'after'] as const],
  ])('loses and repeats nothing when the storage fails %s', async (_when, failures) => {
    const storage = new FailingStorage();
    const reported: unknown[] = [];
    const service = shop()
      .useStorage(storage)
      .addSystemEventAuditing((options) => options.enableEventAudit())
      .reportTo((error) => reported.push(error))
      .start();
    storage.failures = [...failures];
    const notes = Array.from({ length: 12 }, (_, i) => String(i));
    for (const note of notes) {
      await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { note }));
      if (storage.failures.length > 0) await service.idle();
    }
    const found = await records(service, EventAudited);
    expect(found.map(({ originalBody }) => (originalBody as OrderPlaced).note)).toEqual(notes);
    expect(reported).toHaveLength(failures.length);
    expect(storage.failures).toEqual([]);
  });

  it('what an earlier run left is delivered by the next', async () => {
    const storage = new InMemoryStorage();
    const first = shop().useStorage(storage).addSystemEventAuditing().start();
    await first.dispatcher.invoke(new PlaceOrder());
    await first.stop();
    const second = shop().useStorage(storage).addSystemEventAuditing().start();
    expect(await systemEvents(second)).toHaveLength(2);
  });

  it.each([
    ['with a transport', true, false],
    ['with a transport that it broadcasts to', true, true],
    ['without one', false, false],
  ])('a type that a host does not know holds nothing up: %s', async (_how, isConnected, isBroadcast) => {
    const storage = new InMemoryStorage();
    const id = newId();
    const record = { id, type: 'shop.TillSealed', body: '{}', timestamp: 0, correlationId: id, causationId: null };
    const message = { ...record, scope: null, metadata: {} };
    // By a host of a newer version.
    storage.commit({
      events: [],
      outgoing: [{ id, lane: 'system', destination: auditDestination, message, note: null, eventId: null }],
      delivered: null,
      received: [],
    });
    const hooked: string[] = [];
    const reported: unknown[] = [];
    const transport = new InProcessTransport();
    const publish = vi.spyOn(transport, 'publish');
    const service = (isConnected ? shop().useTransport(transport) : shop())
      .useStorage(storage)
      .addSystemEventAuditing((options) => {
        options.enableAudit();
        options.localOnly = !isBroadcast;
      })
      .addTagHook('sys-audit', ({ type }) => void hooked.push(type))
      .reportTo((error) => reported.push(error));
    await service.start().dispatcher.invoke(new PlaceOrder());
    await service.idle();
    const stream = await collect(storage.readStream(SystemEventStream.streamId));
    expect(stream.map(({ type }) => type)).toEqual(['shop.TillSealed', 'svc.EventAudited', 'svc.CommandAudited']);
    expect(hooked).toEqual(['svc.EventAudited', 'svc.CommandAudited']);
    expect(reported).toEqual([]);
    const published = publish.mock.calls.flatMap(([messages]) => messages.map(({ type }) => type));
    const own = isBroadcast ? ['shop.OrderPlaced', ...hooked] : isConnected ? ['shop.OrderPlaced'] : [];
    expect(published, 'a type that the filter cannot check is not published').toEqual(own);
    await service.stop();
  });

  it('several hosts on one storage deliver each record once', async () => {
    const storage = new InMemoryStorage();
    const hosts = [0, 1, 2].map(() => shop().useStorage(storage).addSystemEventAuditing().start());
    await Promise.all(
      Array.from({ length: 90 }, (_, i) => hosts[i % hosts.length]!.dispatcher.invoke(new PlaceOrder())),
    );
    for (const service of hosts) await service.idle();
    const found = await records(hosts[0]!, EventAudited);
    expect(found).toHaveLength(90);
    expect(new Set(found.map(({ originalEventId }) => originalEventId)).size).toBe(90);
  });

  it('perspectives process events that the storage delivers by itself', async () => {
    class Delivering extends InMemoryStorage {
      readonly systemDelivery = { isAtOnce: false, deliver: (limit: number) => this.#deliver(limit) };

      async #deliver(limit: number): Promise<ReadonlyMap<string, number>> {
        const waiting = await this.readOutgoing('system', limit);
        const { streamId } = SystemEventStream;
        const events = waiting.map(({ message }) => ({ ...message!, streamId, expectedPosition: undefined }));
        const delivered = { lane: 'system', ids: waiting.map(({ id }) => id) } as const;
        this.commit({ events, outgoing: [], delivered, received: [] });
        return new Map(waiting.length === 0 ? [] : [['svc.AccessGranted', waiting.length]]);
      }
    }
    const service = shopWith([described(GrantTrace, [AccessGranted])], new Delivering()).start();
    await service.idle();
    const scope = {};
    const granted = { resourceType: 'order', usedPermission: permission('order:read'), accessFilter: 0, scope };
    await service.emitter.emit(Object.assign(new AccessGranted(), { ...granted, timestamp: new Date() }));
    await service.idle();
    expect(await service.lens(GrantTrace).find('order')).toEqual({ ids: [expect.any(String)] });
  });

  it('a delivery that another host has made commits nothing', () => {
    const storage = new InMemoryStorage();
    const id = SystemEventStream.streamId;
    const record = { events: [], outgoing: [], delivered: { lane: 'system', ids: [id] } as const, received: [] };
    expect(() => storage.commit(record)).toThrow(MessageSettledError);
  });
});
