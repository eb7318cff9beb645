import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CommandAudited,
  CommandRejectedError,
  createService,
  currentSecurityContext,
  InMemoryStorage,
  InProcessTransport,
  MessageDeadLettered,
  newId,
  ReceptorFailed,
  runAs,
  ServiceError,
  SystemEventStream,
  type SecurityContext,
  type Service,
  type ServiceRegistry,
} from '@svc/core';
import { StorageUnavailableError, type Storage } from '@svc/core/storage';
import {
  inboxOf,
  type ReceiveCommand,
  type ReceivedMessage,
  type Transport,
  type TransportMessage,
} from '@svc/core/transport';
import { collect, receivedMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { records } from '../system-events/shop.js';
import { billingRegistry, CardCharged, charge, ChargeCard, ordersRegistry, OrderPlaced, PlaceOrder } from './shops.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-inbox-'));
let database: TestDatabase;
let services: Service[];
let reports: unknown[];
beforeAll(async () => void (database = await createDatabase()));
afterAll(async () => {
  await database.remove();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  [services, reports] = [[], []];
  await database.clear();
});
afterEach(() => Promise.all(services.map((service) => service.stop())));

async function started(
  registry: ServiceRegistry<object>,
  transport: Transport,
  { storage = new InMemoryStorage(), accepts = true }: { storage?: Storage; accepts?: boolean } = {},
): Promise<Service> {
  const service = createService(registry)
    .addService()
    .useStorage(storage)
    .useTransport(transport)
    .addSystemEventAuditing((options) => options.enableAll())
    .reportTo((error) => reports.push(error));
  if (!registry.messages.some((message) => message.class === ChargeCard)) service.addCommandsOf(billingRegistry());
  else if (accepts) service.acceptCommands({ from: ['orders', 'billing'], commands: [ChargeCard] });
  service.start();
  services.push(service);
  await service.ready();
  return service;
}

const order = (service: Service, fields: Partial<PlaceOrder> = {}): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new PlaceOrder(), fields));

async function eventsOf(service: Service) {
  const all = await collect(service.eventStore.readAll());
  return all.filter(({ envelope }) => !envelope.type.startsWith('svc.')).map(({ envelope }) => envelope);
}

async function typesOf(service: Service): Promise<string[]> {
  return (await eventsOf(service)).map(({ type }) => type);
}

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

/** Hands over what a test gives it, and lets every message leave. */
class ByHand implements Transport {
  readonly hostName = 'billing';
  readonly published: TransportMessage[] = [];
  receive: ReceiveCommand = () => Promise.resolve(null);
  canProve = () => true;

  publish(messages: readonly TransportMessage[]): Promise<void> {
    this.published.push(...messages);
    return Promise.resolve();
  }

  subscribe = () => Promise.resolve({ isUp: true, close: () => Promise.resolve() });

