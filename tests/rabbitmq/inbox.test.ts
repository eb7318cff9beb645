/** Commands to the inbox of a host over RabbitMQ: what the contract does not cover. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, newId, type Service } from '@svc/core';
import { inboxOf, unprovenHosts, type Transport } from '@svc/core/transport';
import { collect, transportMessage } from '@svc/core/testing';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { billingRegistry, ChargeCard, ordersRegistry, PlaceOrder, type CardCharged } from '../inbox/shops.js';
import { TcpProxy } from '../../tools/torture/tcp-proxy.mjs';
import { brokerUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;
let proxy: TcpProxy;
let services: Service[];
let folder: string;

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
  proxy = await TcpProxy.to(Number(new URL(broker.url).port));
  services = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-inbox-'));
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await broker.close();
  await proxy.close();
  rmSync(folder, { recursive: true });
});

async function started(service: Service): Promise<Service> {
  services.push(service.reportTo(() => {}).start());
  await service.ready();
  return service;
}

const commandTo = (hostName: string) => {
  const id = newId();
  return transportMessage({ id, streamId: id, type: 'billing.ChargeCard', destination: inboxOf(hostName) });
};

it('each command takes effect once, on one of two hosts of a name, whatever happens to the connections', async () => {
  const url = proxy.through(broker.url);
  const orders = await started(
    createService(ordersRegistry())
      .useStorage(new InMemoryStorage())
      .useTransport(broker.transport('orders', { url }))
      .addCommandsOf(billingRegistry()),
  );
  const file = join(folder, 'billing.db');
  const billing = () =>
    started(
      createService(billingRegistry())
        .useStorage(sqlite({ file, pollMs: 50 }))
        .useTransport(broker.transport('billing', { url }))
        .acceptCommands({ from: unprovenHosts, commands: [ChargeCard] }),
    );
  const [first] = [await billing(), await billing()];
  const amounts = Array.from({ length: 150 }, (_, i) => i);
  for (const amount of amounts) {
    await orders.dispatcher.invoke(Object.assign(new PlaceOrder(), { amount }));
    if (amount % 40 === 20) proxy.cut();
  }
  const charged = async (): Promise<number[]> => {
    const events = await collect(first.eventStore.readAll());
    return events.map(({ envelope }) => (envelope.payload as CardCharged).amount).toSorted((a, b) => a - b);
  };
  await expect.poll(async () => (await charged()).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(150);
  expect(await charged()).toEqual(amounts);
  expect([await orders.deadLetters.list(), await first.deadLetters.list()]).toEqual([[], []]);
});

it('a host processes a limited number of commands concurrently, and the rest waits with the broker', async () => {
  const receiver = broker.transport('billing', { commandsAtOnce: 5 });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let [inHand, most, done] = [0, 0, 0];
  await receiver.openInbox!(async () => {
    most = Math.max(most, ++inHand);
    await released;
    inHand--;
    done++;
    return null;
  });
  await broker.transport('orders').publish(Array.from({ length: 100 }, () => commandTo('billing')));
  const left = (): Promise<number> =>
    broker.withChannel(async (channel) => (await channel.checkQueue(`${broker.prefix}billing.inbox`)).messageCount);
  await expect.poll(left).toBe(95);
  release();
  await expect.poll(() => done, { timeout: 10_000 }).toBe(100);
  expect(most).toBe(5);
});

it('a receptor that never ends does not block others after a lost connection, and is not run twice concurrently', async () => {
  const receiver = broker.transport('billing', { url: proxy.through(broker.url), commandsAtOnce: 2 });
  const hung = commandTo('billing');
  let runs = 0;
  const received = new Set<string>();
  let release = (): void => {};
  const released = new Promise<null>((resolve) => (release = () => resolve(null)));
  const inbox = await receiver.openInbox!(({ id }) => {
    received.add(id);
    if (id !== hung.id) return Promise.resolve(null);
    runs++;
    return released;
  });
  const sender = broker.transport('orders');
  await sender.publish([hung]);
  await expect.poll(() => runs).toBe(1);
  for (let losses = 1; losses <= 3; losses++) {
    proxy.cut();
    const other = commandTo('billing');
    await sender.publish([other]);
    await expect.poll(() => received.has(other.id), { timeout: 10_000 }).toBe(true);
  }
  expect(runs).toBe(1);
  release();
  await inbox.close();
});

it('a message that svc did not send is dead-lettered with the cause, and delays nothing', async () => {
  const received: string[] = [];
  await broker.transport('billing').openInbox!(({ id }) => {
    received.push(id);
    return Promise.resolve(null);
  });
  await broker.withChannel((channel) => {
    channel.publish(`${broker.prefix}svc.inbox`, 'billing', Buffer.from('hello'));
    return Promise.resolve();
  });
  const whole = commandTo('billing');
  await broker.transport('orders').publish([whole]);
  await expect.poll(() => received).toEqual([whole.id]);
  const queue = `${broker.prefix}billing.inbox`;
  await expect.poll(async () => (await broker.deadLettersOf(queue)).length).toBe(1);
  const [letter] = await broker.deadLettersOf(queue);
  expect(letter!.properties.headers).toMatchObject({ 'svc-dead-letter-code': 'SVC_MALFORMED_CLOUD_EVENT' });
});

it('unreadable commands are dead-lettered one by one, in order, and acknowledge no running command', async () => {
  let release = (): void => {};
  const released = new Promise<null>((resolve) => (release = () => resolve(null)));
  const running: string[] = [];
  const inbox = await broker.transport('billing', { url: proxy.through(broker.url) }).openInbox!(({ id }) => {
    running.push(id);
    return released;
  });
  const commands = [commandTo('billing'), commandTo('billing')];
  const sender = broker.transport('orders');
  const unreadable = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
  // Each command has unreadable ones behind it, which are done with before it.
  for (const [i, command] of commands.entries()) {
    await sender.publish([command]);
    await broker.withChannel((channel) => {
      for (const text of unreadable.slice(i * 3, i * 3 + 3)) {
        channel.publish(`${broker.prefix}svc.inbox`, 'billing', Buffer.from(text));
      }
      return Promise.resolve();
    });
  }
  const queue = `${broker.prefix}billing.inbox`;
  const deadLetterTexts = async (): Promise<string[]> =>
    (await broker.deadLettersOf(queue)).map(({ content }) => content.toString());
  await expect.poll(deadLetterTexts, { timeout: 10_000 }).toEqual(unreadable);
  expect(running).toEqual(commands.map(({ id }) => id));

  await proxy.close();
  const redelivered: string[] = [];
  await broker.transport('billing').openInbox!(({ id }) => {
    redelivered.push(id);
    return Promise.resolve(null);
  });
  await expect.poll(() => redelivered.toSorted(), { timeout: 10_000 }).toEqual(running.toSorted());
  expect(await deadLetterTexts(), 'once').toEqual(unreadable);
  release();
  await inbox.close();
});

it('a command that crashes its host is dead-lettered by the broker after the delivery limit', async () => {
  const receiver: Transport = broker.transport('billing', { url: proxy.through(broker.url), deliveryLimit: 2 });
  let deliveries = 0;
  await receiver.openInbox!(() => {
    deliveries++;
    proxy.cut();
    return new Promise((_, reject) => setTimeout(() => reject(new Error('gone')), 20));
  });
  const poison = commandTo('billing');
  await broker.transport('orders').publish([poison]);
  const queue = `${broker.prefix}billing.inbox`;
  await expect.poll(async () => (await broker.deadLettersOf(queue)).length, { timeout: 10_000 }).toBe(1);
  const [letter] = await broker.deadLettersOf(queue);
  expect(letter!.properties.headers).toMatchObject({ cloudEvents_id: poison.id, 'x-death': [{ queue }] });
  expect(deliveries).toBe(3);
});
