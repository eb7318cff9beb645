import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type MinLength, type Uuid } from '@svc/core';

/** Cancels an order that is not paid yet. */
@commandEndpoint<CancelOrder, void>({
  restRoute: '/orders/cancel',
  graphQLMutation: 'cancelOrder',
  requires: 'orders:write',
  scope: ScopeFilters.Tenant,
})
export class CancelOrder implements Command {
  orderId!: Uuid;
  reason!: string & MinLength<1> & MaxLength<500>;
}
