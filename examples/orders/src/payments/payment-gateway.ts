export interface PaymentGateway {
  /** Charges the card and returns the payment's reference. A second call with the same key returns the first payment. */
  charge(key: string, cardToken: string, amount: string, signal: AbortSignal): Promise<string>;
}

export class PaymentGatewayUnavailableError extends Error {
  override readonly name = 'PaymentGatewayUnavailableError';
}

/** A stand-in for a bank: every card is valid, and the token `unavailable` simulates an unavailable bank. */
export class TrialPaymentGateway implements PaymentGateway {
  charge(key: string, cardToken: string): Promise<string> {
    if (cardToken === 'unavailable') {
      return Promise.reject(new PaymentGatewayUnavailableError('The payment gateway is unavailable.'));
    }
    return Promise.resolve(`payment-${key}`);
  }
}
