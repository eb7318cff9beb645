import { messageOf, process, type Duration, type Process, type ProcessContext } from '@svc/core';
import { OrderCancelled, OrderPaid, StockReserved } from '../orders/order-events.js';
import { CancelUnpaidOrder, ReleaseStock, ShipOrder } from './checkout-commands.js';
import { PaymentRequested, type OrderShipped } from './checkout-events.js';

type CheckoutEvent = StockReserved | OrderPaid | OrderCancelled | OrderShipped;

export interface CheckoutState {
  readonly reserved: StockReserved['items'];
}

/** Requests the payment of an order whose stock is reserved, then ships it. An order that is not paid in time is cancelled. */
@process({ from: 'now' })
export class Checkout implements Process<CheckoutState, CheckoutEvent> {
  readonly #payWithin: Duration;

  constructor(payWithin: Duration) {
    this.#payWithin = payWithin;
  }

  initial(): CheckoutState {
    return { reserved: [] };
  }

  keyOf({ orderId }: CheckoutEvent): string {
    return orderId;
  }

  evolve(state: CheckoutState, event: CheckoutEvent): CheckoutState {
    return event instanceof StockReserved ? { reserved: event.items } : state;
  }

  async react(event: CheckoutEvent, context: ProcessContext<CheckoutState>): Promise<void> {
    const { orderId } = event;
    if (event instanceof StockReserved) {
      context.append(orderId, new PaymentRequested(orderId));
      context.timeout('payment', messageOf(CancelUnpaidOrder, { orderId }), { after: this.#payWithin });
    } else if (event instanceof OrderPaid) {
      context.cancelTimeout('payment');
      await context.invoke(messageOf(ShipOrder, { orderId }));
    } else {
      if (event instanceof OrderCancelled) {
        await context.invoke(messageOf(ReleaseStock, { orderId, items: [...context.state.reserved] }));
      }
      context.complete();
    }
  }
}
