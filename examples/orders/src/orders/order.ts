import { CommandRejectedError, decimal, NotFoundError, type Decimal, type ReceptorContext, type Uuid } from '@svc/core';
import { OrderCancelled, OrderPaid, OrderPlaced, OrderReturnedToSender } from './order-events.js';

/** The state of an order that receptors need, from its events. */
export interface Order {
  readonly status: 'open' | 'paid' | 'cancelled' | 'returned';
  readonly paidAmount: Decimal;
  /** The position of its stream. Passed to `append`, it rejects concurrent changes. */
  readonly position: number;
}

export async function loadOrder(context: ReceptorContext, orderId: Uuid): Promise<Order> {
  let status: Order['status'] = 'open';
  let paidAmount = decimal('0');
  let position = -1;
  for await (const event of context.readStream(orderId)) {
    const { payload } = event.envelope;
    // Callers choose the id, which may belong to another stream that they can read in part.
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
  if (order.status !== 'open') throw new CommandRejectedError(`The order is already ${order.status}.`);
}
