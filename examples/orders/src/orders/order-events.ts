import { auditEvent, AuditLevel, eventVersion, type Decimal, type Event, type Personal, type Uuid } from '@svc/core';
import type { LineItem, ShippingAddress } from './create-order.js';
import type { Refund, ReturnReason } from './return-order.js';

/** Events of version 1 do not name their customer. Their address and name are not encrypted. */
export const unknownCustomer = '00000000-0000-0000-0000-000000000000' as Uuid;

/** Since version 2, personal data are encrypted: a program that reads version 1 only must not read it. */
@eventVersion(2, { 1: (body) => body })
export class OrderPlaced implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly customerId: Uuid,
    readonly lineItems: readonly LineItem[],
    readonly shippingAddress: (ShippingAddress & Personal<'customerId'>) | null,
    readonly customerName: (string & Personal<'customerId'>) | null = null,
  ) {}
}

export class StockReserved implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly items: readonly { productId: string; quantity: number }[],
  ) {}
}

@eventVersion(2, { 1: (body) => ({ ...body, customerId: unknownCustomer }) })
export class DeliveryAddressChanged implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly customerId: Uuid,
    readonly shippingAddress: (ShippingAddress & Personal<'customerId'>) | null,
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

@eventVersion(2, {
  1: ({ refund, ...body }) => {
    const { method, name = null } = refund as { method: Refund['method']; name?: string };
    return { ...body, customerId: unknownCustomer, refundMethod: method, nameOnVoucher: name };
  },
})
export class OrderReturnedToSender implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly customerId: Uuid,
    readonly reason: ReturnReason,
    readonly refundMethod: Refund['method'],
    readonly nameOnVoucher: (string & Personal<'customerId'>) | null,
  ) {}
}
