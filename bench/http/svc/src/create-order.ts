import { commandEndpoint, type Command, type Decimal, type Int, type Min, type Uuid } from '@svc/core';

/** Places an order. */
@commandEndpoint<CreateOrder, OrderCreated>({ restRoute: '/orders', graphQLMutation: 'createOrder' })
export class CreateOrder implements Command {
  customerId!: Uuid;
  lineItems!: LineItem[];
  shippingAddress!: ShippingAddress;
}

export interface LineItem {
  productId: string;
  quantity: Int & Min<1>;
  unitPrice: Decimal;
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
