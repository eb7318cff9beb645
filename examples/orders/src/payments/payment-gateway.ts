import { newId } from '@svc/core';

export interface PaymentGateway {
  /** Moves the money and answers with the payment's reference. */
  charge(cardToken: string, amount: string, signal: AbortSignal): Promise<string>;
}

export class PaymentGatewayUnavailableError extends Error {
  override readonly name = 'PaymentGatewayUnavailableError';
}

/** Stands in for a bank: every card is good, and the token `unavailable` behaves as a bank that cannot be reached. */
export class TrialPaymentGateway implements PaymentGateway {
  charge(cardToken: string): Promise<string> {
    if (cardToken === 'unavailable') {
      return Promise.reject(new PaymentGatewayUnavailableError('The payment gateway cannot be reached.'));
    }
    return Promise.resolve(`payment-${newId()}`);
  }
}
