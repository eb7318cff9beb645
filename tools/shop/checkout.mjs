/** The process of an order, for the services of simulations and torture runs: a paid order is shipped, an unpaid one is cancelled in time. */
import { process } from '@svc/core';

/** The process over the events and commands of a service. `of` creates a message with its properties. */
export function checkoutProcess({
  OrderPlaced,
  OrderPaid,
  OrderShipped,
  OrderCancelled,
  ShipOrder,
  CancelUnpaidOrder,
  of,
}) {
  class Checkout {
    initial() {
      return { isPlaced: false, isPaid: false };
    }
    keyOf({ orderId }) {
      return orderId;
    }
    evolve(state, event) {
      if (event instanceof OrderPlaced) return { ...state, isPlaced: true };
      return event instanceof OrderPaid ? { ...state, isPaid: true } : state;
    }
    async react(event, context) {
      const { orderId } = event;
      if (event instanceof OrderShipped || event instanceof OrderCancelled) return context.complete();
      if (context.state.isPlaced && context.state.isPaid) {
        context.cancelTimeout('payment');
        await context.invoke(of(ShipOrder, { orderId }));
      } else if (context.state.isPlaced) {
        context.timeout('payment', of(CancelUnpaidOrder, { orderId }), { after: { milliseconds: event.payWithinMs } });
      }
    }
  }
  process({ from: 'beginning' })(Checkout);
  return Checkout;
}
