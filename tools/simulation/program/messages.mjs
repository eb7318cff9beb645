/** The commands and events of the simulated service. `label` identifies the request of a client; `eventId` the event that caused an effect. */
export class Record {}
export class Deposit {}
export class PlaceOrder {}
export class PayOrder {}
export class ShipOrder {}
export class CancelUnpaidOrder {}
export class Remind {}
export class SendNotice {}
export class Deliver {}
export class Tick {}

/** Other services accept it, and its models have events of several databases. */
export class Recorded {}
export class Deposited {}
export class OrderPlaced {}
export class OrderPaid {}
export class OrderShipped {}
export class OrderCancelled {}
export class Reminded {}
export class Booked {}
export class NoticeSent {}
export class Delivered {}
export class Ticked {}

/** Names do not depend on the bundler. */
const commands = {
  Record,
  Deposit,
  PlaceOrder,
  PayOrder,
  ShipOrder,
  CancelUnpaidOrder,
  Remind,
  SendNotice,
  Deliver,
  Tick,
};
const events = {
  Deposited,
  OrderPlaced,
  OrderPaid,
  OrderShipped,
  OrderCancelled,
  Reminded,
  Booked,
  NoticeSent,
  Delivered,
  Ticked,
};

export const commandNames = Object.keys(commands);
export const commandOf = (name) => commands[name];

export const of = (messageClass, properties) => Object.assign(new messageClass(), properties);

const described = (kind, type, messageClass) => ({
  type,
  kind,
  class: messageClass,
  read: (value) => of(messageClass, value),
  write: (value) => JSON.stringify(value),
});

export const messages = [
  ...commandNames.map((name) => described('command', `bank.${name}`, commands[name])),
  ...Object.keys(events).map((name) => described('event', `bank.${name}`, events[name])),
  described('event', 'news.Recorded', Recorded),
];
