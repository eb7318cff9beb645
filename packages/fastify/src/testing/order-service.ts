/** A small service for the tests of this package: one command, written by hand as the generator would write it. */
import {
  commandEndpoint,
  createService,
  messageOf,
  newId,
  RestMutationEndpointBase,
  type ReceptorContext,
  type Service,
  type ServiceRegistry,
} from '@svc/core';
import { writeJson } from '@svc/core/json';
import { orderOpenApi } from './order-openapi.js';
import { CreateOrder, OrderPlaced, readCreateOrder, writeOrderCreated, type OrderCreated } from './order-messages.js';

commandEndpoint<CreateOrder, OrderCreated>({ restRoute: '/orders' })(CreateOrder);

export type Receive = (command: CreateOrder, context: ReceptorContext) => OrderCreated | Promise<OrderCreated>;

/** A service with `POST /orders`, handled by `receive`. */
export function orderService(receive: Receive = placeOrder): Service {
  const receptors = [{ name: 'OrderReceptor', command: CreateOrder, create: () => ({ receive }) }];
  return createService({ ...orderRegistry, receptors });
}

export const orderRegistry: ServiceRegistry<object> = {
  messages: [
    { type: 'orders.CreateOrder', kind: 'command', class: CreateOrder, read: readCreateOrder, write: writeJson },
    { type: 'orders.OrderPlaced', kind: 'event', class: OrderPlaced, read: () => new OrderPlaced(), write: writeJson },
  ],
  receptors: [],
  endpoints: [
    {
      name: 'CreateOrderEndpoint',
      command: CreateOrder,
      restRoute: '/orders',
      graphQLMutation: null,
      readRequest: readCreateOrder,
      writeResult: writeOrderCreated,
      create: (host) => new CreateOrderEndpoint(host.dispatcher),
    },
  ],
  openapi: orderOpenApi,
};

class CreateOrderEndpoint extends RestMutationEndpointBase<CreateOrder, OrderCreated> {
  readonly restRoute = '/orders';
}

function placeOrder(command: CreateOrder, context: ReceptorContext): OrderCreated {
  const orderId = newId();
  context.append(orderId, messageOf(OrderPlaced, { customerId: command.customerId }));
  return { orderId, total: command.lineItems.map((item) => item.unitPrice).join('+') };
}

/** A body that `POST /orders` accepts; `changes` replaces some of it. */
export function orderBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customerId: '0192d3c5-7a6b-7c8d-9e0f-123456789abc',
    lineItems: [
      { productId: 'book', quantity: 1, unitPrice: '12.50' },
      { productId: 'pen', quantity: 10, unitPrice: '0.99' },
      { productId: 'lamp', quantity: 2, unitPrice: '49.00' },
    ],
    shippingAddress: { street: '1 Main Street', city: 'Springfield', state: 'IL', zipCode: '62701' },
    ...changes,
  };
}
