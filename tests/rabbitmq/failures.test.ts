import { inspect } from 'node:util';
import { createService, InMemoryStorage, newId, type Service, type ServiceRegistry } from '@svc/core';
import { StorageUnavailableError, type Storage } from '@svc/core/storage';
import { type Subscription, type Transport } from '@svc/core/transport';
import { eventually, listen, numbered, transportMessage, type MessageDescriptor } from '@svc/core/testing';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collect, PlaceOrder, shopEvents, shopRegistry } from '../system-events/shop.js';
import { TcpProxy } from '../../tools/torture/tcp-proxy.mjs';
import { brokerUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;
let proxy: TcpProxy;
let services: Service[];

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
  proxy = await TcpProxy.to(Number(new URL(broker.url).port));
  services = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(services.map((service) => service.stop()));
  await broker.close();
  await proxy.close();
});

function shopOn(
  transport: Transport,
  storage: Storage = new InMemoryStorage(),
  registry: ServiceRegistry<object> = shopRegistry(),
): Service {
  const service = createService(registry)
    .useStorage(storage)
    .useTransport(transport)
    .acceptEvents(shopEvents)
    .reportTo((error) => broker.reports.push(error));
  services.push(service);
  return service.start();
}

const misconfigured = (text: RegExp): unknown =>
  expect.objectContaining({ code: 'SVC_TRANSPORT_MISCONFIGURED', message: expect.stringMatching(text) as string });

describe('a misconfiguration', () => {
  it('is a queue with other settings', async () => {
    const queue = `${broker.prefix}shop.events`;
    await broker.withChannel((channel) => channel.assertQueue(queue, { durable: true }));
    const service = shopOn(broker.transport('shop'));
    await expect(service.ready()).rejects.toEqual(
      misconfigured(/another configuration than this host needs.*shop\.events/),
    );
    await broker.withChannel((channel) => channel.deleteQueue(queue));
  });

  it('is an exchange of another kind', async () => {
    await broker.withChannel((channel) => channel.assertExchange(`${broker.prefix}test`, 'fanout'));
    const transport = broker.transport('shop');
    await expect(transport.publish([transportMessage()])).rejects.toEqual(misconfigured(/another configuration/));
    await expect(listen(transport)).rejects.toEqual(misconfigured(/another configuration/));
    await broker.withChannel((channel) => channel.deleteExchange(`${broker.prefix}test`));
    await transport.publish([transportMessage()]);
  });

  it('is a wrong password or an unknown virtual host, neither of which is printed', async () => {
    const secret = `secret-${newId()}`;
    const url = new URL(broker.url);
    const vhost = `${url.href.replace(/\/$/, '')}/nowhere`;
    url.password = secret;
    for (const wrong of [url.href, vhost]) {
      const transport = broker.transport('shop', { url: wrong });
      await expect(listen(transport)).rejects.toEqual(misconfigured(/denies access to this host/));
      await expect(transport.publish([transportMessage()])).rejects.toEqual(
        misconfigured(/denies access to this host/),
      );
      expect(inspect([transport, broker.reports], { depth: 10, showHidden: true })).not.toContain(secret);
    }
  });

  it.each([
    ['amqp://u:hunter2@', 'orders'],
    ['https://u:hunter2@localhost', 'orders'],
    ['amqp://u:hunter2@localhost', ''],
    ['amqp://u:hunter2@localhost', 'a host'],
    ['amqp://u:hunter2%zz@localhost', 'orders'],
  ])('is reported at once: %s for %s', (url, hostName) => {
    const make = (): Transport => rabbitMqTransport({ url, hostName });
    expect(make).toThrow(misconfigured(/must/));
    expect(make).not.toThrow(/hunter2/);
  });
});