  openInbox(receive: ReceiveCommand) {
    this.receive = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

function chargeMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  return receivedMessage({
    id,
    type: 'billing.ChargeCard',
    streamId: id,
    body: JSON.stringify({ orderId: newId(), amount: 12 }),
    timestamp: Date.now(),
    correlationId: newId(),
    causationId: newId(),
    scope: { tenantId: 'acme', userId: 'ann' },
    metadata: {},
    destination: inboxOf('billing'),
    origin: 'orders',
    ...fields,
  });
}

describe.each(Object.keys(kinds))('on %s', (kind) => {
  it('a sent command runs and is audited on the other host, with the ids of its cause', async () => {
    const transport = new InProcessTransport();
    const orders = await started(ordersRegistry(), transport.host('orders'), { storage: kinds[kind]!() });
    const billing = await started(billingRegistry(), transport.host('billing'));
    const ann: SecurityContext = {
      scope: { tenantId: 'acme', userId: 'ann' },
      roles: new Set(),
      permissions: new Set(),
      source: 'jwt',
    };
    await runAs(ann, () => order(orders, { amount: 30 }));
    await expect.poll(() => typesOf(billing)).toEqual(['billing.CardCharged']);
    const [[placed], [charged]] = [await eventsOf(orders), await eventsOf(billing)];
    expect(charged).toMatchObject({
      payload: { amount: 30 },
      correlationId: placed!.correlationId,
      scope: { tenantId: 'acme', userId: 'ann' },
    });
    const [audited] = await records(billing, CommandAudited);
    expect(audited).toMatchObject({
      commandType: 'billing.ChargeCard',
      receptorName: 'ChargeCardReceptor',
      tenantId: 'acme',
      userId: 'ann',
      causationId: placed!.causationId,
    });
    const ofSender = await records(orders, CommandAudited);
    expect(ofSender.map(({ commandType }) => commandType)).toEqual(['orders.PlaceOrder']);
    expect(reports).toEqual([]);
  });

  it('a command that is delivered twice takes effect once, with one inbox entry, and nothing fails', async () => {
    const transport = new ByHand();
    const billing = await started(billingRegistry(), transport, { storage: kinds[kind]!() });
    const message = chargeMessage();
    await Promise.all([transport.receive(message), transport.receive(message)]);
    await transport.receive(message);
    expect(await typesOf(billing)).toEqual(['billing.CardCharged']);
    expect((await eventsOf(billing))[0]).toMatchObject({
      causationId: message.id,
      correlationId: message.correlationId,
      scope: { tenantId: 'acme', userId: 'ann', source: 'inbox', origin: 'orders' },
    });
    expect(await records(billing, CommandAudited)).toHaveLength(1);
    expect(await records(billing, ReceptorFailed)).toEqual([]);
    expect(await billing.deadLetters.list()).toEqual([]);
    expect(reports).toEqual([]);
  });

  it('a command that changes nothing is recorded as received', async () => {
    const transport = new ByHand();
    let runs = 0;
    await started(
      billingRegistry(() => void runs++),
      transport,
      { storage: kinds[kind]!() },
    );
    const message = chargeMessage();
    await transport.receive(message);
    await transport.receive(message);
    expect(runs, 'the second run finds out when it is kept').toBe(2);
  });

  it('a command whose receptor throws is tried ten times, and is replayed until it succeeds', async () => {
    const transport = new ByHand();
    let isBroken = true;
    const registry = billingRegistry((command, context) => {
      charge(command, context);
      if (isBroken) throw new Error('The bank is closed.');
    });
    const billing = await started(registry, transport, { storage: kinds[kind]!() });
    const message = chargeMessage();
    for (let attempt = 1; attempt < 10; attempt++) {
      await expect(transport.receive(message)).rejects.toThrow('The bank is closed.');
    }
    expect(await billing.deadLetters.list()).toEqual([]);
    await transport.receive(message);
    const [letter, ...others] = await billing.deadLetters.list();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      direction: 'incoming',
      cause: 'AttemptsExhausted',
      attempts: 10,
      destination: 'inbox:billing',
      origin: 'orders',
      errorMessage: 'The bank is closed.',
      message: { id: message.id, scope: message.scope },
    });
    expect(reports).toHaveLength(10);
    expect(await records(billing, MessageDeadLettered)).toMatchObject([{ messageId: message.id, attempt: 10 }]);
    // It is done with for the broker: nothing happens when it comes once more.
    isBroken = false;
    await transport.receive(message);
    expect(await typesOf(billing)).toEqual([]);

    isBroken = true;
    await expect(billing.deadLetters.replay(letter!.id)).rejects.toThrow('The bank is closed.');
    expect(await billing.deadLetters.list()).toHaveLength(1);
    isBroken = false;
    const twice = await Promise.allSettled([1, 2].map(() => billing.deadLetters.replay(letter!.id)));
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await typesOf(billing)).toEqual(['billing.CardCharged']);
    expect(await billing.deadLetters.list()).toEqual([]);
    await expect(billing.deadLetters.replay(letter!.id)).rejects.toMatchObject({ code: 'SVC_UNKNOWN_DEAD_LETTER' });
  });

  it('(error events) attempt is the real number of a retried command, and continues in replays', async () => {
    const transport = new ByHand();
    let fails: Error | null = new Error('The bank is closed.');
    const registry = billingRegistry(() => {
      if (fails !== null) throw fails;
    });
    const billing = await started(registry, transport, { storage: kinds[kind]!() });
    const message = chargeMessage();
    for (let attempt = 1; attempt < 10; attempt++) await transport.receive(message).catch(() => {});
    await transport.receive(message);
    const [letter] = await billing.deadLetters.list();
    for (let i = 0; i < 2; i++) await billing.deadLetters.replay(letter!.id).catch(() => {});
    const failed = await records(billing, ReceptorFailed);
    expect(failed.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(new Set(failed.map(({ messageId }) => messageId))).toEqual(new Set([message.id]));
    fails = null;
    await billing.deadLetters.replay(letter!.id);

    const other = chargeMessage();
    fails = new Error('The bank is closed.');
    await transport.receive(other).catch(() => {});
    fails = new CommandRejectedError('No.');
    await transport.receive(other);
    expect((await records(billing, MessageDeadLettered)).at(-1)).toMatchObject({ messageId: other.id, attempt: 2 });
  });

  it('a command for a host without an inbox becomes a dead letter of the sender, and is replayed once there is an inbox', async () => {
    const transport = new InProcessTransport();
    const orders = await started(ordersRegistry(), transport.host('orders'), { storage: kinds[kind]!() });
    await order(orders, { amount: 7 });
    await expect
      .poll(() => orders.deadLetters.list())
      .toMatchObject([
        {
          direction: 'outgoing',
          cause: 'NoInbox',
          destination: 'inbox:billing',
          message: { type: 'billing.ChargeCard' },
        },
      ]);
    const billing = await started(billingRegistry(), transport.host('billing'));
    const [letter] = await orders.deadLetters.list();
    await orders.deadLetters.replay(letter!.id);
    await expect.poll(() => typesOf(billing)).toEqual(['billing.CardCharged']);
    expect((await eventsOf(billing))[0]!.causationId).toBe(letter!.message.id);
    expect(await orders.deadLetters.list()).toEqual([]);
  });
});

