/** The reference service, which ends on its own a moment after it has started. */
await import('../../examples/orders/dist/main.js');

setTimeout(() => process.exit(3), 1_500);
