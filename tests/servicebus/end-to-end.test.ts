/** Two hosts: from the outbox of one over the test double of the Service Bus into the event store of the other. */
import { ServiceBusClient } from '@azure/service-bus';
import { CloudEvent, HTTP } from 'cloudevents';
import { CommandAudited, createService, EventAudited, InMemoryStorage, newId, type Service } from '@svc/core';
import { toCloudEvent, type PublishedMessage, type Transport, type TransportMessage } from '@svc/core/transport';
import { eventually, transportMessage } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  broadcastEvents,
  collect,
  PayOrder,
  PlaceOrder,
  records,
  shop,
  shopEvents,
  shopRegistry,
} from '../system-events/shop.js';
import { DoubleBroker } from './double-broker.js';
import { intrude } from './intrusion.js';

let broker: DoubleBroker;
let services: Service[];

beforeEach(async () => {
  broker = await DoubleBroker.start();
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await broker.stop();
});

async function host(name: string, broadcast: boolean): Promise<Service> {
  broker.bus.createSubscription('svc', `${name}.system-events`);
  const service = shop()
    .useTransport(await broker.open(name, { timeoutMs: 1_000 }))
    .acceptEvents(broadcast ? broadcastEvents : shopEvents)
    .addSystemEventAuditing((options) => {
      options.enableAll();
      options.localOnly = !broadcast;
    })
    .reportTo(() => {})
    .start();
  services.push(service);
  await service.ready();
  return service;
}

const typesIn = async (service: Service): Promise<string[]> =>
  (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.type);
const expectStored = async (service: Service, count: number): Promise<void> =>
  eventually(async () => (await typesIn(service)).length >= count, `${count} events`);
const queue = (name: string) => broker.bus.subscription('svc', name)!;

describe('two hosts on the Service Bus', () => {
  it('LocalOnly: domain events flow in the order of their streams, no system event leaves', async () => {
    const [a, b] = [await host('a', false), await host('b', false)];
    const orders = Array.from({ length: 5 }, () => newId());
    for (const orderId of orders) await a.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId }));
    for (const orderId of orders) await a.dispatcher.invoke(Object.assign(new PayOrder(), { orderId }));
    await expectStored(b, 10);
    for (const orderId of orders) {
      const stream = await collect(b.eventStore.readStream(orderId));
      expect(stream.map(({ envelope }) => envelope.type)).toEqual(['shop.OrderPlaced', 'shop.OrderPaid']);
    }
    expect(await records(b, EventAudited)).toEqual([]);
    expect(queue('b.system-events').messages.filter(({ message }) => message.subject !== 'shop')).toEqual([]);
    // What a host has published itself comes back to it and is not kept twice.
    await eventually(() => queue('a.events').messages.length === 0, 'all of it settled');
    expect((await typesIn(a)).filter((type) => type.startsWith('shop.'))).toHaveLength(10);
  });

  it('Broadcast: each record is on both hosts, exactly once', async () => {
    const [a, b] = [await host('a', true), await host('b', true)];
    for (let i = 0; i < 6; i++) await (i % 2 === 0 ? a : b).dispatcher.invoke(new PlaceOrder());
    for (const service of [a, b]) {
      await expectStored(service, 18);
      expect(await records(service, EventAudited)).toHaveLength(6);
      expect(await records(service, CommandAudited)).toHaveLength(6);
      const ids = (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.id);
      expect([new Set(ids).size, ids.length]).toEqual([18, 18]);
    }
  });

  it('an unreachable Service Bus loses nothing: events of the outage arrive when it is back', async () => {
    const [a, b] = [await host('a', false), await host('b', false)];
    await broker.bus.goAway();
    for (let i = 0; i < 5; i++) await a.dispatcher.invoke(new PlaceOrder());
    await broker.bus.listen();
    await expectStored(b, 5);
    expect(await typesIn(b)).toHaveLength(5);
  });

  it('a CloudEvent of another program, in either mode, is stored once under its source and id', async () => {
    const b = await host('b', false);
    const sent = new CloudEvent({
      id: 'order-17-placed',
      source: '/shop/web',
      type: 'shop.OrderPlaced',
      subject: 'order/17',
      data: { note: 'tea' },
    });
    const { headers, body } = HTTP.structured(sent);
    const { id, source, type, subject, specversion, time } = sent;
    const attributes = { id, source, type, subject, specversion, time: new Date(time!) };
    const route = { sessionId: 'order/17', subject: 'shop' };
    const client = new ServiceBusClient(broker.bus.connectionString);
    await client.createSender('svc').sendMessages([
      { ...route, contentType: headers['content-type'] as string, body: Buffer.from(body as string) },
      {
        ...route,
        contentType: 'application/json',
        // The time as AMQP writes times.
        applicationProperties: Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [`cloudEvents:${name}`, value]),
        ) as Record<string, string | Date>,
        body: Buffer.from('{"note":"tea"}'),
      },
    ]);
    await client.close();
    await expectStored(b, 1);
    await eventually(() => queue('b.events').messages.length === 0, 'settled');
    const events = await collect(b.eventStore.readAll());
    expect(events.map(({ envelope }) => envelope.metadata['cloudEventId'])).toEqual([id]);
    expect(queue('b.events').deadLetters!.messages).toEqual([]);
  });

  it('a message whose lock was lost after its commit is delivered again, and stored once', async () => {
    const b = await host('b', false);
    const answer = broker.bus.holdSettlements();
    const sender = await broker.open('sender');
    const message = placed();
    await sender.publish([message]);
    await expectStored(b, 1);
    // It is kept, and the answer to its settlement is under way when the lock is lost.
    queue('b.events').expireSession(message.streamId);
    expect(queue('b.events').messages.map(({ deliveryCount }) => deliveryCount)).toEqual([1]);
    answer();
    await eventually(() => queue('b.events').messages.length === 0, 'settled');
    expect(await typesIn(b)).toEqual(['shop.OrderPlaced']);
    expect(queue('b.events').deadLetters!.messages).toEqual([]);
  });
});

