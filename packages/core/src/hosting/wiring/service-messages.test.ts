import { describe, expect, it } from 'vitest';
import type { MessageClass, MessageDescriptor, MessageKind } from '../../messages/index.js';
import { eventVersion } from '../../messages/index.js';
import { InProcessTransport, unprovenHosts, type Transport } from '../../transport/index.js';
import { createService, type Service } from '../service.js';
import type { ServiceRegistry } from '../service-registry.js';

class Placed {}
class Cancelled {}
class Billed {}
class Shared {}
class Charge {}
eventVersion(3, { 1: (body) => body, 2: (body) => body })(Cancelled);

function registryOf(kind: MessageKind, types: Readonly<Record<string, MessageClass>>): ServiceRegistry<object> {
  const messages = Object.entries(types).map(([type, messageClass]): MessageDescriptor => ({
    type,
    kind,
    class: messageClass,
    read: () => new messageClass(),
    write: JSON.stringify,
  }));
  return { messages, receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };
}

const orders = registryOf('event', { 'orders.Placed': Placed, 'orders.Cancelled': Cancelled });
const billing = registryOf('event', { 'billing.Billed': Billed });
const shared = registryOf('event', { 'shared.Shared': Shared });
const charging = registryOf('command', { 'orders.Charge': Charge });

const at = (address: string) => ({ address, channelBindings: {} });
const broker = (): Transport => ({
  hostName: 'orders',
  description: { topic: ({ topic }) => at(topic), inbox: at },
  publish: () => Promise.resolve(),
  subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
  openInbox: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
});

async function messagesOf(service: Service) {
  const { messages } = service.start();
  await service.stop();
  return messages;
}

describe('the messages of a service', () => {
  it('are none without a transport, and none over one within the process', async () => {
    expect(await messagesOf(createService(orders))).toBeNull();
    expect(await messagesOf(createService(orders).useTransport(new InProcessTransport().host('orders')))).toBeNull();
  });

  it('are the events of its registry, and those of libraries unless they come from other hosts', async () => {
    const service = createService(orders)
      .addEventsOf(billing)
      .addEventsOf(shared)
      .useTransport(broker())
      .acceptEvents({ from: unprovenHosts, namespaces: ['billing', 'orders'] });
    const found = (await messagesOf(service))!;
    expect(found.published).toEqual([
      { topic: 'orders', types: ['orders.Placed', 'orders.Cancelled'] },
      { topic: 'shared', types: ['shared.Shared'] },
    ]);
    expect(found.accepted).toEqual([
      { topic: 'orders', types: ['orders.Placed', 'orders.Cancelled'] },
      { topic: 'billing', types: ['billing.Billed'] },
    ]);
    expect(found.schemas.slice(0, 3)).toEqual([orders.openapi, billing.openapi, shared.openapi]);
    expect(['orders.Placed', 'orders.Cancelled'].map((type) => found.versionOf(type))).toEqual([1, 3]);
  });

  it('are those that its filters allow; system events only if they are emitted and broadcast', async () => {
    const isAllowed = (type: unknown): boolean => type !== Cancelled;
    const filter = { shouldPublishToTransport: isAllowed, shouldReceiveFromTransport: isAllowed };
    const local = createService(orders).useTransport(broker()).addTransportPublishFilter(filter).addSystemEvents();
    expect((await messagesOf(local))!.published).toEqual([{ topic: 'orders', types: ['orders.Placed'] }]);
    const broadcast = createService(orders)
      .useTransport(broker())
      .addSystemEvents((options) => options.broadcast());
    const topics = (await messagesOf(broadcast))!.published.map(({ topic }) => topic);
    expect(topics.toSorted()).toEqual(['orders', 'svc.core.auditevents']);
  });

  it('include the accepted commands', async () => {
    const service = createService(charging)
      .useTransport(broker())
      .addReceptor(Charge, { receive: () => {} })
      .acceptCommands({ from: unprovenHosts, commands: [Charge] });
    expect(await messagesOf(service)).toMatchObject({ hostName: 'orders', commands: ['orders.Charge'] });
  });
});
