/** Dead letters over RabbitMQ, edited in the console of the sender and of the receiver. */
import { CommandRejectedError, createService, InMemoryStorage, type Service } from '@svc/core';
import { svcConsole } from '@svc/console/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventsOf, order } from '../inbox/hosts.js';
import { billingRegistry, charge, ChargeCard, ordersRegistry, type Receive } from '../inbox/shops.js';
import { brokerUrl, TestBroker } from '../rabbitmq/test-broker.js';

let broker: TestBroker;
let hosts: { readonly app: FastifyInstance; readonly service: Service }[];

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
  hosts = [];
});
afterEach(async () => {
  for (const { app, service } of hosts) {
    await app.close();
    await service.stop();
  }
  await broker.close();
});

async function start(service: Service, hostName: string) {
  const app = Fastify();
  hosts.push({ app, service });
  service
    .addService()
    .useStorage(new InMemoryStorage())
    .useTransport(await broker.open(hostName))
    .addSystemEventAuditing((options) => options.enableAll())
    .allowEverybody()
    .reportTo(() => {});
  await app.register(svcConsole(service));
  return { app, service };
}

/** Rejects amounts that are not positive. */
const cautiously: Receive<ChargeCard> = (command, context) => {
  if (command.amount <= 0) throw new CommandRejectedError('The amount must be positive.');
  return charge(command, context);
};

const patience = { timeout: 30_000 };

interface Letters {
  readonly deadLetters: readonly { readonly id: string; readonly cause: string; readonly messageType: string }[];
}

async function onlyLetter(app: FastifyInstance) {
  const list = async () => (await app.inject('/console/api/dead-letters')).json<Letters>().deadLetters;
  await expect.poll(async () => (await list()).length, patience).toBe(1);
  return (await list())[0]!;
}

async function edit(app: FastifyInstance, id: string, change: (body: string) => string): Promise<string> {
  const shown = await app.inject(`/console/api/dead-letters/${id}`);
  const { body } = shown.json<{ message: { body: string } }>().message;
  const payload = { body: change(body), reason: 'The amount was wrong.' };
  const answer = await app.inject({ method: 'POST', url: `/console/api/dead-letters/${id}/edit`, payload });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json<{ messageId: string }>().messageId;
}

it('sends and runs the edited command only, whichever host edits it', async () => {
  const orders = await start(createService(ordersRegistry()).addCommandsOf(billingRegistry()), 'orders');
  await order(orders.service, { amount: 1 });
  const unsent = await onlyLetter(orders.app);
  expect(unsent).toMatchObject({ cause: 'NoInbox', messageType: 'billing.ChargeCard' });

  const billing = await start(
    createService(billingRegistry(cautiously)).acceptCommands({ from: 'orders', commands: [ChargeCard] }),
    'billing',
  );
  const sent = await edit(orders.app, unsent.id, (body) => body.replace('"amount":1', '"amount":-2'));
  const refused = await onlyLetter(billing.app);
  expect(refused).toMatchObject({ cause: 'Refused', messageId: sent });

  const run = await edit(billing.app, refused.id, (body) => body.replace('"amount":-2', '"amount":3'));
  await billing.service.idle();
  expect(await eventsOf(billing.service)).toMatchObject([{ payload: { amount: 3 }, causationId: run }]);
  for (const { app, service } of hosts) {
    await service.idle();
    expect((await app.inject('/console/api/dead-letters')).json<Letters>().deadLetters).toEqual([]);
  }
});
