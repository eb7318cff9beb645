import {
  commandEndpoint,
  ScopeFilters,
  type Command,
  type Decimal,
  type MaxLength,
  type MinLength,
  type Uuid,
} from '@svc/core';

/** Sends a paid order back. It is reached over GraphQL alone. */
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

/** How the customer wants the money back. */
export type Refund = RefundToCard | RefundAsVoucher;

export interface RefundToCard {
  method: 'card';
}

export interface RefundAsVoucher {
  method: 'voucher';
  /** Who the voucher is made out to. */
  name: string & MinLength<1> & MaxLength<100>;
}

export interface OrderReturned {
  /** Null while the refund waits for the bank. */
  refundReference: string | null;
  refundedAmount: Decimal;
  returnedAt: Date;
}
