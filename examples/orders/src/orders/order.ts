import {
  CommandRejectedError,
  decimal,
  NotFoundError,
  type Decider,
  type Decimal,
  type LoadedStream,
  type ReceptorContext,
  type Uuid,
} from '@svc/core';
import { OrderCancelled, OrderPaid, OrderPlaced, OrderReturnedToSender, unknownCustomer } from './order-events.js';

/** The state of an order that receptors need. */
export interface OrderState {
  readonly customerId: Uuid;
  readonly status: 'open' | 'paid' | 'cancelled' | 'returned';
  readonly paidAmount: Decimal;
}

type OrderEvent = OrderPlaced | OrderPaid | OrderCancelled | OrderReturnedToSender;

export class Order implements Decider<OrderState, OrderEvent> {
  initial(): OrderState {
    return { customerId: unknownCustomer, status: 'open', paidAmount: decimal('0') };
  }

  evolve(state: OrderState, event: OrderEvent): OrderState {
    if (event instanceof OrderPlaced) return { ...this.initial(), customerId: event.customerId };
    if (event instanceof OrderPaid) return { ...state, status: 'paid', paidAmount: event.amount };
    if (event instanceof OrderCancelled) return { ...state, status: 'cancelled' };
    if (event instanceof OrderReturnedToSender) return { ...state, status: 'returned' };
    return state;
  }
}

/** Callers choose the id, which may belong to a stream of something else: then the order does not exist. */
export async function loadOrder(
  context: ReceptorContext,
  orderId: Uuid,
): Promise<LoadedStream<OrderState, OrderEvent>> {
  const order = await context.load(Order, orderId);
  if (!order.exists) throw new NotFoundError(`There is no order ${orderId}.`);
  return order;
}

export function requireOpen({ status }: OrderState): void {
  if (status !== 'open')
    throw new CommandRejectedError(`The order is already ${status}.`, { reason: 'order-not-open' });
}
