/** The operation of every subject: programs send the same text each time, and the order in a variable. */
import { makeOrders } from '../lib/orders.mjs';

export const query = `mutation CreateOrder($command: CreateOrderInput!) {
  createOrder(command: $command) {
    orderId
  }
}`;

/** @param {number} count */
export function makeBodies(count) {
  return makeOrders(count).map((command) =>
    JSON.stringify({ query, variables: { command }, operationName: 'CreateOrder' }),
  );
}
