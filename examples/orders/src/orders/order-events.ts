import { auditEvent, AuditLevel, type Decimal, type Event, type Uuid } from '@svc/core';
import type { LineItem, ShippingAddress } from './create-order.js';
import type { Refund, ReturnReason } from './return-order.js';

export class OrderPlaced implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly customerId: Uuid,
    readonly lineItems: readonly LineItem[],
    readonly shippingAddress: ShippingAddress,
  ) {}
}

export class StockReserved implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly items: readonly { productId: string; quantity: number }[],
  ) {}
}

export class DeliveryAddressChanged implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly shippingAddress: ShippingAddress,
  ) {}
}

export class OrderPaid implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly amount: Decimal,
    readonly paymentReference: string,
  ) {}
}

@auditEvent({ reason: 'Cancellations are looked into when customers complain.', level: AuditLevel.Warning })
export class OrderCancelled implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly reason: string,
  ) {}
}

export class OrderReturnedToSender implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly reason: ReturnReason,
    readonly refund: Refund,
  ) {}
}
