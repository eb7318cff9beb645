import { perspective, ScopeFilters, type AppliedEvent, type Int, type Perspective, type Uuid } from '@svc/core';
import type { OrderPlaced } from './order-events.js';

export interface CustomerOverview {
  customerId: Uuid;
  orders: Int;
  /** How many pieces of each product were ordered, in the order of their first time. */
  products: { productId: string; pieces: Int }[];
  lastOrderAt: Date;
}

/** What is known of a customer, over all their orders. */
@perspective({
  route: '/customers',
  graphQLQuery: 'customer',
  graphQLListQuery: 'customers',
  requires: 'customers:read',
  scope: ScopeFilters.Tenant,
})
export class CustomerOverviewPerspective implements Perspective<CustomerOverview, OrderPlaced> {
  keyOf({ customerId }: OrderPlaced): string {
    return customerId;
  }

  apply(before: CustomerOverview | null, event: OrderPlaced, { timestamp }: AppliedEvent): CustomerOverview {
    const pieces = new Map(before?.products.map((product) => [product.productId, product.pieces]));
    for (const { productId, quantity } of event.lineItems) {
      pieces.set(productId, (pieces.get(productId) ?? 0) + quantity);
    }
    return {
      customerId: event.customerId,
      orders: (before?.orders ?? 0) + 1,
      products: [...pieces].map(([productId, count]) => ({ productId, pieces: count })),
      lastOrderAt: timestamp,
    };
  }
}
