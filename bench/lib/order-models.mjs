/** A service whose perspective counts the orders of each stream, and a function that fills its log. */
import { createService, newId } from '@svc/core';
import { pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { makeOrders } from './orders.mjs';

const type = 'orders.OrderPlaced';
export const bodies = makeOrders(64).map((order) => JSON.stringify(order));

export class OrderPlaced {}

/** @typedef {{ orders: number, last: string }} Counted */

export class OrderCounts {
  /** @param {Counted | null} model @param {OrderPlaced} _event @param {import('@svc/core').AppliedEvent} context @returns {Counted} */
  apply(model, _event, { id }) {
    return { orders: (model?.orders ?? 0) + 1, last: id };
  }
}

/** @param {import('@svc/core/storage').Storage} storage */
export function orderModels(storage) {
  return createService({
    messages: [
      {
        type,
        kind: 'event',
        class: OrderPlaced,
        read: (value) => Object.assign(new OrderPlaced(), value),
        write: (value) => JSON.stringify(value),
      },
    ],
    receptors: [],
    endpoints: [],
    perspectives: [
      {
        name: 'OrderCounts',
        class: OrderCounts,
        events: [OrderPlaced],
        readModel: (value) => /** @type {object} */ (value),
        writeModel: (value) => JSON.stringify(value),
        create: () => new OrderCounts(),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(storage)
    .addServicePerspectives()
    .start();
}

/** One event for a stream. @param {import('@svc/core').Uuid} streamId @param {number} n @param {import('@svc/core').Uuid} [id] */
export function orderIn(streamId, n, id = newId()) {
  return {
    ...pendingRecord(streamId, { type, body: bodies[n % bodies.length] ?? '{}' }),
    id,
    expectedPosition: undefined,
  };
}

/** Fills the log of a database before the measurement. @param {string} url @param {number} events @param {number} streams */
export async function filled(url, events, streams) {
  const storage = postgres({ url });
  await storage.open();
  const ids = Array.from({ length: streams }, () => newId());
  const perRecord = 500;
  for (let from = 0; from < events; from += perRecord) {
    const count = Math.min(perRecord, events - from);
    const batch = Array.from({ length: count }, (_, i) =>
      orderIn(/** @type {any} */ (ids[(from + i) % streams]), from + i),
    );
    await storage.commit({ events: batch, outgoing: [], delivered: null, received: [] });
  }
  await storage.close();
  return ids;
}
