import {
  createService,
  EventAudited,
  InMemoryStorage,
  newId,
  PerspectiveFailed,
  type AppliedEvent,
  type Perspective,
  type Service,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { commitRecord, pendingRecord, type MessageDescriptor } from '@svc/core/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { describeStores, type OpenStore } from './storages.js';
import { described, place, shopWith } from './perspective-shop.js';
import { OrderPaid, OrderPlaced, PayOrder, records, shop, shopRegistry } from '../system-events/shop.js';

interface Order {
  notes: string[];
  paid: boolean;
}

const poison = 'poison';
let applied: string[] = [];
beforeEach(() => void (applied = []));

/** One model for each order. Changes the model it is given, as a careless `apply` does. */
class OrderPerspective implements Perspective<Order, OrderPlaced | OrderPaid> {
  apply(order: Order | null, event: OrderPlaced | OrderPaid, { id }: AppliedEvent): Order | null {
    applied.push(id);
    if (event instanceof OrderPaid) return order === null ? null : { ...order, paid: true };
    const model = order ?? { notes: [], paid: false };
    model.notes.push(event.note);
    if (event.note === poison) throw new RangeError('cannot read this');
    return event.note === 'remove' ? null : model;
  }
}

/** One model for all orders with the same note. */
class NotePerspective implements Perspective<{ orders: number }, OrderPlaced> {
  keyOf({ note }: OrderPlaced): string | null {
    if (note === poison) throw new RangeError('no key');
    return note === '' ? null : note;
  }

  apply(model: { orders: number } | null): { orders: number } {
    return { orders: (model?.orders ?? 0) + 1 };
  }
}

/** What was audited, by stream: made of system events. */
class AuditPerspective implements Perspective<{ types: string[] }, EventAudited> {
  keyOf({ originalStreamId }: EventAudited): string {
    return originalStreamId;
  }

  apply(model: { types: string[] } | null, { originalEventType }: EventAudited): { types: string[] } {
    return { types: [...(model?.types ?? []), originalEventType] };
  }
}

function reading(storage: Storage = new InMemoryStorage()): Service {
  const perspectives = [
    described(OrderPerspective, [OrderPlaced, OrderPaid]),
    described(NotePerspective, [OrderPlaced]),
    described(AuditPerspective, [EventAudited]),
  ];
  return shopWith(perspectives, storage).start();
}

describeStores((stores, storageName) => {
  let open: OpenStore;
  beforeEach(async () => void (open = await stores.fresh()));

  describe('AddServicePerspectives', () => {
    it('registers the perspectives of the registry', async () => {
      const service = reading(open());
      const orderId = await place(service, 'a');
      await place(service, 'b', orderId);
      await service.dispatcher.invoke(Object.assign(new PayOrder(), { orderId }));
      await service.idle();
      expect(await service.lens(OrderPerspective).find(orderId)).toEqual({ notes: ['a', 'b'], paid: true });
      expect(await service.lens(OrderPerspective).find(newId())).toBeNull();
    });

    it('including perspectives that consume system events', async () => {
      const service = reading(open());
      const orderId = await place(service, 'a');
      await service.dispatcher.invoke(Object.assign(new PayOrder(), { orderId }));
      await service.idle();
      expect(await service.lens(AuditPerspective).find(orderId)).toEqual({
        types: ['shop.OrderPlaced', 'shop.OrderPaid'],
      });
    });

    it('without it there are none, and the error of a lens names the missing call', () => {
      expect(() => shop().start().lens(OrderPerspective)).toThrow(
        expect.objectContaining({ code: 'SVC_UNKNOWN_PERSPECTIVE' }),
      );
    });
  });

  describe('a perspective', () => {
    it('has models by key across streams, and none for events without a key', async () => {
      const service = reading(open());
      for (const note of ['x', 'y', 'x', '', 'x']) await place(service, note);
      await service.idle();
      const lens = service.lens(NotePerspective);
      expect([await lens.find('x'), await lens.find('y'), await lens.find('')]).toEqual([
        { orders: 3 },
        { orders: 1 },
        null,
      ]);
    });

    it('deletes a model when apply returns null', async () => {
      const service = reading(open());
      const orderId = await place(service, 'a');
      await service.idle();
      await place(service, 'remove', orderId);
      await service.idle();
      expect(await service.lens(OrderPerspective).find(orderId)).toBeNull();
    });

    it('applies each event once, also across batches and restarts', async () => {
      const service = reading(open());
      const streams = Array.from({ length: 7 }, () => newId());
      await Promise.all(Array.from({ length: 1_500 }, (_, i) => place(service, String(i), streams[i % 7])));
      await service.idle();
      await service.stop();
      const again = reading(open());
      await place(again, 'last', streams[0]);
      await again.idle();
      expect(applied).toHaveLength(1_501);
      expect((await again.lens(OrderPerspective).find(streams[0]!))?.notes).toHaveLength(216);
    });

    it('is shared by hosts on one storage, and applies no event twice', async () => {
      const hosts = [reading(open()), reading(open()), reading(open())];
      const orderId = newId();
      for (let i = 0; i < 60; i++) await place(hosts[i % 3]!, String(i), orderId);
      // The host of the perspective learns of the events of the others a little later.
      const notes = async () => (await hosts[0]!.lens(OrderPerspective).find(orderId))?.notes;
      await expect.poll(async () => (await notes())?.at(-1), { timeout: 20_000 }).toBe('59');
      for (const service of hosts) await service.idle();
      expect(await notes()).toEqual(Array.from({ length: 60 }, (_, i) => String(i)));
    });

    it('that fails at an event stops that stream, emits PerspectiveFailed, and processes the other streams', async () => {
      const service = reading(open());
      const [bad, good] = [newId(), newId()];
      for (const note of ['1', poison, '3']) {
        await place(service, note, bad);
        await place(service, note === poison ? '2' : note, good);
      }
      await service.idle();
      await place(service, '4', bad);
      await service.idle();
      const lens = service.lens(OrderPerspective);
      expect(await lens.find(bad)).toEqual({ notes: ['1'], paid: false });
      expect(await lens.find(good)).toEqual({ notes: ['1', '2', '3'], paid: false });
      expect(await lens.stoppedStreams()).toEqual([
        expect.objectContaining({
          streamId: bad,
          position: 1,
          errorName: 'RangeError',
          errorMessage: 'cannot read this',
        }),
      ]);
      const failed = await records(service, PerspectiveFailed);
      expect(
        failed.map(({ perspectiveName, messageType, errorMessage }) => [perspectiveName, messageType, errorMessage]),
      ).toEqual(
        expect.arrayContaining([
          ['OrderPerspective', 'shop.OrderPlaced', 'cannot read this'],
          ['NotePerspective', 'shop.OrderPlaced', 'no key'],
        ]),
      );
      expect(failed).toHaveLength(2);
    });

    // PostgreSQL takes nothing that is not JSON.
    it.skipIf(storageName === 'PostgreSQL')('that cannot read an event stops only its stream', async () => {
      const store = open();
      const service = reading(store);
      const [bad, good] = [await place(service, '1'), await place(service, '1')];
      await store.commit(
        commitRecord({ events: [{ ...pendingRecord(bad), type: 'shop.OrderPlaced', body: '{"note":' }] }),
      );
      await place(service, '2', good);
      await place(service, '2', bad);
      await service.idle();
      const lens = service.lens(OrderPerspective);
      expect(await lens.find(bad)).toMatchObject({ notes: ['1'] });
      expect(await lens.find(good)).toMatchObject({ notes: ['1', '2'] });
      expect(await lens.stoppedStreams()).toMatchObject([{ streamId: bad, position: 1, errorName: 'SyntaxError' }]);
    });

    it('that reads an event with another type than its own stops only its stream', async () => {
      const store = open();
      const read: MessageDescriptor['read'] = (value, issues) => {
        const { note } = value as OrderPlaced;
        if (typeof note !== 'string') issues.add('note', 'must be a string');
        return Object.assign(new OrderPlaced(), { note });
      };
      const registry = shopRegistry();
      const messages = registry.messages.map((one) => (one.class === OrderPlaced ? { ...one, read } : one));
      const service = createService({
        ...registry,
        messages,
        perspectives: [described(OrderPerspective, [OrderPlaced])],
      })
        .useStorage(store)
        .addServicePerspectives()
        .start();
      onTestFinished(() => service.stop());
      const [bad, good] = [await place(service, '1'), await place(service, '1')];
      await store.commit(
        commitRecord({ events: [{ ...pendingRecord(bad), type: 'shop.OrderPlaced', body: '{"note":7}' }] }),
      );
      await place(service, '2', bad);
      await place(service, '2', good);
      await service.idle();
      const lens = service.lens(OrderPerspective);
      expect(await lens.find(good)).toMatchObject({ notes: ['1', '2'] });
      expect(await lens.find(bad)).toMatchObject({ notes: ['1'] });
      const [stopped] = await lens.stoppedStreams();
      expect(stopped).toMatchObject({ streamId: bad, position: 1, errorName: 'SVC_UNREADABLE_EVENT' });
      expect(stopped!.errorMessage).toMatch(/^Cannot read an event of type shop\.OrderPlaced\. /);
    });

    it('stops only the stream with a key that no database can store', async () => {
      const service = reading(open());
      const [bad, good] = [await place(service, 'a\0b'), await place(service, 'fine')];
      await place(service, 'x'.repeat(401));
      await service.idle();
      const stopped = await service.lens(NotePerspective).stoppedStreams();
      expect(stopped).toHaveLength(2);
      expect(stopped.map(({ streamId }) => streamId)).toContain(bad);
      expect(await service.lens(NotePerspective).find('fine')).toEqual({ orders: 1 });
      expect(await service.lens(OrderPerspective).find(good)).toMatchObject({ notes: ['fine'] });
    });

    it('is listed page by page, in the order of its keys', async () => {
      const service = reading(open());
      for (let i = 0; i < 25; i++) await place(service, `n${String(i).padStart(2, '0')}`);
      for (let i = 0; i < 3; i++) await place(service, 'n07');
      await service.idle();
      const lens = service.lens(NotePerspective);
      expect(await lens.list()).toHaveLength(10);
      expect((await lens.list({ offset: 5, limit: 3 })).map(({ orders }) => orders)).toEqual([1, 1, 4]);
      expect(await lens.list({ limit: 1_000 })).toHaveLength(25);
    });
  });
});

it('rebuilds the models at each start when the storage does not store them', async () => {
  const storage = Object.assign(new InMemoryStorage(), { perspectives: undefined }) as unknown as Storage;
  const service = reading(storage);
  const orderId = await place(service, 'a');
  await service.idle();
  await service.stop();
  const again = reading(storage);
  await again.idle();
  expect(await again.lens(OrderPerspective).find(orderId)).toEqual({ notes: ['a'], paid: false });
  expect(applied).toHaveLength(2);
});
