import { CommandRejectedError, newId, type Receptor, type ReceptorContext } from '@svc/core';
import type { FeatureFlags } from '@svc/flags';
import { OrderReturnedToSender } from './order-events.js';
import { loadOrder } from './order.js';
import type { OrderReturned, Refund, ReturnOrder } from './return-order.js';

export class ReturnOrderReceptor implements Receptor<ReturnOrder, OrderReturned> {
  readonly #flags: FeatureFlags;

  constructor(flags: FeatureFlags) {
    this.#flags = flags;
  }

  async receive({ orderId, reason, refund }: ReturnOrder, context: ReceptorContext): Promise<OrderReturned> {
    const order = await loadOrder(context, orderId);
    if (order.state.status !== 'paid') throw new CommandRejectedError('Only a paid order can be returned.');
    const refundReference = await this.#referenceFor(refund, context);
    const { customerId, paidAmount } = order.state;
    const nameOnVoucher: string | null = refund.method === 'voucher' ? refund.name : null;
    order.append(new OrderReturnedToSender(orderId, customerId, reason, refund.method, nameOnVoucher));
    return { refundReference, refundedAmount: paidAmount, returnedAt: new Date() };
  }

  /** References for refunds to a card are a new feature, behind a flag. */
  async #referenceFor({ method }: Refund, context: ReceptorContext): Promise<string | null> {
    if (method === 'voucher') return `voucher-${newId()}`;
    return (await this.#flags.isOn('card-refund-references', context)) ? `refund-${newId()}` : null;
  }
}
