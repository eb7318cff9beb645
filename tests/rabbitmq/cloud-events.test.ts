/** CloudEvents of other programs, made with the CloudEvents SDK and published over RabbitMQ. */
import type { Options } from 'amqplib';
import { CloudEvent, HTTP } from 'cloudevents';
import { createService, newId, type Service, type StoredEvent } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { described, OrderTrace } from '../perspectives/perspective-shop.js';
import { collect, OrderPaid, OrderPlaced, shopEvents, shopRegistry } from '../system-events/shop.js';
import { brokerUrl, TestBroker } from './test-broker.js';

const databases = useDatabases();
let broker: TestBroker;
let services: Service[];

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await broker.close();
});

/** A host on a database, which accepts the events of any program. */
async function host(database: TrialDatabase): Promise<Service> {
  const service = createService({
    ...shopRegistry(),
    perspectives: [described(OrderTrace, [OrderPlaced, OrderPaid])],
  })
    .addService()
    .useStorage(database.storage())
    .useTransport(broker.transport('orders'))
    .acceptEvents(shopEvents)
    .addServicePerspectives()
    .reportTo(() => {});
  services.push(service);
  await service.start().ready();
  return service;
}

type Fields = Partial<ConstructorParameters<typeof CloudEvent<{ note: string }>>[0]>;

const event = (fields: Fields = {}): CloudEvent<{ note: string }> =>
  new CloudEvent({
    id: 'order-17-placed',
    source: '/shop/web',
    type: 'shop.OrderPlaced',
    subject: 'order/17',
    data: { note: 'tea' },
    ...fields,
  });

interface Published {
  readonly headers: Record<string, unknown>;
  readonly contentType: string;
  readonly body: string;
}

/** Binary mode: the attributes as headers, with a prefix of the AMQP binding. The SDK writes the prefix of HTTP. */
function binary(given: CloudEvent<unknown>, prefix: string): Published {
  const { headers, body } = HTTP.binary(given);
  const attributes = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('ce-') ? [[prefix + name.slice('ce-'.length), value]] : [],
  );
  return {
    headers: Object.fromEntries(attributes) as Record<string, unknown>,
    contentType: headers['content-type'] as string,
    body: body as string,
  };
}

/** Structured mode: everything in the body. */
function structured(given: CloudEvent<unknown>): Published {
  const { headers, body } = HTTP.structured(given);
  return { headers: {}, contentType: headers['content-type'] as string, body: body as string };
}

const forms: Record<string, (given: CloudEvent<unknown>) => Published> = {
  'in binary mode with cloudEvents:': (given) => binary(given, 'cloudEvents:'),
  'in binary mode with cloudEvents_': (given) => binary(given, 'cloudEvents_'),
  'in structured mode': structured,
};

async function publish(...messages: readonly Published[]): Promise<void> {
  await broker.withChannel(async (channel) => {
    for (const { headers, contentType, body } of messages) {
      const options: Options.Publish = { headers, contentType, persistent: true };
      channel.publish(`${broker.prefix}shop`, 'shop.OrderPlaced', Buffer.from(body), options);
    }
    await channel.waitForConfirms();
  });
}

const stored = (service: Service): Promise<StoredEvent[]> => collect(service.eventStore.readAll());

