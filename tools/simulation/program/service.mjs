/** The service that runs in a simulation, with every kind of background work. */
import { commandEndpoint, createService, reaction, recurring, RestMutationEndpointBase } from '@svc/core';
import { checkoutProcess } from '../../shop/checkout.mjs';
import {
  Booked,
  CancelUnpaidOrder,
  commandNames,
  commandOf,
  Deliver,
  Deposited,
  messages,
  of,
  OrderCancelled,
  OrderPaid,
  OrderPlaced,
  OrderShipped,
  Recorded,
  Reminded,
  SendNotice,
  ShipOrder,
  Tick,
} from './messages.mjs';
import { Account, Order, receptors, streamOf } from './receptors.mjs';

const orderEvents = [OrderPlaced, OrderPaid, OrderShipped, OrderCancelled];

/** The commands of callers. */
const requested = ['Record', 'Deposit', 'PlaceOrder', 'PayOrder'];
for (const name of requested) commandEndpoint({ restRoute: `/${name}` })(commandOf(name));

/** The events of one stream. */
export class Streams {
  apply(model, { label }) {
    return { labels: [...(model?.labels ?? []), label] };
  }
}

/** The events of all streams of a tenant with the same ledger. */
export class Ledgers {
  keyOf({ ledger }) {
    return ledger;
  }
  apply(model, { label }) {
    return { labels: [...(model?.labels ?? []), label] };
  }
}

const Checkout = checkoutProcess({
  OrderPlaced,
  OrderPaid,
  OrderShipped,
  OrderCancelled,
  ShipOrder,
  CancelUnpaidOrder,
  of,
});
recurring({ cron: '*/20 * * * * *' })(Tick);

/** One booking for each event; for a shipment also a command to the inbox of this service, and one to the other service. Some fail at first. */
class BookEvents {
  constructor(other) {
    this.other = other;
  }
  async react(event, context) {
    const { id: eventId, streamId } = context.envelope;
    context.append(streamOf('bookings', streamId), of(Booked, { eventId }));
    if (event instanceof OrderShipped) {
      const { orderId } = event;
      context.send(of(SendNotice, { orderId, eventId }));
      context.send(of(Deliver, { orderId, eventId }), { to: this.other });
    }
    if (Math.random() < 0.2) await new Promise((resolve) => setTimeout(resolve, 5));
    if (Math.random() < 0.05) throw new Error('At random.');
  }
}
reaction({ from: 'beginning', retry: { attempts: 1_000, firstDelayMs: 5, longestDelayMs: 500 } })(BookEvents);

const declared = (name, declaredClass, events, create = () => new declaredClass()) => ({
  name,
  class: declaredClass,
  events,
  create,
});

const perspective = (name, perspectiveClass) => ({
  ...declared(name, perspectiveClass, [Recorded]),
  readModel: (value) => value,
  writeModel: JSON.stringify,
});

const endpointOf = (name) => ({
  name: `${name}Endpoint`,
  command: commandOf(name),
  restRoute: `/${name}`,
  graphQLMutation: null,
  readRequest: (value) => of(commandOf(name), value),
  writeResult: JSON.stringify,
  create: ({ dispatcher }) => new (class extends RestMutationEndpointBase {})(dispatcher),
});

const registryOf = (other, hasTicks) => ({
  messages: messages.filter((message) => hasTicks || message.class !== Tick),
  receptors: commandNames
    .filter((name) => hasTicks || commandOf(name) !== Tick)
    .map((name) => ({
      name: `${name}Receptor`,
      command: commandOf(name),
      create: () => ({ receive: receptors[name] }),
    })),
  endpoints: requested.map(endpointOf),
  deciders: [
    declared('Account', Account, [Deposited]),
    declared('Order', Order, [OrderPlaced, OrderPaid, OrderCancelled, OrderShipped, Reminded]),
  ],
  perspectives: [perspective('Streams', Streams), perspective('Ledgers', Ledgers)],
  reactions: [declared('BookEvents', BookEvents, [Deposited, ...orderEvents], () => new BookEvents(other))],
  processes: [declared('Checkout', Checkout, orderEvents)],
  openapi: { paths: {}, components: { schemas: {} } },
});

/** Requests come past HTTP, as callers that are known already. */
const noCredentials = {
  scheme: 'Simulation',
  credentialIn: () => null,
  authenticate: () => Promise.reject(new Error('There are no credentials.')),
};

/** The service of a host. `other` is the name of the other service. `hasTicks`: whether it has a recurring command, which takes long to check. */
export function bankService({ other, storage, transport, hasTicks, report }) {
  return createService(registryOf(other, hasTicks))
    .useStorage(storage)
    .useTransport(transport)
    .addAuthentication(noCredentials)
    .acceptEvents({ from: other, namespaces: ['news'] })
    .acceptCommands({ from: other, commands: [Deliver] })
    .addSystemEventAuditing((options) => options.enableAll())
    .addServicePerspectives()
    .addServiceReactions()
    .reportTo(report);
}
