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
    requireOpen(order.state);
    // The receptor runs again if the order changes on another host: the id of the command is the same each time.
    const paymentReference = await this.#payments.charge(context.envelope.id, cardToken, amount, context.signal);
    order.append(new OrderPaid(orderId, amount, paymentReference));
    return { status: 'paid', paymentReference };
  }
}
