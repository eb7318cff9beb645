import { grouped, ofTypes } from './events-of.mjs';

/** A reminder ran once, or was replaced or cancelled before it ran: never both, and never neither. */
export function reminderViolations(history) {
  const events = ofTypes(history, 'shop.ReminderScheduled', 'shop.ReminderCancelled', 'shop.Reminded');
  const violations = [];
  for (const [streamId, stream] of grouped(events, (event) => event.streamId)) {
    let last = -1;
    /** The revision that is scheduled; null: none is. */
    let scheduled = null;
    for (const { type, body } of stream) {
      const revision = body['revision'];
      if (type === 'shop.Reminded') {
        if (revision !== scheduled) {
          violations.push(
            `reminder ${revision} of ${streamId}: ran although it had run, or was replaced or cancelled: ${summaryOf(stream)}`,
          );
        }
        scheduled = null;
      } else if (type === 'shop.ReminderCancelled') {
        scheduled = null;
      } else {
        if (revision !== last + 1) violations.push(`reminder ${revision} of ${streamId}: scheduled after ${last}`);
        scheduled = last = revision;
      }
    }
    if (scheduled !== null) violations.push(`reminder ${scheduled} of ${streamId}: never ran`);
  }
  return violations;
}

/** The events of a stream in the order of the log, with their positions. */
function summaryOf(stream) {
  return stream
    .map(({ type, position, body }) => `${type.slice('shop.'.length)} ${String(body['revision'])} at ${position}`)
    .join(', ');
}
