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

/** Returns a paid order. Available over GraphQL only. */
@commandEndpoint<ReturnOrder, OrderReturned>({
  graphQLMutation: 'returnOrder',
  requires: 'payments:write',
  scope: ScopeFilters.Tenant,
})
export class ReturnOrder implements Command {
  orderId!: Uuid;
  reason!: ReturnReason;
  refund!: Refund;
  comment?: string & MaxLength<500>;
}

export type ReturnReason = 'broken' | 'late' | 'unwanted';

/** How the customer is refunded. */
export type Refund = RefundToCard | RefundAsVoucher;

export interface RefundToCard {
  method: 'card';
}

export interface RefundAsVoucher {
  method: 'voucher';
  // The command does not name the customer, so only the event stores it, encrypted.
  /** The name on the voucher. */
  name: string & MinLength<1> & MaxLength<100> & Secret;
}

export interface OrderReturned {
  /** Null until the bank has confirmed the refund. */
  refundReference: string | null;
  refundedAmount: Decimal;
  returnedAt: Date;
}