describe('an unreachable broker', () => {
  it('is reported to the service, once for each connection, or to the function in the options', async () => {
    proxy.takeDown();
    const url = proxy.through(broker.url);
    const own: unknown[] = [];
    const toOptions = broker.transport('other', { url, report: (error) => void own.push(error) });
    const toService = rabbitMqTransport({ url, hostName: 'shop', prefix: broker.prefix });
    const toConsole = vi.spyOn(console, 'error');
    const reported: { readonly error: unknown; readonly part: string }[] = [];
    for (const transport of [toOptions, toService]) {
      const service = createService(shopRegistry())
        .useTransport(transport)
        .acceptEvents(shopEvents)
        .reportTo((error, part) => void reported.push({ error, part }))
        .start();
      services.push(service);
      await service.ready();
    }
    const unavailable = { code: 'SVC_TRANSPORT_UNAVAILABLE' };
    expect(reported).toMatchObject([
      { part: 'transport', error: unavailable },
      { part: 'transport', error: unavailable },
    ]);
    expect(own).toMatchObject([unavailable, unavailable]);
    expect(toConsole).not.toHaveBeenCalled();
    toConsole.mockRestore();
  });

  it('does not delay the start of a host: commands are processed, and events flow once it is reachable', async () => {
    const other = shopOn(broker.transport('other'));
    await other.ready();
    proxy.takeDown();
    const service = shopOn(broker.transport('shop', { url: proxy.through(broker.url) }));
    await service.ready();
    await service.dispatcher.invoke(new PlaceOrder());
    expect(await collect(service.eventStore.readAll())).toHaveLength(1);
    proxy.bringUp();
    await expect.poll(async () => (await collect(other.eventStore.readAll())).length, { timeout: 10_000 }).toBe(1);
    const subscriptions = async (): Promise<string> =>
      (await service.health.run(({ name }) => name === 'subscriptions')).status;
    await expect.poll(subscriptions, { timeout: 10_000 }).toBe('Healthy');
    await other.dispatcher.invoke(new PlaceOrder());
    await expect.poll(async () => (await collect(service.eventStore.readAll())).length, { timeout: 10_000 }).toBe(2);
    const codes = broker.reports.map((error) => (error as { code: string }).code);
    expect(new Set(codes)).toEqual(new Set(['SVC_TRANSPORT_UNAVAILABLE']));
    expect(inspect(broker.reports, { depth: 10 })).not.toContain(new URL(broker.url).password);
  });

  it('does not prevent a host from stopping', async () => {
    const service = shopOn(broker.transport('shop', { url: proxy.through(broker.url) }));
    await service.ready();
    proxy.takeDown();
    await service.dispatcher.invoke(new PlaceOrder());
    const started = performance.now();
    await service.stop();
    expect(performance.now() - started).toBeLessThan(6_000);
  });

  it('that is silent does not prevent a transport from closing, whatever is pending', async () => {
    const receiver = broker.transport('shop', { url: proxy.through(broker.url), heartbeat: 3_600 });
    const { subscription: open } = await listen(receiver);
    proxy.freeze();
    const others = { name: 'others', topics: [{ topic: 'test', types: ['test.Happened'] }] };
    const pending = Promise.allSettled([
      receiver.subscribe(others, () => Promise.resolve([])),
      receiver.publish(numbered(1)),
    ]);
    // Both have been asked of the broker now.
    await new Promise((resolve) => setImmediate(resolve));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closing = receiver.close!();
    for (let seconds = 0; seconds < 60; seconds++) await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    await closing;
    expect(open.isUp).toBe(false);
    expect(await pending).toMatchObject([
      { status: 'fulfilled', value: { isUp: false } },
      { status: 'rejected', reason: { code: 'SVC_TRANSPORT_UNAVAILABLE' } },
    ]);
  });

  it('that fails repeatedly loses nothing, and messages stay in order', async () => {
    const url = proxy.through(broker.url);
    const [sender, receiver] = [broker.transport('sender', { url }), broker.transport('receiver', { url })];
    const { received } = await listen(receiver);
    const messages = numbered(1_000);
    const cutting = setInterval(() => proxy.cut(), 150);
    for (let i = 0; i < messages.length; i += 50) {
      const batch = messages.slice(i, i + 50);
      const publish = async (): Promise<void> => sender.publish(batch).catch(publish);
      await publish();
      // What was published is with the broker, not on its way there.
      if (i % 250 === 0) proxy.cut();
    }
    clearInterval(cutting);
    const ids = (): Set<string> => new Set(received.map(({ id }) => id));
    await eventually(() => ids().size === messages.length, 'every message');
    const first = [...ids()];
    expect(first).toEqual(messages.map(({ id }) => id));
  });
});

