import { newId } from '@svc/core';

export interface PaymentGateway {
  /** Charges the card and returns the payment's reference. */
  charge(cardToken: string, amount: string, signal: AbortSignal): Promise<string>;
}

export class PaymentGatewayUnavailableError extends Error {
  override readonly name = 'PaymentGatewayUnavailableError';
}

/** A stand-in for a bank: every card is valid, and the token `unavailable` simulates an unavailable bank. */
export class TrialPaymentGateway implements PaymentGateway {
  charge(cardToken: string): Promise<string> {
    if (cardToken === 'unavailable') {
      return Promise.reject(new PaymentGatewayUnavailableError('The payment gateway is unavailable.'));
    }
    return Promise.resolve(`payment-${newId()}`);
  }
}
