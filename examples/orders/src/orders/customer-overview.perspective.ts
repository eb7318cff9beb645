import {
  perspective,
  ScopeFilters,
  type AppliedEvent,
  type Int,
  type Personal,
  type Perspective,
  type Uuid,
} from '@svc/core';
import type { OrderPlaced } from './order-events.js';

export interface CustomerOverview {
  customerId: Uuid;
  /** The name in the last order that has one. */
  name: (string & Personal<'customerId'>) | null;
  orders: Int;
  /** Pieces ordered per product, in the order in which the products were first ordered. */
  products: { productId: string; pieces: Int }[];
  lastOrderAt: Date;
}

/** A summary of a customer's orders. */
@perspective({
  route: '/customers',
  graphQLQuery: 'customer',
  graphQLListQuery: 'customers',
  requires: 'customers:read',
  scope: ScopeFilters.Tenant,
  version: 2,
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
      name: event.customerName ?? before?.name ?? null,
      orders: (before?.orders ?? 0) + 1,
      products: [...pieces].map(([productId, count]) => ({ productId, pieces: count })),
      lastOrderAt: timestamp,
    };
  }
}