describe('messages that can never be processed become dead letters with their cause', () => {
  /** As an operator sees them, with the client of the Service Bus. */
  async function deadLetters(): Promise<readonly (string | undefined)[][]> {
    const client = new ServiceBusClient(broker.bus.connectionString);
    const receiver = client.createReceiver('svc', 'b.events', { subQueueType: 'deadLetter' });
    const letters = await receiver.peekMessages(10);
    await client.close();
    return letters.map((letter) => [
      letter.messageId as string,
      letter.deadLetterReason,
      letter.deadLetterErrorDescription,
    ]);
  }

  it('one whose body cannot be read; those before and after it in its stream are stored', async () => {
    const b = await host('b', false);
    const streamId = newId();
    const [before, broken, behind] = [
      placed({ streamId }),
      placed({ streamId, body: '{"note":' }),
      placed({ streamId }),
    ];
    await (await broker.open('sender')).publish([before, broken, behind]);
    await expectStored(b, 2);
    const stream = await collect(b.eventStore.readStream(streamId));
    expect(stream.map(({ envelope }) => envelope.id)).toEqual([before.id, behind.id]);
    expect(await b.deadLetters.list()).toMatchObject([
      {
        direction: 'incoming',
        cause: 'Unreadable',
        message: { id: broken.id },
        errorMessage: expect.stringMatching(/JSON/) as string,
      },
    ]);
    expect(await deadLetters(), 'the broker is done with it').toEqual([]);
  });

  it('one that svc did not send', async () => {
    const b = await host('b', false);
    const client = new ServiceBusClient(broker.bus.connectionString);
    const sender = client.createSender('svc');
    const { attributes, contentType, body } = toCloudEvent(placed());
    const { cloudEvents_id: _id, ...incomplete } = attributes as { cloudEvents_id: string };
    const fields = { contentType, subject: 'shop', sessionId: 's', body: Buffer.from(body) };
    await sender.sendMessages([
      { ...fields, messageId: 'text', applicationProperties: {} },
      { ...fields, messageId: 'incomplete', applicationProperties: incomplete },
      {
        ...fields,
        messageId: 'bytes',
        applicationProperties: { ...attributes },
        body: Buffer.from([0x22, 0xff, 0x22]),
      },
    ]);
    await client.close();
    await eventually(() => queue('b.events').deadLetters!.messages.length === 3, 'three dead letters');
    expect(await deadLetters()).toEqual([
      ['text', 'SVC_MALFORMED_CLOUD_EVENT', expect.stringContaining('specversion')],
      ['incomplete', 'SVC_MALFORMED_CLOUD_EVENT', expect.stringContaining('id')],
      ['bytes', 'SVC_MALFORMED_CLOUD_EVENT', expect.stringContaining('UTF-8')],
    ]);
    expect(await typesIn(b)).toEqual([]);
  });
});

function placed(fields: Partial<TransportMessage> = {}): TransportMessage {
  return transportMessage({ type: 'shop.OrderPlaced', destination: 'shop', body: '{"note":"x"}', ...fields });
}

describe('destinations with different topics', () => {
  it('a message whose label belongs to another topic is rejected, even if it is signed', async () => {
    const topicOf = (destination: string): string => (destination === 'shop' ? 'shop' : 'others');
    for (const topic of ['shop', 'others']) {
      broker.bus.createTopic(topic);
      broker.bus.createSubscription(topic, 'b.events');
    }
    const key = { id: 'a-1', secret: 'a secret that hosts a and b have in common' };
    const messages = shopRegistry().messages;
    const other = { ...messages.find(({ type }) => type === 'shop.OrderPinged')!, type: 'more.OrderPinged' };
    const registry = {
      ...shopRegistry(),
      messages: [...messages.filter((known) => known.class !== other.class), other],
    };
    const b = createService(registry)
      .useStorage(new InMemoryStorage())
      .useTransport(broker.connect('b', { topicOf, timeoutMs: 1_000 }))
      .acceptEvents({ from: 'a', namespaces: ['shop', 'more'] })
      .verifyMessages({ from: 'a', keys: [key] })
      .reportTo(() => {})
      .start();
    services.push(b);
    await b.ready();
    const published: PublishedMessage[] = [];
    const a = shop()
      .useTransport({ ...silent, publish: (batch) => Promise.resolve(void published.push(...batch)) })
      .signMessages(key)
      .start();
    services.push(a);
    for (let i = 0; i < 2; i++) await a.dispatcher.invoke(new PlaceOrder());
    await eventually(() => published.length === 2, 'two signed messages');
    const entities = { topic: 'others', inboxOf: (name: string) => name };
    await intrude(broker.bus.connectionString, entities, published[0]!);
    await intrude(broker.bus.connectionString, { ...entities, topic: 'shop' }, published[1]!);
    await expectStored(b, 1);
    await eventually(async () => (await b.deadLetters.list()).length === 1, 'a dead letter');
    expect(await b.deadLetters.list()).toMatchObject([{ cause: 'TypeMismatch', message: { id: published[0]!.id } }]);
    expect((await collect(b.eventStore.readAll())).map(({ envelope }) => envelope.id)).toEqual([published[1]!.id]);
  });
});

const silent: Transport = {
  hostName: 'a',
  publish: () => Promise.resolve(),
  subscribe: () => Promise.resolve({ isUp: true, close: () => Promise.resolve() }),
};
