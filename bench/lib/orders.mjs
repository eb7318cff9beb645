/** The orders of every subject: of one shape, with different values, and the same in every run. */

/**
 * @typedef {object} Order
 * @property {string} customerId
 * @property {{ productId: string, quantity: number, unitPrice: string }[]} lineItems
 * @property {{ street: string, city: string, state: string, zipCode: string }} shippingAddress
 */

/**
 * @param {number} count
 * @returns {Order[]}
 */
export function makeOrders(count) {
  const random = generator(20_260_131);
  /** @param {number} limit */
  const below = (limit) => Math.floor(random() * limit);
  /** @param {number} length */
  const hex = (length) => Array.from({ length }, () => below(16).toString(16)).join('');
  /** @param {readonly string[]} words */
  const oneOf = (words) => words[below(words.length)] ?? '';
  return Array.from({ length: count }, () => ({
    customerId: `${hex(8)}-${hex(4)}-7${hex(3)}-9${hex(3)}-${hex(12)}`,
    lineItems: Array.from({ length: 3 }, () => ({
      productId: `product-${10_000 + below(90_000)}`,
      quantity: 1 + below(20),
      unitPrice: `${1 + below(99)}.${10 + below(90)}`,
    })),
    shippingAddress: {
      street: `${1 + below(999)} ${oneOf(['Long', 'Mill', 'Church', 'Harbour'])} Street`,
      city: oneOf(['Springfield', 'Riverside', 'Fairview', 'Georgetown']),
      state: oneOf(['IL', 'CA', 'OR', 'TX']),
      zipCode: `${10_000 + below(90_000)}`,
    },
  }));
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). @param {number} seed */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
