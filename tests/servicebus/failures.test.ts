/** Failures between a host and the Service Bus, caused on the test double. */
import { inspect } from 'node:util';
import { newId } from '@svc/core';
import { type ReceiveMessages } from '@svc/core/transport';
import { eventually, listen, numbered, transportMessage } from '@svc/core/testing';
import { serviceBusTransport } from '@svc/servicebus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoubleBroker } from './double-broker.js';

const interest = { name: 'events', topics: [{ topic: 'test', types: ['test.Happened'] }] };
const takeAll: ReceiveMessages = () => Promise.resolve([]);
const bodies = (messages: readonly { readonly body: string }[]): number[] => messages.map(({ body }) => Number(body));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

let broker: DoubleBroker;

beforeEach(async () => {
  broker = await DoubleBroker.start();
});
afterEach(() => broker.stop());

describe('a missing or wrong configuration is reported once, with the fix, and without secrets', () => {
  const misconfigured = async (attempt: () => unknown): Promise<string> => {
    const error: unknown = await Promise.resolve()
      .then(attempt)
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ code: 'SVC_TRANSPORT_MISCONFIGURED' });
    const everything = inspect(error, { depth: 10 });
    for (const secret of [broker.bus.key, 'SharedAccessSignature', 'sig=']) expect(everything).not.toContain(secret);
    return (error as Error).message;
  };

  it('a topic', async () => {
    const transport = broker.connect('host', { topicOf: () => 'nowhere' });
    const message = await misconfigured(() => transport.publish([transportMessage()]));
    expect(message).toMatch(/^The Service Bus has no topic nowhere\. Create the topic nowhere;/);
  });

  it('a subscription', async () => {
    const message = await misconfigured(() => broker.connect('host').subscribe(interest, takeAll));
    expect(message).toMatch(/no subscription host\.events of topic svc\. Create .* with sessions/);
  });

  it('a subscription without sessions', async () => {
    broker.bus.createSubscription('svc', 'host.events', { requiresSession: false });
    const message = await misconfigured(() => broker.connect('host').subscribe(interest, takeAll));
    expect(message).toMatch(/subscription host\.events of topic svc of the Service Bus has no sessions/);
  });

  it('a key', async () => {
    broker.bus.createSubscription('svc', 'host.events');
    const transport = serviceBusTransport({ connectionString: broker.bus.wrongConnectionString, hostName: 'host' });
    const message = await misconfigured(() => transport.publish([transportMessage()]));
    expect(message).toMatch(/denies this host access to the topic svc\. Check the key/);
    expect(await misconfigured(() => transport.subscribe(interest, takeAll))).toMatch(/denies this host access/);
    await transport.close();
  });

  it('an invalid connection string, or that of one topic', async () => {
    const secret = broker.bus.key;
    const connect = (connectionString: string) => () => serviceBusTransport({ connectionString, hostName: 'host' });
    expect(await misconfigured(connect(`SharedAccessKey=${secret}`))).toMatch(/connection string is invalid/);
    expect(await misconfigured(connect(`${broker.bus.connectionString};EntityPath=svc`))).toMatch(/EntityPath/);
  });

  it('an invalid name of a subscription', async () => {
    expect(await misconfigured(() => broker.connect('x'.repeat(60)))).toMatch(/at most 50/);
    expect(await misconfigured(() => broker.connect('a host'))).toMatch(/letters, digits/);
  });

  it('an invalid setting', async () => {
    expect(await misconfigured(() => broker.connect('host', { prefetch: 0 }))).toMatch(
      /prefetch must be a whole number from 1 to 65535, not 0/,
    );
  });
});

describe('a lost connection', () => {
  it('is reopened: everything arrives, in order, and isUp reports it', async () => {
    const [sender, receiver] = [await broker.open('sender', { timeoutMs: 500 }), await broker.open('receiver')];
    const { received, subscription } = await listen(receiver);
    const streamId = newId();
    for (let i = 0; i < 5; i++) {
      const messages = numbered(20, { streamId }, i * 20);
      // As the outbox does: what was not confirmed is published again.
      const isPublished = (): Promise<boolean> =>
        sender.publish(messages).then(
          () => true,
          () => false,
        );
      await eventually(isPublished, 'published');
      broker.bus.dropConnections();
    }
    await eventually(() => new Set(received.map(({ id }) => id)).size === 100, '100 messages');
    const firstOfEach = received.filter(({ id }, i) => received.findIndex((other) => other.id === id) === i);
    expect(bodies(firstOfEach)).toEqual(upTo(100));
    await broker.bus.goAway();
    await eventually(() => !subscription.isUp, 'down');
    await broker.bus.listen();
    await eventually(() => subscription.isUp, 'up again');
  });

  it('does not prevent a host from subscribing: it keeps retrying', async () => {
    const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
    await broker.bus.goAway();
    const { received, subscription, has } = await listen(receiver);
    expect(subscription.isUp).toBe(false);
    await expect(sender.publish(numbered(1))).rejects.toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
    await broker.bus.listen();
    await eventually(() => subscription.isUp, 'up');
    await sender.publish(numbered(3));
    await has(3);
    expect(bodies(received)).toEqual([0, 1, 2]);
  });
});

