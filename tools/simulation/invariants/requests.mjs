import { grouped, ofTypes, own } from './history.mjs';

/** The answer of each command if it is accepted, and the event that it then appends. */
const accepted = {
  Record: { outcome: 'recorded', event: 'news.Recorded' },
  Deposit: { outcome: 'deposited', event: 'bank.Deposited' },
  PlaceOrder: { outcome: 'placed', event: 'bank.OrderPlaced' },
  PayOrder: { outcome: 'paid', event: 'bank.OrderPaid' },
};

/** Errors of which the caller knows that nothing was stored. */
function isDefinite(error) {
  if (error?.code === 'SVC_STORAGE_UNAVAILABLE') return error.outcome === 'none';
  return error?.code === 'SVC_CONCURRENCY_CONFLICT' || error?.code === 'SVC_STREAM_BUSY';
}

/** An answered request took effect as its answer says, once. One without an answer took effect once or not at all. */
export function requestViolations({ histories, clients }) {
  const stored = new Map();
  for (const history of histories) {
    const types = Object.values(accepted).map(({ event }) => event);
    for (const [label, events] of grouped(own(ofTypes(history, ...types)), ({ body }) => body.label)) {
      stored.set(label, [...(stored.get(label) ?? []), ...events]);
    }
  }
  const violations = [];
  for (const entry of clients.sent) {
    const { request, outcome, error } = entry;
    const { outcome: success, event } = accepted[request.command];
    const found = stored.get(request.label) ?? [];
    stored.delete(request.label);
    const what = `${request.command} ${request.label}, ${outcome === null ? `failed with ${error?.code ?? error}` : `answered with ${outcome}`}`;
    const isWhole = found.length === 1 && found[0].type === event;
    if (outcome === success && !isWhole) violations.push(`${what}: stored ${found.length} times`);
    if (outcome === null && found.length > 1) violations.push(`${what}: stored ${found.length} times`);
    const isRejected = (outcome !== null && outcome !== success) || (outcome === null && isDefinite(error));
    if (isRejected && found.length > 0) violations.push(`${what}: stored although it was rejected`);
  }
  for (const label of stored.keys()) violations.push(`request ${label}: stored, but never sent`);
  return violations;
}
