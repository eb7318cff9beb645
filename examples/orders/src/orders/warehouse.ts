/** Reports what is in stock. */
export interface Warehouse {
  has(productId: string, quantity: number): boolean;
}

/** A stand-in for a warehouse system: everything is in stock except the listed products. */
export class WellStockedWarehouse implements Warehouse {
  readonly #soldOut: ReadonlySet<string>;

  constructor(soldOut: Iterable<string> = ['sold-out']) {
    this.#soldOut = new Set(soldOut);
  }

  has(productId: string): boolean {
    return !this.#soldOut.has(productId);
  }
}