describe('sending', () => {
  it('is rolled back when the command fails', async () => {
    const transport = new InProcessTransport();
    const orders = await started(
      ordersRegistry((_command, context) => {
        context.send(new ChargeCard(), { to: 'billing' });
        throw new CommandRejectedError('No.');
      }),
      transport.host('orders'),
    );
    const billing = await started(billingRegistry(), transport.host('billing'));
    await expect(order(orders)).rejects.toThrow('No.');
    await orders.idle();
    await transport.idle();
    expect(await typesOf(billing)).toEqual([]);
    expect(await orders.deadLetters.list()).toEqual([]);
  });

  it('can go to this host, and runs in its own unit of work', async () => {
    const transport = new InProcessTransport();
    const registry = billingRegistry((command, context) => {
      charge(command, context);
      if (command.amount > 1) context.send(Object.assign(new ChargeCard(), { amount: 1 }), { to: 'billing' });
    });
    const billing = await started(registry, transport.host('billing'));
    await billing.dispatcher.invoke(Object.assign(new ChargeCard(), { amount: 5 }));
    await expect
      .poll(async () => (await eventsOf(billing)).map(({ payload }) => (payload as CardCharged).amount))
      .toEqual([5, 1]);
    const [first, second] = await eventsOf(billing);
    expect(second!.correlationId).toBe(first!.correlationId);
  });

  it('waits for an unavailable broker, across a restart of the host', async () => {
    const file = join(folder, 'orders.db');
    const away: Transport = {
      ...new InProcessTransport().host('orders'),
      publish: () => Promise.reject(new ServiceError('SVC_TRANSPORT_UNAVAILABLE', 'Away.')),
    };
    const before = await started(ordersRegistry(), away, { storage: sqlite({ file }) });
    await order(before, { amount: 9 });
    await before.stop();
    const transport = new InProcessTransport();
    const billing = await started(billingRegistry(), transport.host('billing'));
    await started(ordersRegistry(), transport.host('orders'), { storage: sqlite({ file }) });
    await expect.poll(() => typesOf(billing)).toEqual(['billing.CardCharged']);
  });

  it.each([
    ['an event', (): object => new OrderPlaced(), 'billing', 'SVC_UNKNOWN_MESSAGE'],
    ['what nobody has registered', (): object => new CardCharged(), 'billing', 'SVC_UNKNOWN_MESSAGE'],
    ['to no name at all', (): object => new ChargeCard(), '', 'SVC_INVALID_HOST_NAME'],
    ['to what is no name', (): object => new ChargeCard(), 'a host/*', 'SVC_INVALID_HOST_NAME'],
  ])('is rejected at once: %s', async (_what, make, to, code) => {
    const registry = ordersRegistry((_command, context) => context.send(make(), { to }));
    const orders = await started(registry, new InProcessTransport().host('orders'));
    await expect(order(orders)).rejects.toMatchObject({ code });
  });

  it('requires a transport that transports commands', async () => {
    const alone = createService(ordersRegistry()).addCommandsOf(billingRegistry()).start();
    services.push(alone);
    await expect(order(alone)).rejects.toMatchObject({ code: 'SVC_INBOX_UNSUPPORTED' });
    expect(await typesOf(alone)).toEqual([]);
  });
});

