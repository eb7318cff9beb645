import type { Receptor, ReceptorContext } from '@svc/core';
import { OrderPaid } from '../orders/order-events.js';
import { loadOrder, requireOpen } from '../orders/order.js';
import type { PaymentResult, PayOrder } from './pay-order.js';
import type { PaymentGateway } from './payment-gateway.js';

export class PayOrderReceptor implements Receptor<PayOrder, PaymentResult> {
  readonly #payments: PaymentGateway;

  constructor(payments: PaymentGateway) {
    this.#payments = payments;
  }

  async receive(command: PayOrder, context: ReceptorContext): Promise<PaymentResult> {
    const { orderId, amount, cardToken } = command;
    const order = await loadOrder(context, orderId);
    requireOpen(order);
    const paymentReference = await this.#payments.charge(cardToken, amount, context.signal);
    context.append(orderId, new OrderPaid(orderId, amount, paymentReference), { expectedPosition: order.position });
    return { status: 'paid', paymentReference };
  }
}
