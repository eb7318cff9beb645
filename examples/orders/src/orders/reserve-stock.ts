import type { Command, Int, Min, Uuid } from '@svc/core';

/** Reserves stock for an order. It has no endpoint: only other commands invoke it. */
export class ReserveStock implements Command {
  orderId!: Uuid;
  items!: { productId: string; quantity: Int & Min<1> }[];
}
