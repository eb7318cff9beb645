import {
  perspective,
  ScopeFilters,
  type AppliedEvent,
  type Decimal,
  type Int,
  type Personal,
  type Perspective,
  type Uuid,
} from '@svc/core';
import type { ShippingAddress } from './create-order.js';
import {
  DeliveryAddressChanged,
  OrderCancelled,
  OrderPaid,
  OrderPlaced,
  type OrderReturnedToSender,
} from './order-events.js';

/** An order as its customer sees it. */
export interface OrderSummary {
  orderId: Uuid;
  customerId: Uuid;
  customerName: (string & Personal<'customerId'>) | null;
  status: 'open' | 'paid' | 'cancelled' | 'returned';
  pieces: Int;
  paidAmount: Decimal | null;
  shippingAddress: (ShippingAddress & Personal<'customerId'>) | null;
  placedAt: Date;
  changedAt: Date;
}

type OrderEvent = OrderPlaced | DeliveryAddressChanged | OrderPaid | OrderCancelled | OrderReturnedToSender;

/** The current state of an order. */
@perspective({
  route: '/orders',
  graphQLQuery: 'order',
  graphQLListQuery: 'orders',
  requires: 'orders:read',
  scope: ScopeFilters.Tenant,
  indexed: ['status', 'customerId', 'placedAt', 'paidAmount'],
  version: 2,
})
export class OrderSummaryPerspective implements Perspective<OrderSummary, OrderEvent> {
  apply(order: OrderSummary | null, event: OrderEvent, { timestamp }: AppliedEvent): OrderSummary | null {
    if (event instanceof OrderPlaced) return placed(event, timestamp);
    return order === null ? null : { ...order, ...changeOf(event), changedAt: timestamp };
  }
}

function placed(event: OrderPlaced, placedAt: Date): OrderSummary {
  const { orderId, customerId, customerName, lineItems, shippingAddress } = event;
  const pieces = lineItems.reduce((sum, { quantity }) => sum + quantity, 0);
  const fixed = { orderId, customerId, customerName, pieces, shippingAddress, placedAt, changedAt: placedAt };
  return { ...fixed, status: 'open', paidAmount: null };
}

function changeOf(event: Exclude<OrderEvent, OrderPlaced>): Partial<OrderSummary> {
  if (event instanceof DeliveryAddressChanged) return { shippingAddress: event.shippingAddress };
  if (event instanceof OrderPaid) return { status: 'paid', paidAmount: event.amount };
  return { status: event instanceof OrderCancelled ? 'cancelled' : 'returned' };
}
