import {
  commandEndpoint,
  ScopeFilters,
  type Command,
  type Decimal,
  type MaxLength,
  type MinLength,
  type Secret,
  type Uuid,
} from '@svc/core';

/** Pays an order by card. */
@commandEndpoint<PayOrder, PaymentResult>({
  restRoute: '/orders/pay',
  graphQLMutation: 'payOrder',
  requires: 'payments:write',
  scope: ScopeFilters.Tenant,
})
export class PayOrder implements Command {
  orderId!: Uuid;
  amount!: Decimal;
  /** The token from the card form. */
  cardToken!: string & MinLength<1> & MaxLength<200> & Secret;
}

/** The money has moved, or will be collected later. */
export type PaymentResult = PaymentDone | PaymentPending;

export interface PaymentDone {
  status: 'paid';
  paymentReference: string;
}

export interface PaymentPending {
  status: 'pending';
  message: string;
}
