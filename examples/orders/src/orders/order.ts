import { CommandRejectedError, NotFoundError, type ReceptorContext, type Uuid } from '@svc/core';
import { OrderCancelled, OrderPaid } from './order-events.js';

/** What the receptors need to know of an order, from its events. */
export interface Order {
  readonly status: 'open' | 'paid' | 'cancelled';
  /** Where its stream stands: handing it to `append` makes sure that nobody else was faster. */
  readonly position: number;
}

export async function loadOrder(context: ReceptorContext, orderId: Uuid): Promise<Order> {
  let status: Order['status'] = 'open';
  let position = -1;
  for await (const event of context.readStream(orderId)) {
    position = event.position;
    if (event.envelope.payload instanceof OrderPaid) status = 'paid';
    if (event.envelope.payload instanceof OrderCancelled) status = 'cancelled';
  }
  if (position === -1) throw new NotFoundError(`There is no order ${orderId}.`);
  return { status, position };
}

export function requireOpen(order: Order): void {
  if (order.status !== 'open') throw new CommandRejectedError(`The order is ${order.status} already.`);
}
