/** The event store auditing decorator, as the specification describes it. */
import {
  AuditingEventStoreDecorator,
  AuditMode,
  newId,
  SystemEventOptions,
  type StoredEvent,
  type StreamEvent,
} from '@svc/core';
import { type OutgoingRecord } from '@svc/core/storage';
import { AuditPolicy, MessageRegistry, wrap, type DeferredOutboxChannel, type UnitEventStore } from '@svc/core/testing';
import { beforeEach, expect, it } from 'vitest';
import { collect, OrderPaid, OrderPinged, OrderPlaced, PlaceOrder, shop, shopRegistry } from './shop.js';

const streamId = newId();
const position = 7;
const steps: string[] = [];
let queued: OutgoingRecord[];

beforeEach(() => {
  steps.length = 0;
  queued = [];
});

const inner: UnitEventStore = {
  append: (_streamId, envelope, options) => {
    steps.push(`append ${envelope.type} ${options?.expectedPosition}`);
    if (options?.expectedPosition === 99) throw new Error('conflict');
    options?.signal?.throwIfAborted();
  },
  async *readStream(_streamId, from): AsyncIterable<StreamEvent> {
    steps.push(`readStream ${JSON.stringify(from)}`);
    yield { streamId, position, envelope: wrap('shop.OrderPaid', new OrderPaid()) };
  },
  findEvent: () => Promise.resolve({ streamId, position, envelope: wrap('shop.OrderPaid', new OrderPaid()) }),
  async *readAll(after): AsyncIterable<StoredEvent> {
    steps.push(`readAll ${after}`);
    yield { streamId, position, sequence: 1, envelope: wrap('shop.OrderPaid', new OrderPaid()) };
  },
  lastPosition: () => Promise.resolve(position),
};
const outbox: DeferredOutboxChannel = {
  queue: (message) => {
    steps.push(`queue ${message.destination}`);
    queued.push(message);
  },
};
const decorator = (mode: AuditMode = AuditMode.OptOut): AuditingEventStoreDecorator => {
  const options = new SystemEventOptions().enableEventAudit();
  options.auditMode = mode;
  return new AuditingEventStoreDecorator(
    inner,
    outbox,
    new AuditPolicy(options, new MessageRegistry(shopRegistry().messages)),
  );
};

it('appends to the inner store first, then queues', () => {
  decorator().append(streamId, wrap('shop.OrderPlaced', new OrderPlaced()), { expectedPosition: 3 });
  expect(steps).toEqual(['append shop.OrderPlaced 3', 'queue svc.core.auditevents']);
});

it('queues an EventAudited envelope for the destination svc.core.auditevents, about the event', () => {
  const envelope = wrap('shop.OrderPaid', new OrderPaid(), { scope: { tenantId: 'acme' } });
  decorator().append(streamId, envelope);
  expect(queued).toEqual([
    {
      id: queued[0]!.id,
      lane: 'system',
      destination: 'svc.core.auditevents',
      message: null,
      note: JSON.stringify({ auditLevel: 1, auditReason: 'Money moved.' }),
      eventId: envelope.id,
    },
  ]);
});

it.each([
  [AuditMode.OptOut, ['OrderPlaced', 'OrderPaid']],
  [AuditMode.OptIn, ['OrderPaid']],
])('is subject to AuditMode and the exclusion attribute: %s', (mode, audited) => {
  const store = decorator(mode);
  const envelopes = [new OrderPlaced(), new OrderPaid(), new OrderPinged()].map((event) =>
    wrap(`shop.${event.constructor.name}`, event),
  );
  for (const envelope of envelopes) store.append(streamId, envelope);
  const types = queued.map(({ eventId }) => envelopes.find(({ id }) => id === eventId)?.payload.constructor.name);
  expect(types).toEqual(audited);
});

it('queues nothing when the inner store rejects the append', () => {
  const append = (): void =>
    decorator().append(streamId, wrap('shop.OrderPlaced', new OrderPlaced()), { expectedPosition: 99 });
  expect(append).toThrow('conflict');
  expect(queued).toEqual([]);
});

it('hands the signal of an append on to the inner store, and queues nothing when it has aborted', () => {
  const append = (): void =>
    decorator().append(streamId, wrap('shop.OrderPlaced', new OrderPlaced()), { signal: AbortSignal.abort() });
  expect(append).toThrow('abort');
  expect([steps, queued]).toEqual([['append shop.OrderPlaced undefined'], []]);
});

it('passes the other operations through', async () => {
  const store = decorator();
  expect(await collect(store.readStream(streamId, 5))).toHaveLength(1);
  expect(await collect(store.readAll(6))).toHaveLength(1);
  expect(await store.findEvent(newId())).toMatchObject({ position });
  expect(await store.lastPosition(streamId)).toBe(position);
  expect(steps).toEqual(['readStream 5', 'readAll 6']);
});

it('leaves no record when the position is not the expected one', async () => {
  const service = shop((command, context) => {
    context.append((command as PlaceOrder).orderId, new OrderPlaced(), { expectedPosition: 4 });
  })
    .addSystemEventAuditing()
    .start();
  await expect(service.dispatcher.invoke(new PlaceOrder())).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT' });
  await service.idle();
  expect(await collect(service.eventStore.readAll())).toEqual([]);
});
