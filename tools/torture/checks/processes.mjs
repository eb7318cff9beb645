import { grouped, ofTypes, orderEvents } from './events-of.mjs';

/** Each order was shipped or cancelled, and its process did exactly what the events of the order explain. */
export function processViolations(history) {
  const orders = grouped(ofTypes(history, ...orderEvents), ({ body }) => body['orderId']);
  const instances = grouped(
    ofTypes(history, 'svc.ProcessAdvanced', 'svc.ProcessCompleted', 'svc.ProcessEventIgnored'),
    ({ body }) => body['key'],
  );
  const listed = grouped(history.instances, ({ key }) => key);
  const unknown = [...new Set([...instances.keys(), ...listed.keys()])].filter((key) => !orders.has(key));
  const violations = unknown.map((key) => `process ${key}: it has no events`);
  for (const [key, order] of orders) {
    const steps = instances.get(key) ?? [];
    violations.push(...orderViolations(key, order));
    violations.push(...instanceViolations(key, order, steps));
    violations.push(...listViolations(key, steps, listed.get(key) ?? []));
  }
  return violations;
}

function orderViolations(key, order) {
  const types = order.map(({ type }) => type.slice('shop.Order'.length)).join(', ');
  return types === 'Placed, Paid, Shipped' || types === 'Placed, Cancelled' ? [] : [`order ${key}: it was ${types}`];
}

/** What the process has to do after each of the types of events of an order. */
const expected = {
  'shop.OrderPlaced': ['timeoutSet payment shop.CancelUnpaidOrder'],
  'shop.OrderPaid': ['timeoutCancelled payment', 'invoked shop.ShipOrder'],
  'shop.OrderShipped': [],
  'shop.OrderCancelled': [],
};

function instanceViolations(key, order, steps) {
  const violations = [];
  const advanced = steps.filter(({ type }) => type === 'svc.ProcessAdvanced');
  const [ids, processed] = [order.map(({ id }) => id), advanced.map(({ body }) => body['eventId'])];
  // All events of an order are in one stream, and its last one completes the process: none is ignored, and none is late.
  if (processed.join() !== ids.join())
    violations.push(`process ${key}: it processed ${processed.join()}, not ${ids.join()}`);
  if (steps.map(({ type }) => type).join() !== [...advanced.map(({ type }) => type), 'svc.ProcessCompleted'].join()) {
    violations.push(`process ${key}: it did not complete with its last event`);
  }
  for (const { body } of advanced) {
    const actions = body['actions'].map(({ kind, name, type }) =>
      [kind, name, type].filter((part) => part !== undefined).join(' '),
    );
    const after = body['eventType'];
    if (actions.join() === expected[after]?.join()) continue;
    violations.push(`process ${key}: after ${after}, it did "${actions.join()}"`);
  }
  return violations;
}

function listViolations(key, steps, listed) {
  const counted = (type) => steps.filter((step) => step.type === type).length;
  const isListed =
    listed.length === 1 &&
    listed[0].events === counted('svc.ProcessAdvanced') &&
    listed[0].ignored === counted('svc.ProcessEventIgnored') &&
    listed[0].isCompleted === counted('svc.ProcessCompleted') > 0;
  return isListed ? [] : [`process ${key}: the list of instances does not match its stream`];
}
