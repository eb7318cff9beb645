/** The broker users of docs/guides/transports.md, created by its commands on a private broker, and two hosts that use them. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createService, InMemoryStorage, newId, type Service, type ServiceRegistry } from '@svc/core';
import { collect, eventually, transportMessage } from '@svc/core/testing';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { connect } from 'amqplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNode, type RabbitMqNode } from '../../../tools/rabbitmq/node.mjs';
import { Guide } from './guide.js';
import { billingRegistry, ChargeCard, ordersRegistry, PlaceOrder } from '../../inbox/shops.js';

const passwords = {
  ORDERS_PASSWORD: randomBytes(16).toString('hex'),
  BILLING_PASSWORD: randomBytes(16).toString('hex'),
};
let node: RabbitMqNode | undefined;
const services: Service[] = [];

beforeAll(async () => {
  node = await createNode();
}, 240_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await node?.remove();
});

/** The arguments of each `rabbitmqctl` call in the guide, as a shell parses them. */
function commandsOfGuide(): readonly string[][] {
  const block = new Guide('transports.md').blocks.find(({ text }) => text.includes('rabbitmqctl add_user'))!;
  const script = `rabbitmqctl() { printf '%s\\0' "$@"; printf '\\n'; }\n${block.text}`;
  const { stdout } = spawnSync('sh', ['-e', '-c', script], { env: passwords, encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\0').slice(0, -1));
}

const urlOf = (user: 'orders' | 'billing'): string =>
  `amqp://${user}:${passwords[user === 'orders' ? 'ORDERS_PASSWORD' : 'BILLING_PASSWORD']}@127.0.0.1:${node!.port}/shop`;

/** A host with its own messages and the events of the other. */
function host(name: 'orders' | 'billing', own: ServiceRegistry<object>, other: ServiceRegistry<object>): Service {
  const events = other.messages.filter(({ kind }) => kind === 'event');
  const service = createService({ ...own, messages: [...own.messages, ...events] })
    .useStorage(new InMemoryStorage())
    .useTransport(rabbitMqTransport({ url: urlOf(name), hostName: name }))
    .addAmqpBrokerHealthChecks()
    .reportTo(() => {});
  services.push(service);
  return service;
}

const typesIn = async (service: Service): Promise<string[]> =>
  (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.type).toSorted();

it('lets two hosts exchange events and commands, and neither write as the other', async () => {
  const commands = commandsOfGuide();
  expect(commands.map(([command]) => command)).toEqual([
    'add_vhost',
    'add_user',
    'add_user',
    'set_permissions',
    'set_permissions',
    'set_policy',
  ]);
  for (const args of commands) await node!.control(...args);
  const orders = host('orders', ordersRegistry(), billingRegistry())
    .addCommandsOf(billingRegistry())
    .acceptEvents({ from: 'billing', namespaces: ['billing'] })
    .start();
  const billing = host('billing', billingRegistry(), ordersRegistry())
    .acceptEvents({ from: 'orders', namespaces: ['orders'] })
    .acceptCommands({ from: 'orders', commands: [ChargeCard] })
    .start();
  await Promise.all([orders.ready(), billing.ready()]);
  await orders.dispatcher.invoke(new PlaceOrder());
  for (const service of [orders, billing]) {
    await eventually(async () => (await typesIn(service)).length === 2, 'both events');
    expect(await typesIn(service)).toEqual(['billing.CardCharged', 'orders.OrderPlaced']);
    expect((await service.health.run()).status).toBe('Healthy');
  }
  // These permissions are enough to dead-letter a rejected message that is too large.
  const sender = rabbitMqTransport({ url: urlOf('orders'), hostName: 'orders', report: () => {} });
  const id = newId();
  const body = JSON.stringify({ amount: 1, note: 'x'.repeat(70_000) });
  const charge = { id, streamId: id, type: 'billing.ChargeCard', destination: 'inbox:billing', origin: 'nobody', body };
  await sender.publish([transportMessage(charge)]);
  const letters = async (): Promise<number> => {
    const connection = await connect(urlOf('billing'));
    const { messageCount } = await (await connection.createChannel()).checkQueue('billing.inbox.dead-letters');
    await connection.close();
    return messageCount;
  };
  await eventually(async () => (await letters()) === 1, 'a dead letter at the broker');
  const foreign = transportMessage({ type: 'billing.CardCharged', destination: 'billing', origin: 'orders' });
  await expect(sender.publish([foreign])).rejects.toMatchObject({ code: 'SVC_TRANSPORT_MISCONFIGURED' });
  await sender.close!();
}, 120_000);
