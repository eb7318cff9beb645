import {
  createService,
  DeadLetterDiscarded,
  DeadLetterReplayed,
  InMemoryStorage,
  MessageDeadLettered,
  newId,
  permission,
  ServiceError,
  SystemEventStream,
  type Permission,
  type SecurityContext,
  type Service,
  type SystemEvent,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import {
  MessageUndeliverableError,
  type ReceivedMessage,
  type ReceiveMessages,
  type Transport,
  type TransportMessage,
} from '@svc/core/transport';
import { asSent, collect, receivedMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deposit, tillRegistry } from '../durability/till.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';

/** A transport whose broker takes what `publishing` lets through. */
class Broker implements Transport {
  readonly hostName = 'this-host';
  readonly published: number[] = [];
  publishing: (amounts: readonly number[], messages: readonly TransportMessage[]) => void = () => {};
  receive: ReceiveMessages = () => Promise.resolve([]);
  canProve = () => true;

  async publish(messages: readonly TransportMessage[]): Promise<void> {
    await Promise.resolve();
    const amounts = messages.map(({ body }) => (JSON.parse(body) as { amount: number }).amount);
    this.publishing(amounts, messages);
    this.published.push(...amounts);
  }

  subscribe(_interest: unknown, receive: ReceiveMessages) {
    this.receive = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

let database: TestDatabase;
let services: Service[];
let reports: unknown[];
beforeEach(() => {
  [services, reports] = [[], []];
});
afterEach(() => Promise.all(services.map((service) => service.stop())));

async function start(broker: Broker, storage: Storage = new InMemoryStorage()): Promise<Service> {
  const service = createService(tillRegistry({}))
    .useStorage(storage)
    .useTransport(broker)
    .acceptEvents({ from: 'another-host', namespaces: ['till'] })
    .addSystemEvents((options) => options.enableErrorEvents())
    .reportTo((error) => reports.push(error))
    .start();
  services.push(service);
  await service.ready();
  return service;
}

const deposit = (service: Service, amount: number): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new Deposit(), { amount }));

async function emitted<T extends SystemEvent>(service: Service, kind: new () => T): Promise<T[]> {
  await service.idle();
  const events = await collect(service.eventStore.readStream(SystemEventStream.streamId));
  return events.map(({ envelope }) => envelope.payload as T).filter((payload) => payload instanceof kind);
}

const foreign = (body: string, fields: Partial<ReceivedMessage> = {}): ReceivedMessage => {
  const id = newId();
  return receivedMessage({
    id,
    type: 'till.Deposited',
    streamId: newId(),
    body,
    timestamp: Date.now(),
    correlationId: id,
    causationId: null,
    scope: { tenantId: 't' },
    metadata: {},
    destination: 'till',
    origin: 'another-host',
    ...fields,
  });
};

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  it('dead-letters a message that the broker rejects, emits it, and replays it once', async () => {
    const broker = new Broker();
    broker.publishing = (amounts, messages) => {
      const large = messages[amounts.indexOf(13)];
      if (large !== undefined) throw new MessageUndeliverableError(large.id, 'TooLarge');
    };
    const service = await start(broker, kinds[kind]!());
    await Promise.all([12, 13, 14].map((amount) => deposit(service, amount)));
    await expect.poll(() => broker.published.toSorted((a, b) => a - b)).toEqual([12, 14]);
    await service.idle();
    const [letter, ...others] = await service.deadLetters.list();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      direction: 'outgoing',
      cause: 'TooLarge',
      destination: 'till',
      origin: 'this-host',
      attempts: 1,
      message: { type: 'till.Deposited', body: '{"amount":13}' },
      errorName: 'MessageUndeliverableError',
    });
    expect(await emitted(service, MessageDeadLettered)).toMatchObject([
      { messageId: letter!.message.id, messageType: 'till.Deposited', destination: 'till', attempt: 1 },
    ]);

    broker.publishing = () => {};
    const replays = await Promise.allSettled(Array.from({ length: 5 }, () => service.deadLetters.replay(letter!.id)));
    expect(replays.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect.poll(() => broker.published.filter((amount) => amount === 13)).toEqual([13]);
    expect(await emitted(service, DeadLetterReplayed)).toMatchObject([
      { deadLetterId: letter!.id, messageId: letter!.message.id, direction: 'outgoing' },
    ]);
    expect(await service.deadLetters.find(letter!.id)).toBeNull();
  });

  it('dead-letters an unreadable message of another host once, and acknowledges it', async () => {
    const broker = new Broker();
    const service = await start(broker, kinds[kind]!());
    const [bad, good] = [foreign('{'), foreign('{"amount":1}')];
    for (let i = 0; i < 2; i++) expect(await broker.receive([bad, good])).toEqual([]);
    const letters = await service.deadLetters.list();
    expect(letters).toMatchObject([
      { direction: 'incoming', cause: 'Unreadable', origin: 'another-host', message: { id: bad.id, body: '{' } },
    ]);
    expect(await emitted(service, MessageDeadLettered)).toMatchObject([
      { messageId: bad.id, scope: { tenantId: 't' } },
    ]);
    const { id } = letters[0]!;
    await expect(service.deadLetters.replay(id), 'as long as it cannot be read').rejects.toThrow(/not JSON/);
    await service.deadLetters.discard(id);
    await expect(service.deadLetters.discard(id)).rejects.toThrow(
      expect.objectContaining({ code: 'SVC_UNKNOWN_DEAD_LETTER' }) as Error,
    );
    expect(await emitted(service, DeadLetterDiscarded)).toMatchObject([{ deadLetterId: id, direction: 'incoming' }]);
    expect(await broker.receive([bad]), 'it is not taken for new').toEqual([]);
    expect(await service.deadLetters.list()).toEqual([]);
  });
});

