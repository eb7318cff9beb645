/**
 * A shop with a decider, commands, a perspective, reactions, schedules and a process. Nothing in it hides work that was done twice: every run
 * of a receptor or reaction appends an event that names its cause.
 */
import { commandEndpoint, createService, reaction, recurring, RestMutationEndpointBase } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { checkoutProcess } from '../../shop/checkout.mjs';
import {
  Announced,
  Archived,
  Booked,
  CancelReminder,
  CancelUnpaidOrder,
  CountNotice,
  Deliver,
  Delivered,
  NoticeCounted,
  NoticeSent,
  OrderCancelled,
  OrderPaid,
  OrderPlaced,
  OrderShipped,
  PayOrder,
  PlaceOrder,
  PostponeReminder,
  Remind,
  Reminded,
  ReminderCancelled,
  ReminderScheduled,
  SendNotice,
  ShipOrder,
  Tick,
  Ticked,
  of,
  shards,
  streamOf,
} from './messages.mjs';

/** The commands of callers. */
const requests = [PlaceOrder, PayOrder, PostponeReminder, CancelReminder];
for (const command of requests) commandEndpoint({ restRoute: `/${command.name}` })(command);
recurring({ cron: '* * * * * *' })(Tick);

const shardOf = (orderId) => Number.parseInt(orderId.slice(-4), 16) % shards;
const reminderKey = (orderId) => `reminder of ${orderId}`;

class Order {
  initial() {
    return { isPlaced: false, isPaid: false, isCancelled: false };
  }
  evolve(state, event) {
    if (event instanceof OrderPlaced) return { ...state, isPlaced: true };
    if (event instanceof OrderPaid) return { ...state, isPaid: true };
    return { ...state, isCancelled: true };
  }
}

class Reminder {
  initial() {
    return -1;
  }
  evolve(_revision, event) {
    return event.revision;
  }
}

const receptors = {
  async PlaceOrder({ orderId, requestId, payWithinMs, remindAfterMs }, context) {
    const order = await context.load(Order, orderId);
    order.append(of(OrderPlaced, { orderId, requestId, payWithinMs }));
    remind(context, { orderId, requestId, revision: 0, afterMs: remindAfterMs });
    return 'placed';
  },
  async PayOrder({ orderId, requestId }, context) {
    const order = await context.load(Order, orderId);
    if (!order.state.isPlaced) return 'unknown';
    if (order.state.isCancelled) return 'too late';
    order.append(of(OrderPaid, { orderId, requestId }));
    return 'paid';
  },
  async CancelUnpaidOrder({ orderId }, context) {
    const order = await context.load(Order, orderId);
    if (!order.state.isPaid) order.append(of(OrderCancelled, { orderId }));
  },
  ShipOrder({ orderId }, context) {
    context.append(orderId, of(OrderShipped, { orderId }));
  },
  async PostponeReminder({ orderId, requestId, afterMs }, context) {
    const reminder = await context.load(Reminder, streamOf('reminder', orderId));
    if (!reminder.exists) return 'unknown';
    remind(context, { orderId, requestId, revision: reminder.state + 1, afterMs });
    return 'postponed';
  },
  async CancelReminder({ orderId, requestId }, context) {
    const reminder = await context.load(Reminder, streamOf('reminder', orderId));
    if (!reminder.exists) return 'unknown';
    reminder.append(of(ReminderCancelled, { orderId, requestId, revision: reminder.state }));
    context.cancelScheduled(reminderKey(orderId));
    return 'cancelled';
  },
  /** It does not load the stream: only the schedule decides whether it runs. Now and then it fails at first. */
  Remind({ orderId, revision }, context) {
    if (context.attempt === 1 && shardOf(orderId) === 0) throw new Error('Not at the first attempt.');
    context.append(streamOf('reminder', orderId), of(Reminded, { orderId, revision }));
  },
  CountNotice({ orderId, eventId }, context) {
    context.append(streamOf('notices', orderId), of(NoticeCounted, { eventId }));
  },
  SendNotice({ orderId, eventId }, context) {
    context.append(streamOf('notices', orderId), of(NoticeSent, { eventId }));
  },
  /** For an order of the other shop. */
  Deliver({ orderId, eventId }, context) {
    context.append(streamOf('deliveries', orderId), of(Delivered, { orderId, eventId }));
  },
  Tick(_command, context) {
    context.append(streamOf('ticks'), of(Ticked, { commandId: context.envelope.id }));
  },
};

