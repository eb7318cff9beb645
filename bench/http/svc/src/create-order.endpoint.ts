import { CommandRejectedError } from '@svc/core';
import type { CreateOrder } from './create-order.js';
import * as generated from './generated/create-order.endpoint.js';

/** Typical hooks, so that their cost is measured too. */
export class CreateOrderEndpoint extends generated.CreateOrderEndpoint {
  #placed = 0;

  protected override onBeforeExecute(command: CreateOrder): void {
    if (command.lineItems.length > 100) throw new CommandRejectedError('An order has at most 100 line items.');
  }

  protected override onAfterExecute(): void {
    this.#placed++;
  }

  get placed(): number {
    return this.#placed;
  }
}
