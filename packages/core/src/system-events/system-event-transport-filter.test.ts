/** The transport publish filter, row by row. */
import { describe, expect, it } from 'vitest';
import { registry } from '../generated/registry.js';
import { MessageRegistry, type MessageClass, type MessageDescriptor, type MessageKind } from '../messages/index.js';
import { CommandAudited, EventAudited } from './records/audit-events.js';
import { MigrationBatchStarted } from './records/migration-events.js';
import { SystemEventOptions } from './system-event-options.js';
import { SystemEventTransportFilter } from './system-event-transport-filter.js';

class PlaceOrder {}
class OrderPlaced {}
/** A system event of the application. */
class CacheCleared {}
class Unregistered {}

const descriptor = (kind: MessageKind, messageClass: MessageClass): MessageDescriptor => ({
  type: `shop.${messageClass.name}`,
  kind,
  class: messageClass,
  read: () => new messageClass(),
  write: JSON.stringify,
});
const messages = new MessageRegistry([
  ...registry.messages,
  descriptor('command', PlaceOrder),
  descriptor('event', OrderPlaced),
  descriptor('systemEvent', CacheCleared),
]);
const filter = (localOnly: boolean): SystemEventTransportFilter =>
  new SystemEventTransportFilter(Object.assign(new SystemEventOptions(), { localOnly }), messages);

describe.each<[string, (localOnly: boolean, type: new () => object) => boolean]>([
  ['ShouldPublishToTransport', (localOnly, type) => filter(localOnly).shouldPublishToTransport(new type())],
  [
    'ShouldPublishToTransport, called with a class',
    (localOnly, type) => filter(localOnly).shouldPublishToTransport(type),
  ],
  ['ShouldReceiveFromTransport', (localOnly, type) => filter(localOnly).shouldReceiveFromTransport(type)],
])('%s', (_name, passes) => {
  it.each([PlaceOrder, OrderPlaced, Unregistered])(
    'is true for %s, which is not a system event, with any value of LocalOnly',
    (type) => {
      expect([passes(true, type), passes(false, type)]).toEqual([true, true]);
    },
  );

  it.each([EventAudited, CommandAudited, CacheCleared, MigrationBatchStarted])(
    'is true for %s, a system event, only when LocalOnly is false',
    (type) => {
      expect([passes(true, type), passes(false, type)]).toEqual([false, true]);
    },
  );
});