function remind(context, { afterMs, ...reminder }) {
  const { orderId, revision } = reminder;
  context.append(streamOf('reminder', orderId), of(ReminderScheduled, reminder));
  const command = of(Remind, { orderId, revision });
  context.schedule(command, { after: { milliseconds: afterMs }, key: reminderKey(orderId) });
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

/** One booking for each event of an order. It fails at random. */
class BookEvents {
  async react({ orderId }, context) {
    const { id, type } = context.envelope;
    context.append(streamOf('ledger', shardOf(orderId)), of(Booked, { eventId: id, eventType: type }));
    if (Math.random() < 0.2) await new Promise((resolve) => setTimeout(resolve, 2));
    if (Math.random() < 0.05) throw new Error('At random.');
  }
}
reaction({ from: 'beginning', retry: { attempts: 1_000, firstDelayMs: 5, longestDelayMs: 50 } })(BookEvents);

/** A command inside its own commit, and one to the inbox of the shop. */
class NotifyOfOrders {
  async react({ orderId }, context) {
    const eventId = context.envelope.id;
    await context.invoke(of(CountNotice, { orderId, eventId }));
    context.send(of(SendNotice, { orderId, eventId }));
  }
}
reaction({ from: 'beginning' })(NotifyOfOrders);

/** An event and a command to the other shop, over the broker. A shop without another one delivers by itself. */
class AnnounceShipments {
  constructor(shop, other) {
    this.shop = shop;
    this.other = other;
  }
  react({ orderId }, context) {
    const eventId = context.envelope.id;
    context.append(streamOf('announcements', this.shop, shardOf(orderId)), of(Announced, { eventId }));
    context.send(of(Deliver, { orderId, eventId }), this.other === null ? {} : { to: this.other });
  }
}
reaction({ from: 'beginning' })(AnnounceShipments);

/** For announcements of both shops. */
class ArchiveAnnouncements {
  react(_event, context) {
    const { id, streamId } = context.envelope;
    context.append(streamOf('archive', streamId), of(Archived, { eventId: id }));
  }
}
reaction({ from: 'beginning' })(ArchiveAnnouncements);

/** The ids of the events of an order, in the order in which they were applied. */
class OrderTrace {
  apply(model, _event, { id }) {
    return { ids: [...(model?.ids ?? []), id] };
  }
}

const message = (kind, messageClass, namespace) => ({
  type: `${namespace}.${messageClass.name}`,
  kind,
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: (value) => JSON.stringify(value),
});

const commands = [...requests, CancelUnpaidOrder, ShipOrder, Remind, CountNotice, SendNotice, Deliver, Tick];
const orderEvents = [OrderPlaced, OrderPaid, OrderShipped, OrderCancelled];
const reminderEvents = [ReminderScheduled, ReminderCancelled];
const effects = [Reminded, Booked, NoticeCounted, NoticeSent, Archived, Delivered, Ticked];

const declared = (messageClass, events, create = () => new messageClass()) => ({
  name: messageClass.name,
  class: messageClass,
  events,
  create,
});

const registryOf = (shop, other) => ({
  messages: [
    ...commands.map((command) => message('command', command, 'shop')),
    ...[...orderEvents, ...reminderEvents, ...effects].map((event) => message('event', event, 'shop')),
    // The other shop accepts this namespace.
    message('event', Announced, 'news'),
  ],
  receptors: commands.map((command) => ({
    name: `${command.name}Receptor`,
    command,
    create: () => ({ receive: receptors[command.name] }),
  })),
  endpoints: requests.map((command) => ({
    name: `${command.name}Endpoint`,
    command,
    restRoute: `/${command.name}`,
    graphQLMutation: null,
    readRequest: (value) => Object.assign(new command(), value),
    writeResult: JSON.stringify,
    create: ({ dispatcher }) => new (class extends RestMutationEndpointBase {})(dispatcher),
  })),
  deciders: [declared(Order, [OrderPlaced, OrderPaid, OrderCancelled]), declared(Reminder, reminderEvents)],
  reactions: [
    declared(BookEvents, orderEvents),
    declared(NotifyOfOrders, [OrderPlaced]),
    declared(AnnounceShipments, [OrderShipped], () => new AnnounceShipments(shop, other)),
    declared(ArchiveAnnouncements, [Announced]),
  ],
  processes: [declared(Checkout, orderEvents)],
  perspectives: [{ ...declared(OrderTrace, orderEvents), readModel: (value) => value, writeModel: JSON.stringify }],
  openapi: { paths: {}, components: { schemas: {} } },
});

/**
 * The shop, before it starts. `other` is the host name of the other shop, which it reaches over `transport`; null: there is none. `sealKey` signs the
 * seals of its log.
 */
export function shopService({ shop, other = null, storage, transport = null, sealKey, report = () => {} }) {
  const service = createService(registryOf(shop, other))
    .useStorage(storage)
    .addSystemEventAuditing((options) => options.enableAudit())
    .addSeals({ keys: [sealKey], everyMs: 200 })
    .addServicePerspectives()
    .addServiceReactions()
    .reportTo(report);
  if (other === null) return service;
  return service
    .useTransport(transport)
    .acceptEvents({ from: other, namespaces: ['news'] })
    .acceptCommands({ from: other, commands: [Deliver] });
}

/** Runs the command of a request; with a key, once for the key. Returns what the command returned. */
export async function handle(service, { type, key, ...properties }) {
  const endpoint = service.endpoints.find(({ command }) => command.name === type);
  const command = endpoint.readRequest(properties);
  if (key === null) return service.dispatcher.invoke(command);
  const keyed = { key, message: command, sent: properties };
  const { text } = await service.idempotentRequests.handle(endpoint, keyed, new CommandRequest());
  return JSON.parse(text);
}
