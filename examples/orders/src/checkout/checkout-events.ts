import type { Event, Uuid } from '@svc/core';

export class PaymentRequested implements Event {
  constructor(readonly orderId: Uuid) {}
}

export class OrderShipped implements Event {
  constructor(readonly orderId: Uuid) {}
}

export class StockReleased implements Event {
  constructor(
    readonly orderId: Uuid,
    readonly items: readonly { productId: string; quantity: number }[],
  ) {}
}
