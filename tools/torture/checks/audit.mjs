import { inOrder, once } from './effects.mjs';
import { grouped, ofTypes } from './events-of.mjs';

/** The events of the shop itself: neither system events nor those of another shop. */
export function ownEvents({ events }) {
  return events.filter(({ type, origin }) => !type.startsWith('svc.') && origin === null);
}

/** Each own event has one audit record, those of one stream in its order; each command that had an effect has one, too. */
export function auditViolations(history) {
  const own = ownEvents(history);
  const audits = ofTypes(history, 'svc.EventAudited').map(({ body }) => ({ body: { eventId: body.originalEventId } }));
  const commands = grouped(ofTypes(history, 'svc.CommandAudited'), ({ causationId }) => causationId);
  const ids = new Set(history.events.map(({ id }) => id));
  return [
    ...once('audit record', own, audits),
    ...inOrder('audit record', own, audits),
    ...own
      .filter(({ causationId }) => !ids.has(causationId) && !commands.has(causationId))
      .map(({ type, id }) => `${type} ${id}: neither an event nor an audited command caused it`),
    ...[...commands].filter(([, audited]) => audited.length > 1).map(([id]) => `command ${id}: audited more than once`),
  ];
}