it('appends a replayed message of another host to the end of its stream', async () => {
  const broker = new Broker();
  const storage = new InMemoryStorage();
  const service = await start(broker, storage);
  const good = foreign('{"amount":1}');
  await broker.receive([good]);
  // What could not be read by the program of yesterday.
  const message = foreign('{"amount":2}', { streamId: good.streamId });
  const { provenOrigin } = message;
  const { destination, origin, ...event } = asSent(message);
  const letter = {
    id: newId(),
    direction: 'incoming',
    cause: 'Unreadable',
    destination,
    origin,
    provenOrigin,
    message: event,
    errorName: 'E',
    errorMessage: 'no',
    attempts: 1,
    firstFailedAt: 0,
    lastFailedAt: 0,
  } as const;
  storage.commit({ events: [], outgoing: [], delivered: null, received: [event.id], deadLetters: [letter] });
  await service.deadLetters.replay(letter.id);
  const events = await collect(service.eventStore.readStream(good.streamId));
  expect(events.map(({ position, envelope }) => [position, envelope.id, envelope.metadata['origin']])).toEqual([
    [0, good.id, 'another-host'],
    [1, event.id, 'another-host'],
  ]);
  expect(broker.published).toEqual([]);
});

it('gives up a message that fails repeatedly while others succeed, and continues with its stream', async () => {
  const broker = new Broker();
  broker.publishing = (amounts) => {
    if (amounts.includes(13)) throw new Error('odd');
  };
  // No pauses between the attempts.
  const random = vi.spyOn(Math, 'random').mockReturnValue(-1);
  const service = await start(broker);
  await deposit(service, 13);
  let next = 100;
  // Others go through meanwhile; without them it is the broker that may be at fault.
  const end = performance.now() + 10_000;
  while ((await service.deadLetters.list()).length === 0 && performance.now() < end) {
    await deposit(service, next++);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await service.deadLetters.list()).toMatchObject([
    { cause: 'AttemptsExhausted', attempts: 10, errorMessage: 'odd' },
  ]);
  await service.idle();
  expect(broker.published).toEqual(Array.from({ length: next - 100 }, (_, i) => 100 + i));
  random.mockRestore();
}, 20_000);

it('gives up no message while the broker is unavailable', async () => {
  const broker = new Broker();
  let attempts = 0;
  broker.publishing = () => {
    if (++attempts <= 12) throw new ServiceError('SVC_TRANSPORT_UNAVAILABLE', 'away');
  };
  const service = await start(broker);
  attempts = 10;
  await Promise.all([1, 2].map((amount) => deposit(service, amount)));
  await expect.poll(() => broker.published.toSorted((a, b) => a - b), { timeout: 5_000 }).toEqual([1, 2]);
  expect(await service.deadLetters.list()).toEqual([]);
});

it('preserves the order of a stream while one of its messages fails', async () => {
  const broker = new Broker();
  let failures = 6;
  broker.publishing = (amounts) => {
    if (amounts.includes(1) && failures-- > 0) throw new Error('odd');
  };
  const storage = new InMemoryStorage();
  const service = await start(broker, storage);
  const streamId = newId();
  for (const amount of [1, 2, 3]) {
    const sent = asSent(foreign(`{"amount":${amount}}`, { streamId }));
    const { destination: _destination, origin: _origin, ...event } = sent;
    storage.commit({
      events: [{ ...event, expectedPosition: undefined }],
      outgoing: [
        { id: event.id, lane: 'transport', destination: 'till', message: null, note: null, eventId: event.id },
      ],
      delivered: null,
      received: [],
    });
  }
  await deposit(service, 9);
  await expect.poll(() => broker.published, { timeout: 5_000 }).toHaveLength(4);
  expect(broker.published.filter((amount) => amount < 9)).toEqual([1, 2, 3]);
});

it('requires permission to read the system to list, and permission to change it to replay or discard', async () => {
  const broker = new Broker();
  const service = await start(broker);
  await broker.receive([foreign('{')]);
  const [letter] = await service.deadLetters.list();
  const as = <T>(permissions: readonly Permission[], action: () => Promise<T>): Promise<T> => {
    const context: SecurityContext = {
      scope: { userId: 'ann', tenantId: 't' },
      roles: new Set(),
      permissions: new Set(permissions),
      source: 'test',
    };
    return runAs(context, action);
  };
  const denied = expect.objectContaining({ code: 'SVC_ACCESS_DENIED' }) as Error;
  const read = permission('system:read');
  await expect(as([], () => service.deadLetters.list())).rejects.toThrow(denied);
  await expect(as([], () => service.deadLetters.find(letter!.id))).rejects.toThrow(denied);
  expect(await as([read], () => service.deadLetters.list())).toHaveLength(1);
  for (const decide of ['replay', 'discard'] as const) {
    await expect(as([read], () => service.deadLetters[decide](letter!.id))).rejects.toThrow(denied);
  }
  await as([permission('system:write')], () => service.deadLetters.discard(letter!.id));
  expect(await emitted(service, DeadLetterDiscarded)).toMatchObject([{ scope: { userId: 'ann' } }]);
});
