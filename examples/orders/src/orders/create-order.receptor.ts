import { messageOf, newId, type Receptor, type ReceptorContext } from '@svc/core';
import type { CreateOrder, OrderCreated } from './create-order.js';
import { OrderPlaced } from './order-events.js';
import { ReserveStock } from './reserve-stock.js';

export class CreateOrderReceptor implements Receptor<CreateOrder, OrderCreated> {
  async receive(command: CreateOrder, context: ReceptorContext): Promise<OrderCreated> {
    const orderId = newId();
    const { customerId, customerName = null, lineItems, shippingAddress } = command;
    const placed = new OrderPlaced(orderId, customerId, lineItems, shippingAddress, customerName);
    context.append(orderId, placed, { expectedPosition: -1 });
    // Part of the same unit of work: without stock no order is placed.
    const items = lineItems.map(({ productId, quantity }) => ({ productId, quantity }));
    await context.invoke(messageOf(ReserveStock, { orderId, items }));
    return { orderId };
  }
}