describe('accepting', () => {
  it('is configured for each command: others are rejected with a cause, and run when they are replayed after acceptance', async () => {
    const file = join(folder, 'accepting.db');
    const transport = new ByHand();
    const closed = createService(billingRegistry())
      .useStorage(sqlite({ file }))
      .useTransport(transport)
      .addReceptor(PlaceOrder, { receive: () => undefined }, 'PlaceOrderReceptor')
      .addCommandsOf(ordersRegistry())
      .acceptCommands({ from: 'orders', commands: [PlaceOrder] })
      .start();
    services.push(closed);
    await closed.ready();
    const message = chargeMessage();
    await transport.receive(message);
    await transport.receive(chargeMessage({ type: 'billing.CardCharged' }));
    await transport.receive(chargeMessage({ type: 'nobody.KnowsThis' }));
    const letters = await closed.deadLetters.list();
    expect(letters).toMatchObject([
      { cause: 'OriginNotAccepted', message: { id: message.id }, attempts: 1 },
      { cause: 'TypeMismatch', message: { type: 'billing.CardCharged' } },
      { cause: 'OriginNotAccepted', message: { type: 'nobody.KnowsThis' } },
    ]);
    expect(letters[0]!.errorMessage).toMatch(/"billing\.ChargeCard" is not accepted from "orders"/);
    await expect(closed.deadLetters.replay(letters[0]!.id)).rejects.toMatchObject({ code: 'SVC_ORIGIN_NOT_ACCEPTED' });
    await closed.stop();
    const open = await started(billingRegistry(), new ByHand(), { storage: sqlite({ file }) });
    await open.deadLetters.replay(letters[0]!.id);
    expect(await typesOf(open)).toEqual(['billing.CardCharged']);
  });

  it('dead-letters commands that are unreadable or rejected by their receptor at once', async () => {
    const transport = new ByHand();
    const billing = await started(
      billingRegistry(() => {
        throw new CommandRejectedError('The card is not valid.');
      }),
      transport,
    );
    for (const body of ['{"amount":', '{"amount":"12"}', '{"amount":12}']) {
      await transport.receive(chargeMessage({ body }));
    }
    const letters = await billing.deadLetters.list();
    expect(letters.map(({ cause, errorMessage }) => [cause, errorMessage])).toEqual([
      ['Unreadable', 'The text is not JSON.'],
      ['Unreadable', expect.stringContaining('amount')],
      ['Refused', 'The card is not valid.'],
    ]);
    expect(await typesOf(billing)).toEqual([]);
  });

  it('retries a command that reads an unreadable event, because the command is not at fault', async () => {
    const transport = new ByHand();
    const streamId = newId();
    const billing = await started(
      billingRegistry(async (_command, context) => {
        await collect(context.readStream(streamId));
        context.append(streamId, Object.assign(new CardCharged(), { amount: Number.NaN }));
      }),
      transport,
    );
    await transport.receive(chargeMessage());
    await expect(transport.receive(chargeMessage())).rejects.toMatchObject({ code: 'SVC_UNREADABLE_EVENT' });
    expect(await billing.deadLetters.list()).toEqual([]);
  });

  it('waits for an unavailable storage, and counts no attempt', async () => {
    class Flaky extends InMemoryStorage {
      isAway = false;
      override commit(record: Parameters<InMemoryStorage['commit']>[0]): void {
        if (this.isAway) throw new StorageUnavailableError('none', new Error('It is away.'));
        super.commit(record);
      }
    }
    const storage = new Flaky();
    const transport = new ByHand();
    const billing = await started(billingRegistry(), transport, { storage });
    storage.isAway = true;
    const message = chargeMessage();
    for (let i = 0; i < 30; i++) {
      await expect(transport.receive(message)).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
    }
    storage.isAway = false;
    await transport.receive(message);
    expect(await typesOf(billing)).toEqual(['billing.CardCharged']);
    expect(await billing.deadLetters.list()).toEqual([]);
  });

  it('lets a receptor act for the user that the sender names, without the permissions that the message claims', async () => {
    const transport = new ByHand();
    const seen: (SecurityContext | null)[] = [];
    const denied: unknown[] = [];
    let billing: Service | null = null;
    const registry = billingRegistry(async () => {
      seen.push(currentSecurityContext());
      await collect(billing!.eventStore.readStream(SystemEventStream.streamId)).catch((error) => denied.push(error));
      await billing!.deadLetters.list().catch((error) => denied.push(error));
    });
    billing = await started(registry, transport);
    const scope = {
      tenantId: 'acme',
      userId: 'ann',
      region: 'north',
      allowedPrincipals: 'ann,bob',
      userName: 'Ann',
      roles: 'admin',
      permissions: '*:*',
      source: 'jwt',
    };
    await transport.receive(chargeMessage({ scope }));
    await transport.receive(chargeMessage({ scope: null }));
    expect(seen).toEqual([
      {
        scope: {
          tenantId: 'acme',
          userId: 'ann',
          allowedPrincipals: ['ann', 'bob'],
          extensions: { region: 'north' },
        },
        roles: new Set(),
        permissions: new Set(),
        source: 'inbox',
        userName: 'Ann',
      },
      { scope: {}, roles: new Set(), permissions: new Set(), source: 'inbox' },
    ]);
    expect(denied).toHaveLength(4);
    for (const error of denied) expect(error).toMatchObject({ code: 'SVC_ACCESS_DENIED' });
  });

  it('stores readable events, whatever the metadata of a command contain', async () => {
    const transport = new ByHand();
    const billing = await started(billingRegistry(), transport);
    await transport.receive(
      chargeMessage({ metadata: { schemaVersion: 7, origin: 'mars', traceparent: 't', note: 1 } }),
    );
    expect((await eventsOf(billing)).map(({ metadata }) => metadata)).toEqual([{ traceparent: 't', note: 1 }]);
  });

  it('requires a receptor, and a transport with a name and inboxes', () => {
    const withoutReceptor = createService(ordersRegistry())
      .useTransport(new ByHand())
      .addCommandsOf(billingRegistry())
      .acceptCommands({ from: 'orders', commands: [ChargeCard] });
    expect(() => withoutReceptor.start()).toThrow(expect.objectContaining({ code: 'SVC_COMMAND_WITHOUT_RECEPTOR' }));
    for (const transport of [null, new InProcessTransport()]) {
      const service = createService(billingRegistry()).acceptCommands({ from: 'orders', commands: [ChargeCard] });
      if (transport !== null) service.useTransport(transport);
      expect(() => service.start()).toThrow(expect.objectContaining({ code: 'SVC_INBOX_UNSUPPORTED' }));
    }
  });

  it('is included in the check of the subscriptions', async () => {
    const transport = new ByHand();
    let isUp = true;
    transport.openInbox = () =>
      Promise.resolve({
        get isUp() {
          return isUp;
        },
        close: () => Promise.resolve(),
      });
    const billing = await started(billingRegistry(), transport);
    const status = async (): Promise<string> =>
      (await billing.health.run(({ name }) => name === 'subscriptions')).status;
    expect(await status()).toBe('Healthy');
    isUp = false;
    await expect.poll(status).toBe('Unhealthy');
  });
});
