/** The events that every subject appends: an order each, in a stream of its own. */
import { createService, newId } from '@svc/core';
import { pendingRecord } from '@svc/core/testing';
import { makeOrders } from '../lib/orders.mjs';

const bodies = makeOrders(64).map((order) => JSON.stringify(order));
let made = 0;

/** Which rows count, as a condition in SQL: a service also tells that it has made its tables. */
export const isMeasured = `type IN ('orders.OrderPlaced', 'svc.EventAudited')`;

export function nextEvent() {
  const body = bodies[made++ % bodies.length] ?? '{}';
  return pendingRecord(newId(), { type: 'orders.OrderPlaced', body, scope: { tenantId: 'bench', userId: 'u-1' } });
}

/** An event as a row of `jsonb_to_recordset`. @param {ReturnType<typeof nextEvent>} event */
export function rowOf({ id, streamId, type, body, timestamp, correlationId, causationId, scope, metadata }) {
  return {
    id,
    stream_id: streamId,
    expected: -1,
    type,
    body,
    timestamp,
    correlation_id: correlationId,
    causation_id: causationId,
    scope: JSON.stringify(scope),
    metadata: JSON.stringify(metadata),
  };
}

/**
 * A service that appends the same events, and audits them or not.
 *
 * @param {import('@svc/core').Storage} storage
 * @param {boolean} audited
 */
export async function orderService(storage, audited) {
  class OrderPlaced {}
  const service = createService({
    messages: [
      {
        type: 'orders.OrderPlaced',
        kind: 'event',
        class: OrderPlaced,
        read: (value) => Object.assign(new OrderPlaced(), value),
        write: () => bodies[made++ % bodies.length] ?? '{}',
      },
    ],
    receptors: [],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(storage)
    .addSystemEvents((options) => audited && options.enableEventAudit())
    .start();
  await service.ready();
  return { service, OrderPlaced };
}
