import { expect, it } from 'vitest';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId } from '../messages/index.js';
import { EventLog, InMemoryStorage } from '../storage/index.js';
import { deadLettering } from './dead-lettering.js';
import { deliverOldest } from './outbox-worker.js';
import { transportDelivery } from './transport-delivery.js';
import type { TransportMessage } from './transport.js';

/** A broker that does not let this host publish to some destinations. */
class Broker {
  readonly shut = new Set<string>();
  readonly published: Uuid[] = [];
  attempts = 0;

  async publish(messages: readonly TransportMessage[]): Promise<void> {
    this.attempts++;
    await Promise.resolve();
    if (messages.some(({ destination }) => this.shut.has(destination))) {
      throw new ServiceError(
        'SVC_TRANSPORT_MISCONFIGURED',
        'The broker does not let this host in. Check the password.',
      );
    }
    this.published.push(...messages.map(({ id }) => id));
  }

  subscribe = (): never => expect.fail('nobody subscribes here');
}

/** A host with messages for destinations, all of one stream each. */
function hostWith(...destinations: readonly string[]) {
  const storage = new InMemoryStorage();
  const streams = new Map(destinations.map((destination) => [destination, newId()]));
  const events = destinations.map((destination) => {
    const id = newId();
    const message = { id, type: 'test.Happened', body: '{}', timestamp: 0, correlationId: id, causationId: null };
    const streamId = streams.get(destination)!;
    return { ...message, streamId, scope: null, metadata: {}, expectedPosition: undefined };
  });
  const outgoing = events.map(({ id }, i) => {
    return { id, lane: 'transport', destination: destinations[i]!, message: null, note: null, eventId: id } as const;
  });
  storage.commit({ events, outgoing, delivered: null, received: [] });
  const messages = new MessageRegistry([]);
  const log = new EventLog(storage, messages);
  const broker = new Broker();
  const delivery = transportDelivery(log, broker, 'this-host', deadLettering(messages, null));
  const deliver = (): Promise<boolean> => deliverOldest(log, 'transport', delivery);
  return { storage, broker, deliver, ids: events.map(({ id }) => id) };
}

const shut = expect.objectContaining({ code: 'SVC_TRANSPORT_MISCONFIGURED' }) as Error;

it('gives no message up while the broker does not let this host in, however often it is tried', async () => {
  const { storage, broker, deliver, ids } = hostWith('orders', 'orders', 'orders');
  broker.shut.add('orders');
  for (let i = 0; i < 50; i++) await expect(deliver()).rejects.toThrow(shut);
  expect(await storage.readDeadLetters(null, 10)).toEqual([]);
  broker.shut.clear();
  expect(await deliver()).toBe(true);
  expect(broker.published, 'in their order').toEqual(ids);
});

it('goes on with what is for elsewhere, and asks once for each destination that is shut', async () => {
  const { storage, broker, deliver, ids } = hostWith('inbox.billing', 'orders', 'inbox.billing', 'orders', 'audit');
  broker.shut.add('inbox.billing');
  for (let i = 0; i < 3; i++) await expect(deliver()).rejects.toThrow(shut);
  expect(broker.published).toEqual([ids[1], ids[3], ids[4]]);
  expect(broker.attempts, 'three together, and one by one without those behind one that is shut').toBe(3 + 4);
  for (let i = 0; i < 50; i++) await expect(deliver()).rejects.toThrow(shut);
  expect((await storage.readOutgoing('transport', 10)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  expect(await storage.readDeadLetters(null, 10)).toEqual([]);
});