describe('a Service Bus that does not answer', () => {
  const timeoutMs = 300;

  it('does not block a publisher, and is retried with a new client', async () => {
    const sender = await broker.open('sender', { timeoutMs });
    await broker.open('receiver');
    broker.bus.faults.hangs = true;
    const started = performance.now();
    await expect(sender.publish(numbered(1))).rejects.toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
    expect(performance.now() - started).toBeLessThan(5_000);
    broker.bus.faults.hangs = false;
    await sender.publish(numbered(1));
    expect(broker.bus.subscription('svc', 'receiver.events')!.messages).toHaveLength(1);
  });

  it('fails unconfirmed messages, although it has them: they are published again and identified by id', async () => {
    const sender = await broker.open('sender', { timeoutMs });
    await broker.open('receiver');
    await sender.publish(numbered(1));
    broker.bus.faults.losesConfirmations = true;
    const message = transportMessage();
    await expect(sender.publish([message])).rejects.toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
    broker.bus.faults.losesConfirmations = false;
    await sender.publish([message]);
    const stored = broker.bus.subscription('svc', 'receiver.events')!.messages;
    expect(stored.slice(1).map((queued) => queued.message.message_id)).toEqual([message.id, message.id]);
  });

  it('fails throttled messages', async () => {
    const sender = await broker.open('sender', { timeoutMs });
    broker.bus.faults.throttles = true;
    await expect(sender.publish(numbered(1))).rejects.toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
    broker.bus.faults.throttles = false;
    await sender.publish(numbered(1));
  });

  it('distinguishes a full topic from an unreachable namespace', async () => {
    const sender = await broker.open('sender', { timeoutMs });
    broker.bus.faults.isFull = true;
    await expect(sender.publish(numbered(1))).rejects.toMatchObject({
      code: 'SVC_DESTINATION_UNAVAILABLE',
      message: expect.stringContaining('is full') as string,
    });
    broker.bus.faults.isFull = false;
    await sender.publish(numbered(1));
  });

  it('rejects pending messages when the transport is closed', async () => {
    const sender = await broker.open('sender');
    broker.bus.faults.hangs = true;
    const publishing = Promise.allSettled([sender.publish(numbered(1))]);
    await sender.close();
    expect(await publishing).toMatchObject([{ status: 'rejected', reason: { code: 'SVC_TRANSPORT_CLOSED' } }]);
  });
});

