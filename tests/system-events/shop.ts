/** A small service for these tests: commands and events with and without audit attributes. */
import {
  auditEvent,
  AuditLevel,
  commandEndpoint,
  createService,
  InMemoryStorage,
  newId,
  runAsHost,
  SystemEventStream,
  tagged,
  type EventAudited,
  type MessageClass,
  type ReceptorContext,
  type SecurityContext,
  type Service,
  type ServiceRegistry,
  type StreamEvent,
  type Uuid,
} from '@svc/core';
import { auditDestination } from '@svc/core/storage';
import { unprovenHosts, type EventAcceptance, type Transport, type TransportMessage } from '@svc/core/transport';
import type { MessageDescriptor, MessageKind } from '@svc/core/testing';

@commandEndpoint<PlaceOrder, unknown>({ restRoute: '/place-order' })
export class PlaceOrder {
  orderId: Uuid = newId();
  note = '';
}
@auditEvent({ reason: 'Money moves.', level: AuditLevel.Critical })
export class PayOrder {
  orderId: Uuid = newId();
}
@auditEvent({ exclude: true, reason: 'Too many.' })
export class PingOrder {
  orderId: Uuid = newId();
}

@tagged('orders')
export class OrderPlaced {
  note = '';
}
@auditEvent({ reason: 'Money moved.', level: AuditLevel.Warning })
export class OrderPaid {
  amount = '1.00';
}
@auditEvent({ exclude: true })
export class OrderPinged {
  at = 0;
}
/** A system event of the application's own. */
@tagged('cache')
export class CacheCleared {
  what = '';
}

const descriptor = (type: string, kind: MessageKind, messageClass: MessageClass): MessageDescriptor => ({
  type,
  kind,
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
});

export type Receive = (command: object, context: ReceptorContext) => unknown;

/** Appends the event that belongs to the command, to the stream of its order. */
const receive: Receive = (command, context) => {
  const { orderId } = command as { orderId: Uuid };
  if (command instanceof PlaceOrder) context.append(orderId, Object.assign(new OrderPlaced(), { note: command.note }));
  if (command instanceof PayOrder) context.append(orderId, new OrderPaid());
  if (command instanceof PingOrder) context.append(orderId, new OrderPinged());
  return { orderId };
};

export function shopRegistry(handle: Receive = receive): ServiceRegistry<object> {
  return {
    messages: [
      descriptor('shop.PlaceOrder', 'command', PlaceOrder),
      descriptor('shop.PayOrder', 'command', PayOrder),
      descriptor('shop.PingOrder', 'command', PingOrder),
      descriptor('shop.OrderPlaced', 'event', OrderPlaced),
      descriptor('shop.OrderPaid', 'event', OrderPaid),
      descriptor('shop.OrderPinged', 'event', OrderPinged),
      descriptor('shop.CacheCleared', 'systemEvent', CacheCleared),
    ],
    receptors: [PlaceOrder, PayOrder, PingOrder].map((command) => ({
      name: `${command.name}Receptor`,
      command,
      resultType: 'OrderDone',
      create: () => ({ receive: handle }),
    })),
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  };
}

/** The events of the shop from any host, for tests that are not about which host they come from. */
export const shopEvents: EventAcceptance = { from: unprovenHosts, namespaces: ['shop'] };

/** The same with the system events of hosts that broadcast. */
export const broadcastEvents: EventAcceptance = { from: unprovenHosts, namespaces: ['shop', 'svc'] };

/** A service with a storage, and nothing else yet. */
export function shop(handle?: Receive): Service {
  return createService(shopRegistry(handle)).addService().useStorage(new InMemoryStorage());
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** What stands in the system stream once nothing waits any more. */
export async function systemEvents(service: Service): Promise<StreamEvent[]> {
  await service.idle();
  return await collect(runAsHost(() => service.eventStore.readStream(SystemEventStream.streamId)));
}

/** The payloads of one type in the system stream. */
export async function records<T extends object>(service: Service, type: MessageClass<T>): Promise<T[]> {
  const events = await systemEvents(service);
  return events.map(({ envelope }) => envelope.payload).filter((payload) => payload instanceof type) as T[];
}

/** Notes everything that hosts publish of the shop's events and of the audit. */
export async function tap(transport: Transport): Promise<readonly TransportMessage[]> {
  const wire: TransportMessage[] = [];
  const topics = [
    { topic: 'shop', types: ['shop.OrderPlaced', 'shop.OrderPaid', 'shop.OrderPinged'] },
    { topic: auditDestination, types: ['svc.EventAudited', 'svc.CommandAudited'] },
  ];
  await transport.subscribe({ name: 'wire', topics }, (messages) => {
    wire.push(...messages);
    return Promise.resolve([]);
  });
  return wire;
}

export const auditedTypes = (audited: readonly EventAudited[]): string[] =>
  audited.map(({ originalEventType }) => originalEventType);

export const ann: SecurityContext = {
  scope: { tenantId: 'acme', userId: 'ann', extensions: { region: 'eu' } },
  roles: new Set(['clerk']),
  permissions: new Set(),
  source: 'test',
  userName: 'Ann',
};
