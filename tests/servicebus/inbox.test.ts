/** Commands to the inbox of a host over the test double of the Service Bus: what the contract does not cover. */
import { ServiceBusClient } from '@azure/service-bus';
import { newId } from '@svc/core';
import { inboxOf } from '@svc/core/transport';
import { eventually, transportMessage } from '@svc/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DoubleBroker } from './double-broker.js';

let broker: DoubleBroker;

beforeEach(async () => {
  broker = await DoubleBroker.start();
});
afterEach(() => broker.stop());

const command = () => {
  const id = newId();
  return transportMessage({ id, streamId: id, type: 'billing.ChargeCard', destination: inboxOf('billing') });
};

it('a queue that is missing or has no sessions is reported with the fix', async () => {
  const open = () => broker.connect('billing').openInbox!(() => Promise.resolve(null));
  const code = 'SVC_TRANSPORT_MISCONFIGURED';
  const missing = /has no queue billing\.inbox\. Create the queue billing\.inbox, with sessions/;
  await expect(open()).rejects.toMatchObject({ code, message: expect.stringMatching(missing) as string });
  broker.bus.createQueue('billing.inbox', { requiresSession: false });
  const without = /queue billing\.inbox of the Service Bus has no sessions/;
  await expect(open()).rejects.toMatchObject({ code, message: expect.stringMatching(without) as string });
});

it('the queue of a host has the configured name, for sender and receiver', async () => {
  const settings = { inboxOf: (hostName: string) => `shop-${hostName}` };
  broker.bus.createQueue('shop-billing');
  const received: string[] = [];
  await broker.connect('billing', settings).openInbox!(({ id }) => {
    received.push(id);
    return Promise.resolve(null);
  });
  const sent = command();
  await broker.connect('orders', settings).publish([sent]);
  await eventually(() => received.length === 1, 'the command');
  expect(received).toEqual([sent.id]);
});

it('a message that svc did not send is dead-lettered with the cause, and delays nothing', async () => {
  const [billing, orders] = [await broker.open('billing'), await broker.open('orders')];
  const received: string[] = [];
  await billing.openInbox!(({ id }) => {
    received.push(id);
    return Promise.resolve(null);
  });
  const client = new ServiceBusClient(broker.bus.connectionString);
  await client.createSender('billing.inbox').sendMessages({ body: 'hello', sessionId: 'theirs' });
  await client.close();
  const whole = command();
  await orders.publish([whole]);
  const { deadLetters } = broker.bus.queue('billing.inbox')!;
  await eventually(() => received.length === 1 && deadLetters!.messages.length === 1, 'both to be settled');
  expect(received).toEqual([whole.id]);
  expect(deadLetters!.messages[0]!.message['application_properties']).toMatchObject({
    DeadLetterReason: 'SVC_MALFORMED_CLOUD_EVENT',
  });
});

it('commands in progress on lost connections are delivered again, and no more run concurrently than configured', async () => {
  const billing = await broker.open('billing', { commandsAtOnce: 3, timeoutMs: 1_000 });
  const orders = await broker.open('orders');
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const done = new Set<string>();
  let [inHand, most] = [0, 0];
  const { bus } = broker;
  const subscription = await billing.openInbox!(async ({ id }) => {
    most = Math.max(most, ++inHand);
    await released;
    inHand--;
    done.add(id);
    return null;
  });
  const commands = Array.from({ length: 8 }, command);
  await orders.publish(commands);
  await eventually(() => inHand === 3, 'three commands in hand');
  expect(bus.queue('billing.inbox')!.messages.length).toBe(8);
  bus.dropConnections();
  // They come again, while they are still in hand here.
  await eventually(() => subscription.isUp && bus.queue('billing.inbox')!.lockedSessions.length === 3, 'locks again');
  release();
  await eventually(() => done.size === 8 && bus.queue('billing.inbox')!.messages.length === 0, 'all to be settled');
  expect(done).toEqual(new Set(commands.map(({ id }) => id)));
  expect(most).toBe(3);
  await eventually(() => subscription.isUp, 'the inbox to be up');
  await subscription.close();
});
