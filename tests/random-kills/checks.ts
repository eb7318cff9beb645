/** What must be true of the histories of two shops after all faults: each function returns the violations that it finds. */
import { grouped, ofTypes, orderEvents } from './events-of.js';
import type { History, HistoryEvent } from './history.js';
import { processViolations } from './process-checks.js';
import { reminderViolations } from './reminder-checks.js';
import { requestViolations } from './request-checks.js';

export function violationsOf(histories: readonly [History, History]): string[] {
  const [first, second] = histories;
  return [
    ...histories.flatMap((history) =>
      [
        ...positionViolations(history),
        ...requestViolations(history),
        ...effectViolations(history),
        ...reminderViolations(history),
        ...processViolations(history),
        ...auditViolations(history),
        ...leftoverViolations(history),
      ].map((violation) => `${history.shop}: ${violation}`),
    ),
    ...exchangeViolations(first, second),
    ...exchangeViolations(second, first),
  ];
}

function positionViolations({ events }: History): string[] {
  return [...grouped(events, ({ streamId }) => streamId)].flatMap(([streamId, stream]) =>
    stream.some(({ position }, i) => position !== i)
      ? [`stream ${streamId}: its positions have gaps or another order`]
      : [],
  );
}

/** What an event caused: `eventId` of its body is the id of the event. */
type Effect = Pick<HistoryEvent, 'body'>;

/** Each cause has one effect, and there is no effect without a cause. Effects in one stream have the order of the causes in theirs. */
function once(what: string, causes: readonly HistoryEvent[], effects: readonly Effect[]): string[] {
  const byCause = grouped(effects, ({ body }) => body['eventId'] as string);
  const violations: string[] = [];
  for (const { id, type } of causes) {
    const count = byCause.get(id)?.length ?? 0;
    if (count === 0) violations.push(`${what}: lost for ${type} ${id}`);
    if (count > 1) violations.push(`${what}: ${count} times for ${type} ${id}`);
    byCause.delete(id);
  }
  for (const cause of byCause.keys()) violations.push(`${what}: without a cause, for ${cause}`);
  return violations;
}

/** Whether the effects of the events of each stream are in the order of the stream. */
function inOrder(what: string, causes: readonly HistoryEvent[], effects: readonly Effect[]): string[] {
  const place = new Map(effects.map(({ body }, i) => [body['eventId'] as string, i]));
  return [...grouped(causes, ({ streamId }) => streamId)].flatMap(([streamId, stream]) => {
    const places = stream.map(({ id }) => place.get(id) ?? -1);
    const isInOrder = places.every((at, i) => i === 0 || at === -1 || at > places[i - 1]!);
    return isInOrder ? [] : [`${what}: not in the order of stream ${streamId}`];
  });
}

function effectViolations(history: History): string[] {
  const of = (...types: string[]): HistoryEvent[] => ofTypes(history, ...types);
  const placed = of('shop.OrderPlaced');
  const announced = of('news.Announced');
  return [
    ...once('booking', of(...orderEvents), of('shop.Booked')),
    ...inOrder('booking', of(...orderEvents), of('shop.Booked')),
    ...once('counted notice', placed, of('shop.NoticeCounted')),
    ...once('sent notice', placed, of('shop.NoticeSent')),
    ...once(
      'announcement',
      of('shop.OrderShipped'),
      announced.filter(({ origin }) => origin === null),
    ),
    ...once('archived announcement', announced, of('shop.Archived')),
    ...inOrder('archived announcement', announced, of('shop.Archived')),
  ];
}

/** What one shop sends to the other over the broker. */
function exchangeViolations(from: History, to: History): string[] {
  const where = `${from.shop} to ${to.shop}`;
  const announced = ofTypes(from, 'news.Announced').filter(({ origin }) => origin === null);
  const received = ofTypes(to, 'news.Announced').filter(({ origin }) => origin === from.shop);
  const idsOf = (events: readonly HistoryEvent[]) => grouped(events, ({ streamId }) => streamId);
  const streams = idsOf(received);
  const unequal = [...idsOf(announced)].filter(([streamId, stream]) => {
    const other = streams.get(streamId) ?? [];
    return stream.map(({ id }) => id).join() !== other.map(({ id }) => id).join();
  });
  return [
    ...unequal.map(([streamId]) => `${where}: announcements of stream ${streamId} are not the same`),
    ...once(`${where}: delivery`, ofTypes(from, 'shop.OrderShipped'), ofTypes(to, 'shop.Delivered')),
  ];
}

/** Each own event has one audit record, those of one stream in its order; each command that had an effect has one, too. */
function auditViolations(history: History): string[] {
  const own = history.events.filter(({ type, origin }) => !type.startsWith('svc.') && origin === null);
  const audits = ofTypes(history, 'svc.EventAudited').map(({ body }) => ({
    body: { eventId: body['originalEventId'] },
  }));
  const commands = grouped(ofTypes(history, 'svc.CommandAudited'), ({ causationId }) => causationId!);
  const ids = new Set(history.events.map(({ id }) => id));
  const ticks = grouped(ofTypes(history, 'shop.Ticked'), ({ body }) => body['commandId'] as string);
  return [
    ...once('audit record', own, audits),
    ...inOrder('audit record', own, audits),
    ...own
      .filter(({ causationId }) => !ids.has(causationId!) && !commands.has(causationId!))
      .map(({ type, id }) => `${type} ${id}: neither an event nor an audited command caused it`),
    ...[...commands].filter(([, audited]) => audited.length > 1).map(([id]) => `command ${id}: audited more than once`),
    ...[...ticks]
      .filter(([, ticked]) => ticked.length > 1)
      .map(([id]) => `recurring command ${id}: ran more than once`),
    ...(ticks.size === 0 ? ['the recurring command never ran'] : []),
  ];
}

function leftoverViolations({ failedStreams, deadLetters, scheduled }: History): string[] {
  const waiting = scheduled.filter((key) => !key.startsWith('$svc-recurring|'));
  const recurring = scheduled.length - waiting.length;
  return [
    ...failedStreams,
    ...deadLetters.map((letter) => `dead letter: ${letter}`),
    ...waiting.map((key) => `still scheduled: ${key}`),
    ...(recurring === 1 ? [] : [`the recurring command is scheduled ${recurring} times`]),
  ];
}
