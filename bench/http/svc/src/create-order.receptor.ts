import { newId, type Receptor, type ReceptorContext } from '@svc/core';
import type { CreateOrder, OrderCreated } from './create-order.js';
import { OrderPlaced } from './order-placed.js';

export class CreateOrderReceptor implements Receptor<CreateOrder, OrderCreated> {
  receive({ customerId, lineItems, shippingAddress }: CreateOrder, context: ReceptorContext): OrderCreated {
    const orderId = newId();
    context.append(orderId, new OrderPlaced(orderId, customerId, lineItems, shippingAddress), { expectedPosition: -1 });
    return { orderId };
  }
}