describe('locks', () => {
  it('that are lost during processing lead to redelivery, also of later messages', async () => {
    const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
    const messages = numbered(5);
    let lost = false;
    const { received } = await listen(receiver, () => {
      if (!lost) broker.bus.subscription('svc', 'receiver.events')!.expireSession(messages[0]!.streamId);
      lost = true;
      return Promise.resolve([]);
    });
    await sender.publish(messages);
    await eventually(() => received.length === 10, 'all of them twice');
    expect(bodies(received)).toEqual([...upTo(5), ...upTo(5)]);
    await eventually(() => broker.bus.subscription('svc', 'receiver.events')!.messages.length === 0, 'settled');
  });

  it('are renewed while processing takes longer than a lock', async () => {
    const queue = broker.bus.createSubscription('svc', 'slow.events', { lockMs: 600 });
    const [sender, receiver] = [await broker.open('sender'), await broker.open('slow')];
    const { received, has } = await listen(receiver, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return [];
    });
    await sender.publish(numbered(3));
    await has(3);
    await eventually(() => queue.messages.length === 0, 'settled');
    expect(received).toHaveLength(3);
  });

  it('are held while messages cannot be processed: no attempt counts, and none becomes a dead letter', async () => {
    const queue = broker.bus.createSubscription('svc', 'broken.events', { maxDeliveryCount: 3 });
    const [sender, receiver] = [await broker.open('sender'), await broker.open('broken')];
    let attempts = 0;
    const { has } = await listen(receiver, () =>
      ++attempts <= 6 ? Promise.reject(new Error('the storage is away')) : Promise.resolve([]),
    );
    await sender.publish(numbered(1));
    await eventually(() => attempts === 6, 'six attempts');
    expect(queue.messages.map(({ deliveryCount }) => deliveryCount)).toEqual([0]);
    await has(1);
    expect(queue.deadLetters!.messages).toEqual([]);
  });

  it('are limited to a number of streams at once, and each has its turn', async () => {
    const [sender, receiver] = [
      await broker.open('sender'),
      await broker.open('receiver', { maxConcurrentSessions: 3, sessionIdleMs: 10 }),
    ];
    const queue = broker.bus.subscription('svc', 'receiver.events')!;
    let most = 0;
    const { received, has } = await listen(receiver, () => {
      most = Math.max(most, queue.lockedSessions.length);
      return Promise.resolve([]);
    });
    await sender.publish(Array.from({ length: 30 }, () => transportMessage()));
    await has(30);
    expect(new Set(received.map(({ streamId }) => streamId)).size).toBe(30);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('do not stay with one busy stream for ever', async () => {
    const [sender, receiver] = [
      await broker.open('sender'),
      await broker.open('receiver', { maxConcurrentSessions: 1, sessionTurnMs: 300 }),
    ];
    const busy = newId();
    const { received } = await listen(receiver, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return [];
    });
    const other = transportMessage();
    for (let i = 0; !received.some(({ id }) => id === other.id); i++) {
      if (i > 1_000) throw new Error('the other stream never had its turn');
      await sender.publish(numbered(1, { streamId: busy }, i));
      if (i === 3) await sender.publish([other]);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const ofBusy = bodies(received.filter(({ streamId }) => streamId === busy));
    expect(ofBusy).toEqual(upTo(ofBusy.length));
  });
});

describe('sent messages', () => {
  it('go in as many batches as their size requires', async () => {
    const sender = await broker.open('sender');
    await sender.publish(numbered(300));
    expect(broker.bus.transfersReceived).toBe(1);
    await sender.publish(Array.from({ length: 6 }, () => transportMessage({ body: `"${'x'.repeat(100_000)}"` })));
    expect(broker.bus.transfersReceived).toBe(4);
  });

  it('that exceed the limit of the topic are rejected by id and reported with their size', async () => {
    const sender = await broker.open('sender');
    const large = transportMessage({ body: `"${'x'.repeat(400_000)}"` });
    await expect(sender.publish([transportMessage(), large])).rejects.toMatchObject({
      code: 'SVC_MESSAGE_REFUSED',
      reason: 'TooLarge',
      messageIds: [large.id],
      message: expect.stringContaining('400002 bytes'),
    });
  });

  it.each([
    ['one property', { tenantId: 'ß'.repeat(17_000) }, {}],
    ['all of its properties', { tenantId: 'x'.repeat(30_000) }, { note: 'x'.repeat(30_000) }],
  ])(
    'with more in %s than the limit of the Service Bus are rejected by id, and delay no other',
    async (_what, scope, metadata) => {
      const sender = await broker.open('sender');
      const { received, has } = await listen(await broker.open('receiver'));
      const large = transportMessage({ scope, metadata });
      const others = numbered(2);
      await expect(sender.publish([others[0]!, large, others[1]!])).rejects.toMatchObject({
        code: 'SVC_MESSAGE_REFUSED',
        reason: 'TooLarge',
        messageIds: [large.id],
        message: expect.stringMatching(/Scope and metadata/) as string,
      });
      await sender.publish(others);
      await has(2);
      expect(received.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
    },
  );

  it('to a partitioned topic go stream by stream, and stay in order', async () => {
    broker.bus.createTopic('parts', { partitioned: true });
    const queue = broker.bus.createSubscription('parts', 'other.events');
    const topicOf = (): string => 'parts';
    const streams = upTo(20).map(() => numbered(5));
    const mixed = upTo(5).flatMap((i) => streams.map((stream) => stream[i]!));
    const unaware = broker.connect('sender', { topicOf });
    await expect(unaware.publish(mixed)).rejects.toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
    await broker.connect('sender', { topicOf, partitioned: true }).publish(mixed);
    for (const stream of streams) {
      const queued = queue.messages.filter(({ message }) => message.group_id === stream[0]!.streamId);
      expect(queued.map(({ message }) => message.message_id)).toEqual(stream.map(({ id }) => id));
    }
  });

  it('go to a topic per destination if configured', async () => {
    const topicOf = (destination: string): string => `events-${destination}`;
    for (const topic of ['events-test', 'events-test.more']) broker.bus.createSubscription(topic, 'receiver.events');
    const [sender, receiver] = [broker.connect('sender', { topicOf }), broker.connect('receiver', { topicOf })];
    const { received, has } = await listen(receiver);
    await sender.publish([
      transportMessage(),
      transportMessage({ destination: 'test.more', type: 'test.more.Happened' }),
    ]);
    await has(2);
    expect(received.map(({ destination }) => destination).toSorted()).toEqual(['test', 'test.more']);
  });
});
