/** Two services for these tests: orders sends commands, billing takes them. */
import { newId, type ReceptorContext, type ServiceRegistry, type Uuid } from '@svc/core';
import { type MessageDescriptor, type MessageKind } from '@svc/core/testing';

export class PlaceOrder {
  orderId: Uuid = newId();
  amount = 1;
  to = 'billing';
}
export class ChargeCard {
  orderId: Uuid = newId();
  amount = 1;
}
export class OrderPlaced {
  amount = 1;
}
export class CardCharged {
  amount = 1;
}

function descriptor<T extends { amount: number }>(type: string, kind: MessageKind, made: new () => T) {
  const known: MessageDescriptor<T> = {
    type,
    kind,
    class: made,
    read: (value, issues) => {
      const fields = value as { amount?: unknown };
      if (typeof fields.amount !== 'number') issues.add('amount', 'has to be a number');
      return Object.assign(new made(), value);
    },
    write: (message) => JSON.stringify(message),
  };
  return known;
}

export type Receive<T> = (command: T, context: ReceptorContext) => unknown;

export const place: Receive<PlaceOrder> = ({ orderId, amount, to }, context) => {
  context.append(orderId, Object.assign(new OrderPlaced(), { amount }));
  context.send(Object.assign(new ChargeCard(), { orderId, amount }), { to });
};

export const charge: Receive<ChargeCard> = ({ orderId, amount }, context) => {
  context.append(orderId, Object.assign(new CardCharged(), { amount }));
};

const nothing = { endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };

export function ordersRegistry(receive: Receive<PlaceOrder> = place): ServiceRegistry<object> {
  return {
    ...nothing,
    messages: [
      descriptor('orders.PlaceOrder', 'command', PlaceOrder),
      descriptor('orders.OrderPlaced', 'event', OrderPlaced),
    ],
    receptors: [{ name: 'PlaceOrderReceptor', command: PlaceOrder, create: () => ({ receive }) }],
  };
}

export function billingRegistry(receive: Receive<ChargeCard> = charge): ServiceRegistry<object> {
  return {
    ...nothing,
    messages: [
      descriptor('billing.ChargeCard', 'command', ChargeCard),
      descriptor('billing.CardCharged', 'event', CardCharged),
    ],
    receptors: [{ name: 'ChargeCardReceptor', command: ChargeCard, create: () => ({ receive }) }],
  };
}