/** Publishes another event at the end, and waits until it is stored: everything before it was processed. */
async function settled(service: Service): Promise<StoredEvent[]> {
  const id = newId();
  await publish(structured(event({ id, source: 'last' })));
  await expect.poll(async () => (await stored(service)).some(({ envelope }) => envelope.id === id)).toBe(true);
  return (await stored(service)).filter(({ envelope }) => envelope.metadata['claimedOrigin'] !== 'last');
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await database.remove();
  });

  it.each(Object.entries(forms))('stores an event %s, with its original id and subject', async (_name, form) => {
    const service = await host(database);
    const sent = event();
    await publish(form(sent));
    const [received, ...others] = await settled(service);
    expect(others).toEqual([]);
    expect(received!.envelope.payload).toMatchObject({ note: 'tea' });
    expect(received!.envelope.timestamp.toISOString()).toBe(sent.time);
    expect(received!.envelope.metadata).toEqual({
      cloudEventId: 'order-17-placed',
      cloudEventSubject: 'order/17',
      origin: null,
      claimedOrigin: '/shop/web',
    });
  });

  it('stores an event once, also if it is sent again in another mode, with another time or after a restart', async () => {
    const service = await host(database);
    const sent = event();
    await publish(structured(sent), structured(sent), binary(sent, 'cloudEvents:'));
    expect(await settled(service)).toHaveLength(1);
    await publish(structured(event({ time: new Date(Date.now() - 60_000).toISOString() })));
    expect(await settled(service)).toHaveLength(1);
    await Promise.all(services.splice(0).map((one) => one.stop()));
    const next = await host(database);
    await publish(structured(sent));
    expect(await settled(next)).toHaveLength(1);
  });

  it('stores events of two sources with the same id and subject, in separate streams', async () => {
    const service = await host(database);
    await publish(structured(event()), structured(event({ source: '/shop/app' })));
    const events = await settled(service);
    expect(new Set(events.map(({ streamId }) => streamId)).size).toBe(2);
  });

  it('stores an event without a time', async () => {
    const service = await host(database);
    const { time: _, ...timeless } = JSON.parse(structured(event()).body) as Record<string, unknown>;
    const before = Date.now();
    const message = { ...structured(event()), body: JSON.stringify(timeless) };
    await publish(message, message);
    const [received, ...others] = await settled(service);
    expect(others).toEqual([]);
    expect(received!.envelope.timestamp.getTime()).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('applies the events of a subject to a model in the order of their times', async () => {
    const service = await host(database);
    const start = Date.now() - 60_000;
    const sent = Array.from({ length: 8 }, (_, i) =>
      event({ id: `event-${i}`, time: new Date(start + i).toISOString() }),
    );
    await publish(...sent.map((one) => structured(one)));
    const events = await settled(service);
    expect(events.map(({ envelope }) => envelope.metadata['cloudEventId'])).toEqual(sent.map(({ id }) => id));
    const lens = service.lens(OrderTrace);
    const { streamId } = events[0]!;
    await lens.waitFor(events.at(-1)!.envelope.id);
    expect(await lens.find(streamId)).toEqual({ ids: events.map(({ envelope }) => envelope.id) });
  });
});

describe('hostile messages', () => {
  const plain = binary(event(), 'cloudEvents:');
  const body = (change: object): Published => ({
    ...structured(event()),
    body: JSON.stringify({ ...(JSON.parse(structured(event()).body) as object), ...change }),
  });

  it.each<[string, Published, string]>([
    ['a huge id', body({ id: 'x'.repeat(100_000) }), 'attributes: they have more than 65536 bytes'],
    ['a long id', body({ id: 'x'.repeat(501) }), 'id: it has more than 500 characters'],
    ['control characters in the id', body({ id: 'a\u0000\u001b[31m' }), 'id: it contains invalid characters'],
    ['control characters in the subject', body({ subject: 'a\r\nb' }), 'subject: it contains invalid characters'],
    ['another specversion', body({ specversion: '0.3' }), 'specversion: it is not 1.0'],
    [
      'both prefixes with different values',
      { ...plain, headers: { ...plain.headers, cloudEvents_id: 'other' } },
      'id: it has two different values',
    ],
    [
      'both modes with different values',
      { ...structured(event()), headers: { 'cloudEvents:source': '/shop/other' } },
      'source: it has two different values',
    ],
    ['no subject', body({ subject: null }), 'subject: it is missing'],
    [
      'a batch',
      { headers: {}, contentType: 'application/cloudevents-batch+json', body: '[]' },
      'content type: only application/cloudevents+json',
    ],
  ])(
    '%s becomes a dead letter with its reason, and the next messages are processed',
    async (_name, message, reason) => {
      const database = await databases['sqlite']!();
      const service = await host(database);
      await publish(message);
      expect(await settled(service)).toEqual([]);
      const causes = async (): Promise<string[]> => (await broker.deadLetters('orders')).map(({ cause }) => cause);
      await expect.poll(causes).toEqual([expect.stringContaining(reason)]);
      await Promise.all(services.splice(0).map((one) => one.stop()));
      await database.remove();
    },
  );

  it('an id of another source that is a UUID changes nothing of the stored event', async () => {
    const database = await databases['sqlite']!();
    const service = await host(database);
    const id = newId();
    await publish(structured(event({ id })));
    await publish(structured(event({ id, source: 'intruder', data: { note: 'poison' } })));
    const events = await settled(service);
    expect(events.map(({ envelope }) => [envelope.id, envelope.payload])).toEqual([[id, { note: 'tea' }]]);
    await Promise.all(services.splice(0).map((one) => one.stop()));
    await database.remove();
  });
});
