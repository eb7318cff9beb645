/** What the test double does beyond the needs of the transport, shown with the real client. */
import { ServiceBusClient } from '@azure/service-bus';
import { eventually } from '@svc/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceBusDouble } from './double/service-bus-double.js';

let bus: ServiceBusDouble;
let client: ServiceBusClient;

beforeEach(async () => {
  bus = await ServiceBusDouble.start();
  client = new ServiceBusClient(bus.connectionString, { retryOptions: { maxRetries: 0, timeoutInMs: 1_000 } });
});
afterEach(async () => {
  await client.close();
  await bus.stop();
});

it('counts deliveries of abandoned messages, and dead-letters them after the last', async () => {
  const queue = bus.createSubscription('topic', 'plain', { requiresSession: false, maxDeliveryCount: 3 });
  await client.createSender('topic').sendMessages({ messageId: 'm', body: 'x' });
  const receiver = client.createReceiver('topic', 'plain');
  for (const count of [0, 1, 2]) {
    const [message] = await receiver.receiveMessages(1);
    expect(message).toMatchObject({ messageId: 'm', deliveryCount: count });
    await receiver.abandonMessage(message!);
  }
  await eventually(() => queue.messages.length === 0, 'dead-lettered');
  const [letter] = await client.createReceiver('topic', 'plain', { subQueueType: 'deadLetter' }).peekMessages(1);
  expect(letter).toMatchObject({ messageId: 'm', deadLetterReason: 'MaxDeliveryCountExceeded' });
});

it('lets the lock of a message expire, unless it is renewed', async () => {
  bus.createSubscription('topic', 'plain', { requiresSession: false, lockMs: 400 });
  await client.createSender('topic').sendMessages({ messageId: 'm', body: 'x' });
  const receiver = client.createReceiver('topic', 'plain', { maxAutoLockRenewalDurationInMs: 0 });
  const [held] = await receiver.receiveMessages(1);
  const until = await receiver.renewMessageLock(held!);
  expect(until.getTime()).toBeGreaterThan(Date.now());
  const [again] = await receiver.receiveMessages(1);
  expect(again).toMatchObject({ messageId: 'm', deliveryCount: 1 });
  await expect(receiver.completeMessage(held!)).rejects.toMatchObject({ code: 'MessageLockLost' });
  await receiver.completeMessage(again!);
});

it('stores a state for each session, and locks a session for one receiver at a time', async () => {
  bus.createSubscription('topic', 'sessions');
  const receiver = await client.acceptSession('topic', 'sessions', 's');
  expect(await receiver.getSessionState()).toBeNull();
  await receiver.setSessionState(Buffer.from('"so far"'));
  await expect(client.acceptSession('topic', 'sessions', 's')).rejects.toMatchObject({ code: 'SessionCannotBeLocked' });
  await receiver.close();
  const next = await client.acceptSession('topic', 'sessions', 's');
  expect(await next.getSessionState()).toBe('so far');
  await next.close();
});
