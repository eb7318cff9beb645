/** Effects of events: of reactions, of messages between shops, and of the audit. */
import { grouped, ofTypes, orderEvents } from './events-of.mjs';

/**
 * Each cause has one effect, and there is no effect without a cause. An effect names its cause: `eventId` of its body is the id of an event.
 */
export function once(what, causes, effects) {
  const byCause = grouped(effects, ({ body }) => body.eventId);
  const violations = [];
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
export function inOrder(what, causes, effects) {
  const place = new Map(effects.map(({ body }, i) => [body.eventId, i]));
  return [...grouped(causes, ({ streamId }) => streamId)].flatMap(([streamId, stream]) => {
    const places = stream.map(({ id }) => place.get(id) ?? -1);
    const isInOrder = places.every((at, i) => i === 0 || at === -1 || at > places[i - 1]);
    return isInOrder ? [] : [`${what}: not in the order of stream ${streamId}`];
  });
}

const effectTypes = [
  'shop.Booked',
  'shop.NoticeCounted',
  'shop.NoticeSent',
  'news.Announced',
  'shop.Archived',
  'shop.Delivered',
];

/** How many effects a shop has stored. */
export function countEffects(history) {
  return ofTypes(history, ...effectTypes).length;
}

/** What reactions did within a shop. */
export function effectViolations(history) {
  const of = (...types) => ofTypes(history, ...types);
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

/** What one shop sends to the other over the broker. A shop without another one delivers by itself, and receives no events. */
export function exchangeViolations(from, to) {
  const where = `${from.shop} to ${to.shop}`;
  const announced = ofTypes(from, 'news.Announced').filter(({ origin }) => origin === null);
  const received = ofTypes(to, 'news.Announced').filter(({ origin }) => origin === from.shop);
  const streams = grouped(received, ({ streamId }) => streamId);
  const unequal = [...grouped(from === to ? [] : announced, ({ streamId }) => streamId)].filter(
    ([streamId, stream]) => {
      const other = streams.get(streamId) ?? [];
      return stream.map(({ id }) => id).join() !== other.map(({ id }) => id).join();
    },
  );
  return [
    ...unequal.map(([streamId]) => `${where}: announcements of stream ${streamId} are not the same`),
    ...once(`${where}: delivery`, ofTypes(from, 'shop.OrderShipped'), ofTypes(to, 'shop.Delivered')),
  ];
}
