import { CommandRejectedError, newId, type Receptor, type ReceptorContext } from '@svc/core';
import { OrderReturnedToSender } from './order-events.js';
import { loadOrder } from './order.js';
import type { OrderReturned, ReturnOrder } from './return-order.js';

export class ReturnOrderReceptor implements Receptor<ReturnOrder, OrderReturned> {
  async receive({ orderId, reason, refund }: ReturnOrder, context: ReceptorContext): Promise<OrderReturned> {
    const order = await loadOrder(context, orderId);
    if (order.status !== 'paid') throw new CommandRejectedError('Only an order that is paid can be returned.');
    context.append(orderId, new OrderReturnedToSender(orderId, reason, refund), { expectedPosition: order.position });
    return {
      refundReference: refund.method === 'voucher' ? `voucher-${newId()}` : null,
      refundedAmount: order.paidAmount,
      returnedAt: new Date(),
    };
  }
}