describe('poison', () => {
  it('that is not a message of svc is dead-lettered with the cause, in any form', async () => {
    const receiver = broker.transport('receiver');
    const { received, has } = await listen(receiver);
    await broker.withChannel((channel) => {
      const send = (body: string | Buffer, headers: Record<string, unknown> = {}): void =>
        void channel.publish(`${broker.prefix}test`, 'test.Happened', Buffer.from(body), { headers });
      send('hello');
      send('{}', { cloudEvents_specversion: '1.0', cloudEvents_source: 'other', cloudEvents_id: 12 });
      send(Buffer.from([0xff, 0xfe]));
      return Promise.resolve();
    });
    await broker.transport('sender').publish(numbered(3));
    await has(3);
    expect(received.map(({ body }) => body)).toEqual(['0', '1', '2']);
    const queue = `${broker.prefix}receiver.events`;
    await expect.poll(async () => (await broker.deadLettersOf(queue)).length).toBe(3);
    const letters = await broker.deadLettersOf(queue);
    expect(letters.map(({ content, properties: { headers } }) => [content.toString('latin1'), headers])).toEqual(
      [
        ['hello', /specversion/],
        ['{}', /its id/],
        ['\u00ff\u00fe', /UTF-8/],
      ].map(([body, cause]) => [
        body,
        expect.objectContaining({
          'svc-dead-letter-code': 'SVC_MALFORMED_CLOUD_EVENT',
          'svc-dead-letter-cause': expect.stringMatching(cause!) as string,
        }),
      ]),
    );
  });

  it('without room for a cause is dead-lettered by the broker unchanged, and its cause is reported', async () => {
    const { received, has } = await listen(broker.transport('receiver'));
    const headers = { much: 'x'.repeat(65_400) };
    await broker.withChannel((channel) => {
      channel.publish(`${broker.prefix}test`, 'test.Happened', Buffer.from('hello'), { headers });
      return Promise.resolve();
    });
    await broker.transport('sender').publish(numbered(2));
    await has(2);
    expect(received.map(({ body }) => body)).toEqual(['0', '1']);
    const queue = `${broker.prefix}receiver.events`;
    await expect.poll(async () => (await broker.deadLettersOf(queue)).length).toBe(1);
    const [letter] = await broker.deadLettersOf(queue);
    expect(letter!.content.toString()).toBe('hello');
    expect(letter!.properties.headers).toMatchObject({ ...headers, 'x-death': [{ reason: 'rejected', queue }] });
    expect(broker.reports).toMatchObject([{ code: 'SVC_MALFORMED_CLOUD_EVENT' }]);
  });

  it('whose body does not match its type is dead-lettered by the host, and the rest is committed', async () => {
    const service = shopOn(broker.transport('shop'));
    await service.ready();
    const type = { type: 'shop.OrderPlaced', destination: 'shop' };
    const [broken, whole] = [
      transportMessage({ ...type, body: '{"note":' }),
      transportMessage({ ...type, body: '{}' }),
    ];
    await broker.transport('sender').publish([broken, whole]);
    await expect
      .poll(() => service.deadLetters.list())
      .toMatchObject([
        {
          direction: 'incoming',
          cause: 'Unreadable',
          message: { id: broken.id },
          errorMessage: 'The text is not JSON.',
        },
      ]);
    expect(await broker.deadLetters('shop')).toEqual([]);
    expect((await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.id)).toEqual([whole.id]);
  });

  it('that crashes its host is dead-lettered by the broker after the delivery limit', async () => {
    const options = { url: proxy.through(broker.url), deliveryLimit: 2 };
    const receiver = broker.transport('receiver', options);
    let deliveries = 0;
    await receiver.subscribe({ name: 'events', topics: [{ topic: 'test', types: ['test.Happened'] }] }, () => {
      deliveries++;
      proxy.cut();
      return new Promise((_, reject) => setTimeout(() => reject(new Error('gone')), 20));
    });
    const [poison] = numbered(1);
    await broker.transport('sender').publish([poison!]);
    const queue = `${broker.prefix}receiver.events`;
    await expect.poll(async () => (await broker.deadLettersOf(queue)).length, { timeout: 10_000 }).toBe(1);
    const [letter] = await broker.deadLettersOf(queue);
    expect(letter!.properties.headers).toMatchObject({
      cloudEvents_id: poison!.id,
      'x-death': [{ reason: 'delivery_limit', queue }],
    });
    expect(deliveries).toBe(3);

    // Whoever has mended it moves it back to its queue.
    await receiver.close!();
    await broker.withChannel((channel) => {
      const { content, properties } = letter!;
      channel.sendToQueue(queue, content, { headers: properties.headers, contentType: properties.contentType });
      return Promise.resolve();
    });
    const { received, has } = await listen(broker.transport('receiver', { deliveryLimit: 2 }));
    await has(1);
    expect(received).toMatchObject([{ id: poison!.id, body: poison!.body }]);
  });

  it('that a host cannot read is replayed once by a version that can', async () => {
    const storage = new InMemoryStorage();
    const before = shopOn(broker.transport('shop'), storage, strictRegistry());
    await before.ready();
    const poison = transportMessage({ type: 'shop.OrderPlaced', destination: 'shop', body: '{"note":12}' });
    await broker.transport('sender').publish([poison]);
    await expect.poll(async () => (await before.deadLetters.list()).length).toBe(1);
    const [letter] = await before.deadLetters.list();
    await expect(before.deadLetters.replay(letter!.id)).rejects.toMatchObject({ code: 'SVC_UNREADABLE_EVENT' });
    await before.stop();
    const after = shopOn(broker.transport('shop'), storage);
    await after.ready();
    await after.deadLetters.replay(letter!.id);
    expect((await collect(after.eventStore.readAll())).map(({ envelope }) => envelope.id)).toEqual([poison.id]);
    expect(await after.deadLetters.list()).toEqual([]);
  });
});

