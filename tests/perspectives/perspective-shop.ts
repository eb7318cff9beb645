/** Perspectives of the small shop, as the generator would describe them. */
import {
  createService,
  InMemoryStorage,
  newId,
  type AppliedEvent,
  type Perspective,
  type Service,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { type ReceivedMessage, type ReceiveMessages } from '@svc/core/transport';
import { receivedMessage, wrap, type PerspectiveDescriptor } from '@svc/core/testing';
import { onTestFinished } from 'vitest';
import { OrderPaid, OrderPlaced, PlaceOrder, shopRegistry } from '../system-events/shop.js';

export function described<TModel extends object>(
  perspective: new () => Perspective<TModel, never>,
  events: PerspectiveDescriptor<object>['events'],
): PerspectiveDescriptor<object> {
  return {
    name: perspective.name,
    class: perspective,
    events,
    readModel: (value) => value as object,
    writeModel: JSON.stringify,
    create: () => new perspective(),
  };
}

/** What hands messages of another host over to a service. */
const receivers = new WeakMap<Service, ReceiveMessages>();

/** Not started yet. Stopped when the test has ended. */
export function shopWith(
  perspectives: readonly PerspectiveDescriptor<object>[],
  storage: Storage = new InMemoryStorage(),
): Service {
  const service = createService({ ...shopRegistry(), perspectives })
    .useStorage(storage)
    .useTransport({
      canProve: () => true,
      publish: () => Promise.resolve(),
      subscribe: (_interest, receiver) => {
        receivers.set(service, receiver);
        return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
      },
    })
    .acceptEvents({ from: 'elsewhere', namespaces: ['shop'] })
    .addSystemEventAuditing((options) => options.enableAll())
    .addServicePerspectives()
    .reportTo(() => {});
  onTestFinished(() => service.stop());
  return service;
}

export async function place(service: Service, note: string, orderId: Uuid = newId()): Promise<Uuid> {
  await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId, note }));
  return orderId;
}

/** What the models of these perspectives are: the ids of their events, in the order they were applied. */
export interface Trace {
  ids: string[];
}

/** One trace for each order. */
export class OrderTrace implements Perspective<Trace, OrderPlaced | OrderPaid> {
  apply(model: Trace | null, event: OrderPlaced | OrderPaid, { id }: AppliedEvent): Trace | null {
    if (event instanceof OrderPlaced && event.note.startsWith('remove')) return null;
    return { ids: [...(model?.ids ?? []), id] };
  }
}

/** One trace for all orders with the same note. */
export class NoteTrace implements Perspective<Trace, OrderPlaced> {
  keyOf({ note }: OrderPlaced): string | null {
    return note === '' ? null : note;
  }

  apply(model: Trace | null, _event: OrderPlaced, { id }: AppliedEvent): Trace {
    return { ids: [...(model?.ids ?? []), id] };
  }
}

export const traces = [described(OrderTrace, [OrderPlaced, OrderPaid]), described(NoteTrace, [OrderPlaced])];

/** Appends an event; with an id of one's own choice as one of another database, which keeps its id and may come late. */
export async function append(service: Service, streamId: Uuid, note: string, chosen?: Uuid): Promise<Uuid> {
  if (chosen !== undefined) {
    await receive(service, [[streamId, chosen]], { body: JSON.stringify({ note }) });
    return chosen;
  }
  const envelope = wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note }), { streamId });
  await service.eventStore.append(streamId, envelope);
  return envelope.id;
}

/** Receives many at once, which keeps their order in each stream. */
export async function appendAll(
  service: Service,
  events: Iterable<readonly [streamId: Uuid, id: Uuid]>,
): Promise<void> {
  await receive(service, [...events], { body: '{"note":"x"}' });
}

/** Receives events of another database, all with the same fields. */
export async function receive(
  service: Service,
  events: readonly (readonly [streamId: Uuid, id: Uuid])[],
  fields: Pick<ReceivedMessage, 'body'> & Partial<Pick<ReceivedMessage, 'scope'>>,
): Promise<void> {
  await service.ready();
  const common = { type: 'shop.OrderPlaced', destination: 'shop', origin: 'elsewhere', ...fields };
  await receivers.get(service)!(events.map(([streamId, id]) => receivedMessage({ ...common, streamId, id })));
}

export function ids(count: number): Uuid[] {
  return Array.from({ length: count }, () => newId());
}
