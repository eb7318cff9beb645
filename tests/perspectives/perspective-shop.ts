/** Perspectives of the small shop, as the generator would describe them. */
import {
  createService,
  InMemoryStorage,
  newId,
  type Perspective,
  type PerspectiveDescriptor,
  type Service,
  type Storage,
  type Uuid,
} from '@svc/core';
import { PlaceOrder, shopRegistry } from '../system-events/shop.js';

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

/** Not started yet. */
export function shopWith(
  perspectives: readonly PerspectiveDescriptor<object>[],
  storage: Storage = new InMemoryStorage(),
): Service {
  return createService({ ...shopRegistry(), perspectives })
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAll())
    .addServicePerspectives();
}

export async function place(service: Service, note: string, orderId: Uuid = newId()): Promise<Uuid> {
  await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId, note }));
  return orderId;
}
