/**
 * The order summary in three versions of examples/orders, as expand and contract go: v1 counts `pieces`, v2 counts `products` as well, v3
 * counts `products` alone. Each of them has models of its own, made of the same events.
 */
import { perspective } from '@svc/core';
import { readInteger } from '@svc/core/json';
import { registry } from '../../examples/orders/dist/generated/registry.js';
import { OrderPlaced } from '../../examples/orders/dist/orders/order-events.js';
import { OrderSummaryPerspective } from '../../examples/orders/dist/orders/order-summary.perspective.js';

const served = { route: '/orders', graphQLQuery: 'order', graphQLListQuery: 'orders' };

class ExpandedOrderSummary extends OrderSummaryPerspective {
  apply(order, event, context) {
    const next = super.apply(order, event, context);
    return event instanceof OrderPlaced ? { ...next, products: event.lineItems.length } : next;
  }
}
perspective({ ...served, version: 3 })(ExpandedOrderSummary);

class ContractedOrderSummary extends ExpandedOrderSummary {
  apply(order, event, context) {
    const { pieces: _, ...next } = super.apply(order, event, context);
    return next;
  }
}
perspective({ ...served, version: 4 })(ContractedOrderSummary);

/** Lets the service of this process be of a version. */
export function useOrderSummaryOf(version) {
  const own = registry.perspectives.find(({ class: type }) => type === OrderSummaryPerspective);
  const { readModel, writeModel, columns } = own;
  const read = (value, issues) => {
    const { products, ...known } = value;
    // Added as what may be missing, so that this version can read what the one before has kept.
    if (products !== undefined) readInteger(products, issues, 'products');
    return Object.assign(readModel({ pieces: 0, ...known }, issues), { products });
  };
  const write = (model) => {
    const text = writeModel({ pieces: 0, ...model });
    // Marked personal values are no JSON yet, so the text is changed as it is.
    const stored = model.pieces === undefined ? text.replace(/,"pieces":\d+/, '') : text;
    return model.products === undefined ? stored : stored.replace(/\}$/, `,"products":${model.products}}`);
  };
  const type = version.startsWith('v2') ? ExpandedOrderSummary : ContractedOrderSummary;
  if (version.startsWith('v1')) return;
  Object.assign(own, {
    class: type,
    create: () => new type(),
    columns: [...columns, { name: 'products', type: 'integer' }],
    readModel: read,
    writeModel: write,
  });
}
