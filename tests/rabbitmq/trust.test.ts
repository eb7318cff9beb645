/** What a broker user can do to a host that does not trust it: nothing. With a real broker, and a user for each host. */
import {
  CommandAudited,
  createService,
  InMemoryStorage,
  newId,
  runAsHost,
  SystemEventStream,
  type Service,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { inboxOf, type PublishedMessage } from '@svc/core/transport';
import { collect, eventually, transportMessage } from '@svc/core/testing';
import type { RabbitMqOptions } from '@svc/rabbitmq';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { streamOf } from '../../examples/orders/src/roles/user-roles.js';
import { order, SecuredOrders, tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { billingRegistry, ChargeCard } from '../inbox/shops.js';
import { records } from '../system-events/shop.js';
import { brokerUserUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;
let services: Service[];

beforeEach(async () => {
  broker = new TestBroker(await brokerUserUrl('operator'));
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await broker.close();
});

interface BillingOptions extends Partial<RabbitMqOptions> {
  readonly from?: readonly string[];
  readonly storage?: Storage;
}

/** The host `billing`, which accepts its events and its command from `north`. */
async function billing({ from = ['north'], storage, ...options }: BillingOptions = {}): Promise<Service> {
  const transport = broker.transport('billing', { url: await brokerUserUrl('billing'), ...options });
  const service = createService(billingRegistry())
    .addService()
    .useStorage(storage ?? new InMemoryStorage())
    .useTransport(transport)
    .acceptEvents({ from, namespaces: ['billing'] })
    .acceptCommands({ from, commands: [ChargeCard] })
    .addSystemEventAuditing((events) => events.enableAll())
    .reportTo(() => {})
    .start();
  services.push(service);
  await service.ready();
  return service;
}

const charged = (fields: Partial<PublishedMessage> = {}): PublishedMessage =>
  transportMessage({
    type: 'billing.CardCharged',
    destination: 'billing',
    origin: 'north',
    body: '{"amount":1}',
    ...fields,
  });

function charge(fields: Partial<PublishedMessage> = {}): PublishedMessage {
  const id = newId();
  const body = JSON.stringify({ orderId: newId(), amount: 1 });
  return charged({ id, streamId: id, type: 'billing.ChargeCard', destination: inboxOf('billing'), body, ...fields });
}

const idsIn = async (service: Service): Promise<string[]> =>
  (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.id);
const causesIn = async (service: Pick<Service, 'deadLetters'>): Promise<string[]> =>
  (await runAsHost(() => service.deadLetters.list())).map(({ cause }) => cause).toSorted();
const rejects = (service: Pick<Service, 'deadLetters'>, count: number): Promise<void> =>
  eventually(async () => (await causesIn(service)).length === count, `${count} dead letters`);

it('a forged RoleAssigned grants its sender nothing', async () => {
  const transport = broker.transport('orders', { url: await brokerUserUrl('orders') });
  const orders = await SecuredOrders.start({}, { transport, acceptEventsFrom: ['north'] });
  const { service } = orders.host;
  await service.ready();
  const streamId = streamOf('acme', 'mallory');
  const body = '{"userId":"mallory","role":"admin"}';
  const names = { type: 'orders.RoleAssigned', destination: 'orders', origin: 'north' };
  const assigned = () => transportMessage({ ...names, streamId, body });
  await broker.intrude(assigned());
  await rejects(service, 1);
  expect(await causesIn(service)).toEqual(['UnprovenOrigin']);
  // With another token each time: what a known one may do is remembered for a while.
  const mallory = async (): Promise<number> =>
    (await orders.post(await tokenFor('mallory', { nonce: newId() }), '/orders', order)).status;
  expect(await mallory()).toBe(403);
  // The host whose events are accepted may, so that the test would notice if nothing came through at all.
  await broker.publishAs('north', assigned(), `${broker.prefix}orders`, 'orders.RoleAssigned', { userId: 'north' });
  await expect.poll(mallory, { timeout: 10_000 }).toBe(200);
  await orders.stop();
});

it('the broker rejects a message with the name of another user', async () => {
  const service = await billing();
  const forged = charged();
  await expect(broker.intrude(forged, undefined, { userId: 'north' })).rejects.toThrow(
    /user_id property set to 'north'/,
  );
  await broker.intrude(forged, undefined, { userId: 'intruder' });
  await rejects(service, 1);
  expect(await service.deadLetters.list()).toMatchObject([
    {
      cause: 'UnprovenOrigin',
      origin: 'north',
      provenOrigin: 'intruder',
      errorMessage: expect.stringContaining('its sender is "intruder"') as string,
    },
  ]);
  expect(await idsIn(service)).not.toContain(forged.id);
});

it('an event of an accepted host does not enter the system stream, at once or by replaying it', async () => {
  const service = await billing();
  const forged = charged({ streamId: SystemEventStream.streamId });
  await broker.publishAs('north', forged, `${broker.prefix}billing`, 'billing.CardCharged', { userId: 'north' });
  await rejects(service, 1);
  const [letter] = await service.deadLetters.list();
  expect(letter).toMatchObject({ cause: 'SystemMessage', provenOrigin: 'north' });
  await expect(service.deadLetters.replay(letter!.id)).rejects.toMatchObject({ code: 'SVC_SYSTEM_MESSAGE' });
  const stream = await collect(service.eventStore.readStream(SystemEventStream.streamId));
  expect(stream.map(({ envelope }) => envelope.type)).not.toContain('billing.CardCharged');
});

it('a message whose type does not match its routing key, its exchange or its queue is rejected', async () => {
  const service = await billing();
  const { prefix } = broker;
  // The exchange of another system on the virtual host, whose prefix is as long.
  const otherSystem = `${'x'.repeat(prefix.length)}billing`;
  await broker.withChannel(async (channel) => {
    await channel.assertExchange(`${prefix}harmless`, 'topic');
    await channel.assertExchange(otherSystem, 'topic');
    await channel.bindQueue(`${prefix}billing.events`, `${prefix}billing`, '#');
    await channel.bindQueue(`${prefix}billing.events`, `${prefix}harmless`, '#');
    await channel.bindQueue(`${prefix}billing.events`, otherSystem, '#');
    await channel.bindQueue(`${prefix}billing.inbox`, `${prefix}svc.inbox`, 'another');
  });
  const asNorth = (message: PublishedMessage, exchange: string, routingKey: string) =>
    broker.publishAs('north', message, exchange, routingKey, { userId: 'north' });
  await asNorth(charged(), `${prefix}billing`, 'billing.Harmless');
  await asNorth(charged(), `${prefix}harmless`, 'billing.CardCharged');
  await asNorth(charged(), otherSystem, 'billing.CardCharged');
  await asNorth(charged(), '', `${prefix}billing.events`);
  await asNorth(charge(), '', `${prefix}billing.inbox`);
  await asNorth(charge(), `${prefix}svc.inbox`, 'another');
  await asNorth(charged(), `${prefix}svc.inbox`, 'billing');
  await rejects(service, 7);
  expect(await causesIn(service)).toEqual(Array(7).fill('TypeMismatch'));
  expect((await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.type)).not.toContain(
    'billing.CardCharged',
  );
});

it('a command is audited as from an inbox, of a proven host, without the roles it claims', async () => {
  const service = await billing();
  const scope = { tenantId: 'acme', userId: 'ann', userName: 'Ann', roles: 'admin', source: 'jwt', origin: 'mars' };
  await broker.intrude(charge({ scope }));
  await broker.publishAs('north', charge({ scope }), `${broker.prefix}svc.inbox`, 'billing', { userId: 'north' });
  await expect.poll(async () => (await records(service, CommandAudited)).length, { timeout: 10_000 }).toBe(1);
  await rejects(service, 1);
  const own = { tenantId: 'acme', userId: 'ann', userName: 'Ann', source: 'inbox', origin: 'north' };
  expect(await records(service, CommandAudited)).toMatchObject([{ tenantId: 'acme', userId: 'ann', scope: own }]);
  const [, event] = await collect(service.eventStore.readAll());
  expect(event!.envelope.scope).toEqual(own);
});

it('a message of a host that is not accepted stays a dead letter until the host is accepted, and is then replayed once', async () => {
  const storage = new InMemoryStorage();
  const before = await billing({ storage });
  const [event, command] = [charged({ origin: 'south' }), charge({ origin: 'south' })];
  await broker.publishAs('south', event, `${broker.prefix}billing`, 'billing.CardCharged', { userId: 'south' });
  await broker.publishAs('south', command, `${broker.prefix}svc.inbox`, 'billing', { userId: 'south' });
  await rejects(before, 2);
  expect(await causesIn(before)).toEqual(['OriginNotAccepted', 'OriginNotAccepted']);
  const letters = await before.deadLetters.list();
  for (const { id } of letters) {
    await expect(before.deadLetters.replay(id)).rejects.toMatchObject({ code: 'SVC_ORIGIN_NOT_ACCEPTED' });
  }
  await before.stop();
  const after = await billing({ storage, from: ['north', 'south'] });
  // The event comes again before it is replayed, since its sender has not heard that it arrived.
  await broker.publishAs('south', event, `${broker.prefix}billing`, 'billing.CardCharged', { userId: 'south' });
  await eventually(async () => (await idsIn(after)).includes(event.id), 'the event');
  for (const { id } of letters) await after.deadLetters.replay(id);
  expect((await idsIn(after)).filter((id) => id === event.id)).toHaveLength(1);
  expect(await records(after, CommandAudited)).toMatchObject([{ commandType: 'billing.ChargeCard' }]);
  expect(await after.deadLetters.list()).toEqual([]);
});

it('a forged message does not block the real one with the same id', async () => {
  const service = await billing();
  const [event, command] = [charged(), charge()];
  await broker.intrude({ ...event, body: '{"amount":666}' });
  await broker.intrude({ ...command, body: JSON.stringify({ orderId: newId(), amount: 666 }) });
  await rejects(service, 2);
  await broker.publishAs('north', event, `${broker.prefix}billing`, 'billing.CardCharged', { userId: 'north' });
  await broker.publishAs('north', command, `${broker.prefix}svc.inbox`, 'billing', { userId: 'north' });
  await eventually(async () => (await idsIn(service)).includes(event.id), 'the event');
  await expect.poll(async () => (await records(service, CommandAudited)).length, { timeout: 10_000 }).toBe(1);
});

it('a host may have a broker user of another name, and then no other user represents it', async () => {
  const service = await billing({ users: { north: ['north-1', 'north-2'], south: 'shared', north2: 'shared' } });
  const publish = (user: string, message: PublishedMessage): Promise<void> =>
    broker.publishAs(user, message, `${broker.prefix}billing`, 'billing.CardCharged', { userId: user });
  const accepted = charged();
  await publish('north', charged());
  await publish('shared', charged());
  await publish('north-2', accepted);
  await rejects(service, 2);
  await eventually(async () => (await idsIn(service)).includes(accepted.id), 'the event');
  expect((await service.deadLetters.list()).map(({ provenOrigin }) => provenOrigin)).toEqual([null, 'south']);
});

it('a queue is unbound from what its host no longer accepts', async () => {
  const publishedAndThere = (): Promise<number> =>
    broker.withChannel(async (channel) => {
      channel.publish(`${broker.prefix}billing`, 'billing.CardCharged', Buffer.from('{}'));
      await channel.waitForConfirms();
      return (await channel.checkQueue(`${broker.prefix}billing.events`)).messageCount;
    });
  const before = broker.transport('billing');
  const topics = [{ topic: 'billing', types: ['billing.CardCharged'] }];
  const subscription = await before.subscribe({ name: 'events', topics }, () => Promise.resolve([]));
  await subscription.close();
  expect(await publishedAndThere()).toBe(1);
  await broker.withChannel((channel) => channel.purgeQueue(`${broker.prefix}billing.events`));
  const unwanted = [{ topic: 'never.there', types: ['never.there.Happened'] }, ...topics];
  const other = [{ topic: 'other', types: ['other.Happened'] }];
  const after = await before.subscribe({ name: 'events', topics: other, unwanted }, () => Promise.resolve([]));
  await after.close();
  expect(await publishedAndThere()).toBe(0);
});

it('a user that may not read what its host does not accept can still subscribe', async () => {
  const own = `${broker.prefix}(own|svc.dead-letters|limited.*)`;
  const url = await brokerUserUrl('limited', own);
  const transport = broker.transport('limited', { url });
  const topics = [{ topic: 'own', types: ['own.Happened'] }];
  const unwanted = [
    { topic: 'billing', types: ['billing.CardCharged'] },
    { topic: 'own', types: ['own.Other'] },
  ];
  await broker.withChannel((channel) => channel.assertExchange(`${broker.prefix}billing`, 'topic'));
  const subscription = await transport.subscribe({ name: 'events', topics, unwanted }, () => Promise.resolve([]));
  expect(subscription.isUp).toBe(true);
  const forbidden = [{ topic: 'billing', types: ['billing.CardCharged'] }];
  const subscribing = transport.subscribe({ name: 'events', topics: forbidden }, () => Promise.resolve([]));
  await expect(subscribing, 'the user is limited').rejects.toMatchObject({ code: 'SVC_TRANSPORT_MISCONFIGURED' });
});

it('a userId that is not that of the connection is rejected at once, without naming either', async () => {
  const transport = broker.transport('north', { userId: 'another-user' });
  await expect(transport.publish([charged()])).rejects.toMatchObject({
    code: 'SVC_TRANSPORT_MISCONFIGURED',
    message: expect.not.stringMatching(/another-user|operator/) as string,
  });
});

it('a rejected message that is too large to be stored stays with the broker, with its cause and its user', async () => {
  const service = await billing();
  const note = 'x'.repeat(70_000);
  const [event, command] = [charged({ body: `{"amount":1,"note":"${note}"}` }), charge({ body: `{"note":"${note}"}` })];
  for (const message of [event, command]) await broker.intrude(message, undefined, { userId: 'intruder' });
  for (const [queue, message] of [
    ['events', event],
    ['inbox', command],
  ] as const) {
    const letters = () => broker.deadLettersOf(`${broker.prefix}billing.${queue}`);
    await eventually(async () => (await letters()).length === 1, `a dead letter of ${queue}`);
    const [letter] = await letters();
    expect(letter!.content.toString()).toBe(message.body);
    expect(letter!.properties.headers).toMatchObject({
      'svc-dead-letter-code': 'SVC_ORIGIN_UNPROVEN',
      'svc-dead-letter-user': 'intruder',
    });
  }
  expect(await service.deadLetters.list()).toEqual([]);
});