/** The shop before it accepted notes that are not strings. */
function strictRegistry(): ServiceRegistry<object> {
  const registry = shopRegistry();
  const messages = registry.messages.map((message): MessageDescriptor => ({
    ...message,
    read: (value, issues) => {
      if (typeof (value as { note?: unknown }).note !== 'string') issues.add('note', 'has to be a text');
      return Object.assign(new message.class(), value) as object;
    },
  }));
  return { ...registry, messages };
}

it('a full queue is reported and retried', async () => {
  const sender = broker.transport('sender');
  await sender.publish(numbered(1));
  const full = `${broker.prefix}full`;
  await broker.withChannel(async (channel) => {
    await channel.assertQueue(full, { arguments: { 'x-max-length': 1, 'x-overflow': 'reject-publish' } });
    await channel.bindQueue(full, `${broker.prefix}test`, 'test.Happened');
  });
  await expect(sender.publish(numbered(5))).rejects.toMatchObject({
    code: 'SVC_DESTINATION_UNAVAILABLE',
    message: expect.stringContaining('rejected a message, because a queue is full') as string,
  });
  await broker.withChannel((channel) => channel.purgeQueue(full));
  await sender.publish(numbered(1));
  await broker.withChannel((channel) => channel.deleteQueue(full));
});

it('messages that cannot be sent become dead letters with their cause, and others are sent', async () => {
  const { received, has } = await listen(broker.transport('other'), undefined, {
    name: 'events',
    topics: [{ topic: 'shop', types: ['shop.OrderPlaced'] }],
  });
  const service = shopOn(broker.transport('shop'));
  await service.ready();
  const scope = { tenantId: 'x'.repeat(70_000) };
  await service.dispatcher.invoke(new PlaceOrder(), { scope });
  await service.dispatcher.invoke(new PlaceOrder());
  await has(1);
  await expect.poll(() => service.deadLetters.list()).toMatchObject([{ direction: 'outgoing', cause: 'TooLarge' }]);
  const [letter] = await service.deadLetters.list();
  expect(received.map(({ id }) => id)).not.toContain(letter!.message.id);
});

