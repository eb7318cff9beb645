import {
  commandEndpoint,
  ScopeFilters,
  type Command,
  type Decimal,
  type Int,
  type Max,
  type MaxItems,
  type MaxLength,
  type Min,
  type MinItems,
  type MinLength,
  type Personal,
  type Uuid,
} from '@svc/core';

/** Places an order. */
@commandEndpoint<CreateOrder, OrderCreated>({
  restRoute: '/orders',
  graphQLMutation: 'createOrder',
  requires: 'orders:write',
  scope: ScopeFilters.Tenant,
})
export class CreateOrder implements Command {
  /** The customer who orders. */
  customerId!: Uuid;
  /** The name of the customer. */
  customerName?: string & MinLength<1> & MaxLength<200> & Personal<'customerId'>;
  /** The ordered items, at least one. */
  lineItems!: LineItem[] & MinItems<1> & MaxItems<1000>;
  shippingAddress!: ShippingAddress & Personal<'customerId'>;
  /** A note for packing. */
  note?: string & MaxLength<500> & Personal<'customerId'>;
}

export interface LineItem {
  productId: string & MinLength<1> & MaxLength<100>;
  quantity: Int & Min<1> & Max<1_000_000>;
  /** The price of one piece. */
  unitPrice: Decimal & Min<0>;
}

export interface ShippingAddress {
  street: string;
  city: string;
  state: string;
  zipCode: string;
}

export interface OrderCreated {
  orderId: Uuid;
}
