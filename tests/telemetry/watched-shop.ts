/** The small shop with an endpoint and a perspective, watched. */
import { createService, InMemoryStorage, MutationEndpointBase, type Service } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { described, OrderTrace } from '../perspectives/perspective-shop.js';
import { OrderPaid, OrderPlaced, PlaceOrder, shopRegistry, type Receive } from '../system-events/shop.js';

class PlaceOrderEndpoint extends MutationEndpointBase<PlaceOrder, unknown> {}

/** Not started, and not watched yet. */
export function shopWithEndpoint(handle?: Receive, storage: Storage = new InMemoryStorage()): Service {
  return createService({
    ...shopRegistry(handle),
    endpoints: [
      {
        name: 'PlaceOrderEndpoint',
        command: PlaceOrder,
        restRoute: '/place-order',
        graphQLMutation: null,
        readRequest: (value) => Object.assign(new PlaceOrder(), value),
        writeResult: JSON.stringify,
        create: ({ dispatcher }) => new PlaceOrderEndpoint(dispatcher),
      },
    ],
    perspectives: [described(OrderTrace, [OrderPlaced, OrderPaid])],
  })
    .addService()
    .useStorage(storage)
    .addServicePerspectives();
}

/** Serves a request as a transport would. */
export async function placeOrder(service: Service, note = ''): Promise<unknown> {
  const [endpoint] = service.endpoints;
  return await endpoint!.endpoint.handle(Object.assign(new PlaceOrder(), { note }), new AbortController().signal);
}