it('a message with a type that is not a routing key is rejected, and the channel stays open', async () => {
  const sender = broker.transport('sender');
  const type = `test.${'Happened'.repeat(32)}`;
  const misnamed = [transportMessage({ type }), transportMessage({ destination: type })];
  await expect(sender.publish([...misnamed, transportMessage()])).rejects.toMatchObject({
    code: 'SVC_MESSAGE_REFUSED',
    reason: 'Refused',
    messageIds: misnamed.map(({ id }) => id),
  });
  await sender.publish(numbered(1));
  const topics = [{ topic: 'test', types: [type] }];
  await expect(sender.subscribe({ name: 'events', topics }, () => Promise.resolve([]))).rejects.toEqual(
    misconfigured(/routingKey/),
  );
});

it('an unavailable storage is reported once per outage and retried', async () => {
  class Away extends InMemoryStorage {
    isAway = true;
    attempts = 0;
    override commit(record: Parameters<InMemoryStorage['commit']>[0]): void {
      this.attempts++;
      if (this.isAway) throw new StorageUnavailableError('none', new Error('It is away.'));
      super.commit(record);
    }
  }
  const storage = new Away();
  const service = shopOn(broker.transport('shop'), storage);
  await service.ready();
  const message = transportMessage({ type: 'shop.OrderPlaced', destination: 'shop', body: '{}' });
  await broker.transport('sender').publish([message]);
  await expect.poll(() => storage.attempts, { timeout: 10_000 }).toBeGreaterThan(3);
  expect(broker.reports).toMatchObject([{ code: 'SVC_STORAGE_UNAVAILABLE' }]);
  storage.isAway = false;
  await expect.poll(async () => (await collect(service.eventStore.readAll())).length, { timeout: 10_000 }).toBe(1);
});

it('a transport that is closed during a subscription leaves nothing open', async () => {
  const receiver = broker.transport('receiver');
  const subscribing = listen(receiver).then(
    ({ subscription }) => subscription.isUp,
    (error: { code: string }) => error.code,
  );
  await receiver.close!();
  expect(['SVC_TRANSPORT_CLOSED', false]).toContain(await subscribing);
  expect(broker.reports).toEqual([]);
});

it('a slow consumer leaves messages with the broker, and processes them later in order', async () => {
  const receiver = broker.transport('receiver', { prefetch: 40 });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let most = 0;
  const { received, has } = await listen(receiver, async (messages) => {
    most = Math.max(most, messages.length);
    await released;
    return [];
  });
  const messages = numbered(2_000, { body: JSON.stringify('x'.repeat(2_000)) });
  await broker.transport('sender').publish(messages);
  const left = (): Promise<number> =>
    broker.withChannel(async (channel) => (await channel.checkQueue(`${broker.prefix}receiver.events`)).messageCount);
  await expect.poll(left).toBe(1_960);
  release();
  await has(2_000);
  expect(most).toBeLessThanOrEqual(40);
  expect(received.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
});

it('a deleted queue is created again', async () => {
  const receiver = broker.transport('receiver');
  const { has, subscription } = await listen(receiver);
  await broker.withChannel((channel) => channel.deleteQueue(`${broker.prefix}receiver.events`));
  const isUp = ({ isUp: up }: Subscription): boolean => up;
  await expect.poll(() => isUp(subscription)).toBe(false);
  await expect.poll(() => isUp(subscription)).toBe(true);
  await broker.transport('sender').publish(numbered(1));
  await has(1);
});
