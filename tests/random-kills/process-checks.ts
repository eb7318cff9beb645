import { grouped, ofTypes, orderEvents } from './events-of.js';
import type { History, HistoryEvent } from './history.js';

/** Each order was shipped or cancelled, and its process did exactly what the events of the order explain. */
export function processViolations(history: History): string[] {
  const orders = grouped(ofTypes(history, ...orderEvents), ({ body }) => body['orderId'] as string);
  const instances = grouped(
    ofTypes(history, 'svc.ProcessAdvanced', 'svc.ProcessCompleted', 'svc.ProcessEventIgnored'),
    ({ body }) => body['key'] as string,
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

function orderViolations(key: string, order: readonly HistoryEvent[]): string[] {
  const types = order.map(({ type }) => type.slice('shop.Order'.length)).join(', ');
  return types === 'Placed, Paid, Shipped' || types === 'Placed, Cancelled' ? [] : [`order ${key}: it was ${types}`];
}

interface Action {
  readonly kind: string;
  readonly type?: string;
  readonly name?: string;
}

/** What the process has to do after each of the types of events of an order. */
const expected: Record<string, readonly string[]> = {
  'shop.OrderPlaced': ['timeoutSet payment shop.CancelUnpaidOrder'],
  'shop.OrderPaid': ['timeoutCancelled payment', 'invoked shop.ShipOrder'],
  'shop.OrderShipped': [],
  'shop.OrderCancelled': [],
};

function instanceViolations(key: string, order: readonly HistoryEvent[], steps: readonly HistoryEvent[]): string[] {
  const violations: string[] = [];
  const advanced = steps.filter(({ type }) => type === 'svc.ProcessAdvanced');
  const [ids, processed] = [order.map(({ id }) => id), advanced.map(({ body }) => body['eventId'])];
  // All events of an order are in one stream, and its last one completes the process: none is ignored, and none is late.
  if (processed.join() !== ids.join())
    violations.push(`process ${key}: it processed ${processed.join()}, not ${ids.join()}`);
  if (steps.map(({ type }) => type).join() !== [...advanced.map(({ type }) => type), 'svc.ProcessCompleted'].join()) {
    violations.push(`process ${key}: it did not complete with its last event`);
  }
  for (const { body } of advanced) {
    const actions = (body['actions'] as Action[]).map(({ kind, name, type }) =>
      [kind, name, type].filter((part) => part !== undefined).join(' '),
    );
    const after = body['eventType'] as string;
    if (actions.join() === expected[after]?.join()) continue;
    violations.push(`process ${key}: after ${after}, it did "${actions.join()}"`);
  }
  return violations;
}

function listViolations(key: string, steps: readonly HistoryEvent[], listed: History['instances']): string[] {
  const counted = (type: string): number => steps.filter((step) => step.type === type).length;
  const isListed =
    listed.length === 1 &&
    listed[0]!.events === counted('svc.ProcessAdvanced') &&
    listed[0]!.ignored === counted('svc.ProcessEventIgnored') &&
    listed[0]!.isCompleted === counted('svc.ProcessCompleted') > 0;
  return isListed ? [] : [`process ${key}: the list of instances does not match its stream`];
}
