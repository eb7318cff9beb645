import { ValidationError, type Dispatcher, type MutationContext } from '@svc/core';
import * as generated from './generated/pay-order.endpoint.js';
import type { Notifier } from './notifier.js';
import type { PaymentResult, PayOrder } from './pay-order.js';
import { PaymentGatewayUnavailableError } from './payment-gateway.js';

/** Validates the amount before, notifies after, and returns "pending" while the payment gateway is unavailable. */
export class PayOrderEndpoint extends generated.PayOrderEndpoint {
  readonly #notifier: Notifier;

  constructor(dispatcher: Dispatcher, notifier: Notifier) {
    super(dispatcher);
    this.#notifier = notifier;
  }

  protected override onBeforeExecute(command: PayOrder, context: MutationContext): void {
    if (!/[1-9]/.test(command.amount) || command.amount.startsWith('-')) {
      throw new ValidationError([{ pointer: '/amount', detail: 'must be more than 0' }]);
    }
    context.items.set('startedAt', Date.now());
  }

  protected override async onAfterExecute(
    command: PayOrder,
    _result: PaymentResult,
    context: MutationContext,
  ): Promise<void> {
    const took = Date.now() - Number(context.items.get('startedAt'));
    await this.#notifier.notify(`Order ${command.orderId} was paid in ${took} ms.`);
  }

  protected override onError(_command: PayOrder, error: unknown): PaymentResult | null {
    if (!(error instanceof PaymentGatewayUnavailableError)) return null;
    return { status: 'pending', message: 'The payment will be collected when the bank is available again.' };
  }
}
