import { CommandRejectedError, decimal, NotFoundError, type Decimal, type ReceptorContext, type Uuid } from '@svc/core';
import { OrderCancelled, OrderPaid, OrderPlaced, OrderReturnedToSender } from './order-events.js';

/** What the receptors need to know of an order, from its events. */
export interface Order {
  readonly status: 'open' | 'paid' | 'cancelled' | 'returned';
  readonly paidAmount: Decimal;
  /** Where its stream stands: handing it to `append` makes sure that nobody else was faster. */
  readonly position: number;
}

export async function loadOrder(context: ReceptorContext, orderId: Uuid): Promise<Order> {
  let status: Order['status'] = 'open';
  let paidAmount = decimal('0');
  let position = -1;
  for await (const event of context.readStream(orderId)) {
    const { payload } = event.envelope;
    // Callers choose the id: it may be that of another stream, of which they may see a part.
    if (position === -1 && !(payload instanceof OrderPlaced)) break;
    position = event.position;
    if (payload instanceof OrderPaid) {
      status = 'paid';
      paidAmount = payload.amount;
    }
    if (payload instanceof OrderCancelled) status = 'cancelled';
    if (payload instanceof OrderReturnedToSender) status = 'returned';
  }
  if (position === -1) throw new NotFoundError(`There is no order ${orderId}.`);
  return { status, paidAmount, position };
}

export function requireOpen(order: Order): void {
  if (order.status !== 'open') throw new CommandRejectedError(`The order is ${order.status} already.`);
}
