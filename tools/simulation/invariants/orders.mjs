import { grouped, ofTypes } from './history.mjs';

const ofProcess = ['bank.OrderPlaced', 'bank.OrderPaid', 'bank.OrderShipped', 'bank.OrderCancelled'];

/** Each order was shipped or cancelled once, its reminder ran or was cancelled, and its process received each of its events once. */
export function orderViolations({ histories }) {
  return histories.flatMap((history) => {
    const orders = grouped(ofTypes(history, ...ofProcess, 'bank.Reminded'), ({ streamId }) => streamId);
    const steps = grouped(ofTypes(history, 'svc.ProcessAdvanced'), ({ body }) => body.key);
    const completed = grouped(ofTypes(history, 'svc.ProcessCompleted'), ({ body }) => body.key);
    return [...orders].flatMap(([orderId, events]) => {
      const where = `${history.name}, order ${orderId}`;
      const processed = events.filter(({ type }) => ofProcess.includes(type)).map(({ id }) => id);
      const advanced = (steps.get(orderId) ?? []).map(({ body }) => body.eventId);
      const violations = lifeViolations(where, events);
      if (advanced.join() !== processed.join()) {
        violations.push(
          `${where}: its process received ${advanced.length} of ${processed.length} events, or in another order`,
        );
      }
      const ends = completed.get(orderId)?.length ?? 0;
      if (ends !== 1) violations.push(`${where}: its process was completed ${ends} times`);
      return violations;
    });
  });
}

function lifeViolations(where, events) {
  const names = events.map(({ type }) => type.slice('bank.'.length));
  const life = names.filter((name) => name !== 'Reminded').join(', ');
  const violations = [];
  if (life !== 'OrderPlaced, OrderPaid, OrderShipped' && life !== 'OrderPlaced, OrderCancelled') {
    violations.push(`${where}: it has the events ${life}`);
  }
  const paid = names.indexOf('OrderPaid');
  const reminded = names.filter((name) => name === 'Reminded').length;
  if (reminded > 1 || (paid === -1 && reminded === 0)) violations.push(`${where}: its reminder ran ${reminded} times`);
  if (paid !== -1 && names.lastIndexOf('Reminded') > paid)
    violations.push(`${where}: its reminder ran after it was cancelled`);
  return violations;
}
