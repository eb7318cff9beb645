/** The service whose database grows: orders, each with two audit records, a model of each order and one of each customer. */
import { createService, perspective } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

export const type = 'orders.OrderPlaced';

export class OrderPlaced {
  customer = '';
}

/** @typedef {{ status: string, placedAt: number, orders: number }} Summary */

/** A model of each stream, with the properties that lists are sorted and filtered by. */
export class Orders {
  /** @param {Summary | null} model @param {OrderPlaced} _event @param {import('@svc/core').AppliedEvent} context @returns {Summary} */
  apply(model, _event, { timestamp }) {
    const orders = (model?.orders ?? 0) + 1;
    return { status: orders % 2 === 0 ? 'paid' : 'open', placedAt: timestamp.getTime(), orders };
  }
}
perspective({ indexed: /** @type {never[]} */ (['status', 'placedAt']) })(Orders);

/** A model of each customer, fed by several streams. */
export class Customers {
  /** @param {{ orders: number } | null} model @returns {{ orders: number }} */
  apply(model) {
    return { orders: (model?.orders ?? 0) + 1 };
  }

  /** @param {OrderPlaced} event */
  keyOf({ customer }) {
    return customer;
  }
}

const columns = /** @type {const} */ ([
  { name: 'status', type: 'text' },
  { name: 'placedAt', type: 'integer' },
]);

/** @param {string} target A URL, or a file. */
export function storageOf(target) {
  return target.startsWith('postgres') ? postgres({ url: target }) : sqlite({ file: target });
}

/** Starts the service, and returns it with the transport of another host. @param {string} target */
export async function startService(target) {
  const transport = new InProcessTransport();
  const service = createService({
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
    perspectives: [{ ...described(Orders), columns }, { ...described(Customers) }],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(storageOf(target))
    .useTransport(transport.host('shop'))
    .acceptEvents({ from: 'branch', namespaces: ['orders'] })
    .addServicePerspectives()
    .start();
  await service.ready();
  return { service, transport, branch: transport.host('branch') };
}

/** @param {new () => import('@svc/core').Perspective<any, never>} model */
function described(model) {
  return {
    name: model.name,
    class: model,
    events: [OrderPlaced],
    readModel: (/** @type {unknown} */ value) => /** @type {object} */ (value),
    writeModel: (/** @type {unknown} */ value) => JSON.stringify(value),
    create: () => new model(),
  };
}
