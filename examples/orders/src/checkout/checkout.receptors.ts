import type { Receptor, ReceptorContext } from '@svc/core';
import { OrderCancelled } from '../orders/order-events.js';
import { loadOrder } from '../orders/order.js';
import type { CancelUnpaidOrder, ReleaseStock, ShipOrder } from './checkout-commands.js';
import { OrderShipped, StockReleased } from './checkout-events.js';

export class ShipOrderReceptor implements Receptor<ShipOrder> {
  receive({ orderId }: ShipOrder, context: ReceptorContext): void {
    context.append(orderId, new OrderShipped(orderId));
  }
}

export class CancelUnpaidOrderReceptor implements Receptor<CancelUnpaidOrder> {
  async receive({ orderId }: CancelUnpaidOrder, context: ReceptorContext): Promise<void> {
    const order = await loadOrder(context, orderId);
    // The payment may have arrived right before the timeout.
    if (order.state.status === 'open') order.append(new OrderCancelled(orderId, 'Not paid in time.'));
  }
}

export class ReleaseStockReceptor implements Receptor<ReleaseStock> {
  receive({ orderId, items }: ReleaseStock, context: ReceptorContext): void {
    context.append(orderId, new StockReleased(orderId, items));
  }
}
