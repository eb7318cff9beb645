import { grouped, ofTypes, own } from './history.mjs';
import { inOrder, once } from './once.mjs';

/** Each own event has one audit record, those of a stream in its order. Each command that had an effect has one, too. */
export function auditViolations({ histories }) {
  return histories.flatMap((history) => {
    const events = own(history.events).filter(({ type }) => !type.startsWith('svc.'));
    const audits = ofTypes(history, 'svc.EventAudited');
    const eventOf = ({ body }) => body.originalEventId;
    const commands = grouped(ofTypes(history, 'svc.CommandAudited'), ({ causationId }) => causationId);
    const ids = new Set(history.events.map(({ id }) => id));
    const unexplained = events.filter(({ causationId }) => !ids.has(causationId) && !commands.has(causationId));
    const repeated = [...commands].filter(([, records]) => records.length > 1);
    return [
      ...once('audit record', events, audits, eventOf),
      ...inOrder('audit record', events, audits, eventOf),
      ...audits.flatMap((audit) => differences(audit, history)),
      ...unexplained.map(({ type, id }) => `${type} ${id}: its command has no audit record`),
      ...repeated.map(([id]) => `command ${id}: it has several audit records`),
    ].map((text) => `${history.name}, ${text}`);
  });
}

/** What an audit record says about its event is true. */
function differences({ id, body, tenant }, { events }) {
  const event = events.find((one) => one.id === body.originalEventId);
  if (event === undefined) return [];
  const isSame =
    body.originalEventType === event.type &&
    body.originalStreamId === event.streamId &&
    body.originalStreamPosition === event.position &&
    JSON.stringify(body.originalBody) === JSON.stringify(event.body) &&
    (body.tenantId ?? '') === event.tenant &&
    tenant === event.tenant;
  return isSame ? [] : [`audit record ${id}: it differs from ${event.type} ${event.id}`];
}
