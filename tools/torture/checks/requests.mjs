import { grouped, ofTypes } from './events-of.mjs';

/** The events that a request appends if it is accepted, and its answer then. */
const accepted = {
  PlaceOrder: { outcome: 'placed', events: ['shop.OrderPlaced', 'shop.ReminderScheduled'] },
  PayOrder: { outcome: 'paid', events: ['shop.OrderPaid'] },
  PostponeReminder: { outcome: 'postponed', events: ['shop.ReminderScheduled'] },
  CancelReminder: { outcome: 'cancelled', events: ['shop.ReminderCancelled'] },
};

/**
 * An answered request took effect as its answer says, once. One without an answer took effect once or not at all, never in part, and a rejected
 * one did not.
 */
export function requestViolations(history) {
  const types = [...new Set(Object.values(accepted).flatMap(({ events }) => events))];
  const stored = grouped(ofTypes(history, ...types), ({ body }) => body['requestId']);
  const placed = new Set(history.requests.filter(({ outcome }) => outcome === 'placed').map(({ orderId }) => orderId));
  const violations = [];
  for (const { type, key, requestId, orderId, outcome, isRejected } of history.requests) {
    const { outcome: success, events } = accepted[type];
    const found = (stored.get(requestId) ?? []).map((event) => event.type);
    stored.delete(requestId);
    const isWhole = found.toSorted().join() === events.toSorted().join();
    const what = `${type} ${requestId}, answered with ${outcome}`;
    if (outcome === null && key !== null) violations.push(`${what}: never answered`);
    if (outcome === success && !isWhole) violations.push(`${what}: stored ${found.join(', ') || 'nothing'}`);
    if (outcome === null && !isWhole && found.length > 0) violations.push(`${what}: stored ${found.join(', ')}`);
    if (isRejected && found.length > 0) violations.push(`${what}: rejected, but stored ${found.join(', ')}`);
    if (outcome !== null && outcome !== success && found.length > 0)
      violations.push(`${what}: stored ${found.join(', ')}`);
    if (outcome === 'unknown' && placed.has(orderId)) violations.push(`${what}: the order was placed before`);
  }
  for (const requestId of stored.keys()) violations.push(`request ${requestId}: stored, but never sent`);
  return violations;
}
