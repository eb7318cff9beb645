import { grouped, ofTypes, own } from './history.mjs';
import { inOrder, once } from './once.mjs';

const booked = ['bank.Deposited', 'bank.OrderPlaced', 'bank.OrderPaid', 'bank.OrderShipped', 'bank.OrderCancelled'];

/** Reactions, messages and commands between services take effect once, in the order that is promised. */
export function effectViolations({ histories, broker }) {
  const [first, second] = histories;
  return [
    ...histories.flatMap((history) => [
      ...once(`${history.name}, booking`, ofTypes(history, ...booked), ofTypes(history, 'bank.Booked')),
      ...inOrder(`${history.name}, booking`, ofTypes(history, ...booked), ofTypes(history, 'bank.Booked')),
      ...once(`${history.name}, notice`, ofTypes(history, 'bank.OrderShipped'), ofTypes(history, 'bank.NoticeSent')),
      ...tickViolations(history),
      ...history.deadLetters.map((letter) => `${history.name}, dead letter: ${letter}`),
    ]),
    ...exchangeViolations(first, second),
    ...exchangeViolations(second, first),
    ...broker.deadLetters.map((letter) => `dead letter of the broker: ${letter}`),
  ];
}

function tickViolations(history) {
  const ticks = grouped(ofTypes(history, 'bank.Ticked'), ({ body }) => body.commandId);
  return [...ticks]
    .filter(([, runs]) => runs.length > 1)
    .map(([id, runs]) => `${history.name}, recurring command ${id}: ran ${runs.length} times`);
}

/** What one service sends to the other: all events that it recorded, in the order of their streams, and deliveries. */
function exchangeViolations(from, to) {
  const where = `${from.name} to ${to.name}`;
  const sent = own(ofTypes(from, 'news.Recorded'));
  const received = ofTypes(to, 'news.Recorded').filter(({ origin }) => origin === from.name);
  const identity = ({ id }) => id;
  return [
    ...once(`${where}, event`, sent, received, identity),
    ...inOrder(`${where}, event`, sent, received, identity),
    ...once(`${where}, delivery`, ofTypes(from, 'bank.OrderShipped'), ofTypes(to, 'bank.Delivered')),
  ];
}
