import type { Command, Int, Min, Uuid } from '@svc/core';

/** Hands a paid order over to the carrier. Only the checkout invokes it. */
export class ShipOrder implements Command {
  orderId!: Uuid;
}

/** Cancels an order if it is still not paid: the timeout of the checkout. */
export class CancelUnpaidOrder implements Command {
  orderId!: Uuid;
}

/** Returns the reserved stock of a cancelled order. Only the checkout invokes it. */
export class ReleaseStock implements Command {
  orderId!: Uuid;
  items!: { productId: string; quantity: Int & Min<1> }[];
}
