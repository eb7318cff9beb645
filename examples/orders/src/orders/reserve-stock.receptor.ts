import { CommandRejectedError, type Receptor, type ReceptorContext } from '@svc/core';
import { StockReserved } from './order-events.js';
import type { ReserveStock } from './reserve-stock.js';
import type { Warehouse } from './warehouse.js';

export class ReserveStockReceptor implements Receptor<ReserveStock> {
  readonly #warehouse: Warehouse;

  constructor(warehouse: Warehouse) {
    this.#warehouse = warehouse;
  }

  receive(command: ReserveStock, context: ReceptorContext): void {
    const missing = command.items.filter(({ productId, quantity }) => !this.#warehouse.has(productId, quantity));
    if (missing.length > 0) {
      const products = missing.map(({ productId }) => productId).join(', ');
      throw new CommandRejectedError(`Not in stock: ${products}.`);
    }
    context.append(command.orderId, new StockReserved(command.orderId, command.items));
  }
}
