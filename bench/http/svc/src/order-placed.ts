import type { Event, Uuid } from '@svc/core';
import type { LineItem, ShippingAddress } from './create-order.js';

export class OrderPlaced implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly customerId: Uuid,
    readonly lineItems: readonly LineItem[],
    readonly shippingAddress: ShippingAddress,
  ) {}
}
