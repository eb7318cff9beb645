import type { Receptor, ReceptorContext } from '@svc/core';
import type { CancelOrder } from './cancel-order.js';
import { OrderCancelled } from './order-events.js';
import { loadOrder, requireOpen } from './order.js';

export class CancelOrderReceptor implements Receptor<CancelOrder> {
  async receive(command: CancelOrder, context: ReceptorContext): Promise<void> {
    const order = await loadOrder(context, command.orderId);
    requireOpen(order.state);
    order.append(new OrderCancelled(command.orderId, command.reason));
  }
}
