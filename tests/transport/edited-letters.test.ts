import {
  createService,
  DeadLetterReplayed,
  InMemoryStorage,
  permission,
  ServiceError,
  type SecurityContext,
  type Service,
  type Uuid,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import {
  inboxOf,
  MessageUndeliverableError,
  type ReceiveCommand,
  type ReceivedMessage,
  type ReceiveMessages,
  type Transport,
  type TransportMessage,
} from '@svc/core/transport';
import { collect } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chargeMessage, databaseFile, eventsOf, order } from '../inbox/hosts.js';
import { billingRegistry, charge, ChargeCard, ordersRegistry, type Receive } from '../inbox/shops.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';
import { act, makeAllDue, Reminded, reminded, schedule, startReminders, type Remind } from '../schedules/reminders.js';
import { records } from '../system-events/shop.js';

/** Delivers what a test passes to it, and rejects to publish each message that has the amount 13. */
class Line implements Transport {
  readonly published: TransportMessage[] = [];
  readonly hostName: string;
  receive: ReceiveMessages = () => Promise.resolve([]);
  receiveCommand: ReceiveCommand = () => Promise.resolve(null);
  canProve = () => true;

  constructor(hostName: string) {
    this.hostName = hostName;
  }

  publish(messages: readonly TransportMessage[]): Promise<void> {
    const unlucky = messages.find(({ body }) => body.includes(':13'));
    if (unlucky !== undefined) return Promise.reject(new MessageUndeliverableError(unlucky.id, 'TooLarge'));
    this.published.push(...messages);
    return Promise.resolve();
  }

  subscribe(_interest: unknown, receive: ReceiveMessages) {
    this.receive = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }

  openInbox(receive: ReceiveCommand) {
    this.receiveCommand = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

const olga: SecurityContext = {
  scope: { userId: 'olga' },
  userName: 'Olga',
  roles: new Set(),
  permissions: new Set(['system:read', 'system:write', 'tenants:act'].map(permission)),
  source: 'jwt',
};

const edit = (service: Service, id: Uuid, body: string): Promise<Uuid> =>
  runAs(olga, () => service.deadLetters.edit(id, body, 'The amount was a text.'));

interface BillingOptions {
  readonly receive?: Receive<ChargeCard>;
  readonly accepts?: boolean;
}

async function startBilling(line: Line, storage: Storage, { receive = charge, accepts = true }: BillingOptions = {}) {
  const service = createService(billingRegistry(receive))
    .addService()
    .useStorage(storage)
    .useTransport(line)
    .addSystemEventAuditing((options) => options.enableAll())
    .reportTo(() => {});
  service.acceptEvents({ from: 'orders', namespaces: ['billing'] });
  service.acceptCommands({ from: accepts ? 'orders' : 'stock', commands: [ChargeCard] });
  service.start();
  onTestFinished(() => service.stop());
  await service.ready();
  return service;
}

const eventMessage = (fields: Partial<ReceivedMessage> = {}): ReceivedMessage =>
  chargeMessage({ type: 'billing.CardCharged', destination: 'billing', body: '{"amount":"many"}', ...fields });

async function onlyLetter(service: Service) {
  const letters = await service.deadLetters.list();
  expect(letters).toHaveLength(1);
  return letters[0]!;
}

async function codeOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return (error as ServiceError).code;
}

let database: TestDatabase;

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(kinds))('an edited dead letter, on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  const storage = (): Storage => kinds[kind]!();

  it('of an incoming event is appended with its own id, no proven origin, and the operator as its author', async () => {
    const line = new Line('billing');
    const service = await startBilling(line, storage());
    const message = eventMessage();
    expect(await line.receive([message])).toEqual([]);
    const { id } = await onlyLetter(service);
    expect(await codeOf(edit(service, id, '{"amount":'))).toBe('SVC_MALFORMED_JSON');
    expect(await codeOf(edit(service, id, '{"amount":"few"}'))).toBe('SVC_UNREADABLE_EVENT');
    await onlyLetter(service);

    const newId = await edit(service, id, '{"amount":5}');
    const [event, ...others] = await eventsOf(service);
    expect(others).toEqual([]);
    expect(newId).not.toBe(message.id);
    expect(event).toMatchObject({
      id: newId,
      streamId: message.streamId,
      payload: { amount: 5 },
      correlationId: message.correlationId,
      causationId: message.causationId,
      scope: { tenantId: 'acme', userId: 'olga', userName: 'Olga', homeTenantId: '', source: 'operator' },
      metadata: { origin: null, claimedOrigin: 'orders', svcReplaces: message.id },
    });
    expect(await records(service, DeadLetterReplayed)).toMatchObject([
      { deadLetterId: id, messageId: message.id, newMessageId: newId, reason: 'The amount was a text.' },
    ]);

    // The broker delivers the replaced message again.
    expect(await line.receive([{ ...message, body: '{"amount":6}' }])).toEqual([]);
    expect(await eventsOf(service)).toHaveLength(1);
    expect(await service.deadLetters.list()).toEqual([]);
    expect(await codeOf(edit(service, id, '{"amount":7}'))).toBe('SVC_UNKNOWN_DEAD_LETTER');
  });

  it('of an incoming command is run once with its own id, for the tenant, as the operator', async () => {
    const line = new Line('billing');
    const service = await startBilling(line, storage());
    const message = chargeMessage({ body: JSON.stringify({ orderId: chargeMessage().id, amount: '12' }) });
    await line.receiveCommand(message);
    const { id } = await onlyLetter(service);
    const body = message.body.replace('"12"', '12');
    const edits = await Promise.allSettled([1, 2, 3].map(() => edit(service, id, body)));
    const done = edits.find((one) => one.status === 'fulfilled');
    expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [event, ...others] = await eventsOf(service);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'billing.CardCharged',
      payload: { amount: 12 },
      causationId: done!.value,
      correlationId: message.correlationId,
      scope: { tenantId: 'acme', userId: 'olga', source: 'operator' },
    });
    expect(event!.metadata).not.toHaveProperty('svcReplaces');
    await line.receiveCommand({ ...message, body });
    expect(await eventsOf(service)).toHaveLength(1);
    expect(await service.deadLetters.list()).toEqual([]);
  });

  it('stays a dead letter if the edited command fails', async () => {
    const line = new Line('billing');
    const receive: Receive<ChargeCard> = ({ amount }) => {
      throw new TypeError(`The card rejects ${amount}.`);
    };
    const service = await startBilling(line, storage(), { receive });
    await line.receiveCommand(chargeMessage({ body: '{"amount":"1"}' }));
    const letter = await onlyLetter(service);
    await expect(edit(service, letter.id, '{"amount":1}')).rejects.toThrow('The card rejects 1.');
    expect(await codeOf(edit(service, letter.id, '{"amount":"1"}'))).toBe('SVC_INVALID_MESSAGE');
    expect(await onlyLetter(service)).toEqual(letter);
    expect(await records(service, DeadLetterReplayed)).toEqual([]);
  });

  it('of an outgoing command is sent instead of the replaced one; an outgoing event is rejected', async () => {
    const line = new Line('orders');
    const service = createService(ordersRegistry())
      .addService()
      .useStorage(storage())
      .useTransport(line)
      .addCommandsOf(billingRegistry())
      .addSystemEventAuditing((options) => options.enableAll())
      .reportTo(() => {})
      .start();
    onTestFinished(() => service.stop());
    await service.ready();
    await order(service, { amount: 13 });
    await expect.poll(async () => (await service.deadLetters.list()).length, { timeout: 30_000 }).toBe(2);
    const letters = await service.deadLetters.list();
    const event = letters.find(({ message }) => message.type === 'orders.OrderPlaced')!;
    const command = letters.find(({ message }) => message.type === 'billing.ChargeCard')!;
    expect(await codeOf(edit(service, event.id, '{"amount":1}'))).toBe('SVC_DEAD_LETTER_NOT_EDITABLE');

    const body = command.message.body.replace(':13', ':14');
    const newId = await edit(service, command.id, body);
    await expect.poll(() => line.published.length, { timeout: 30_000 }).toBe(1);
    await service.idle();
    expect(line.published).toHaveLength(1);
    expect(line.published[0]).toMatchObject({
      id: newId,
      type: 'billing.ChargeCard',
      destination: inboxOf('billing'),
      body,
      correlationId: command.message.correlationId,
      scope: { userId: 'olga', source: 'operator' },
      metadata: { svcReplaces: command.message.id },
    });
    expect(await onlyLetter(service)).toEqual(event);
  });
});

describe.each(['sqlite', 'postgres'])('an edited dead letter of a scheduled command, on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  it('is run once with its own id, for the tenant, as the operator', async () => {
    const store = kinds[kind]!();
    const remind = ({ text }: Remind, context: Parameters<Receive<Remind>>[1]): void => {
      if (text === 'bad') throw new ServiceError('SVC_COMMAND_REJECTED', 'No bad texts.');
      context.append(chargeMessage().id, Object.assign(new Reminded(), { text }));
    };
    const service = await startReminders(store, { remind, scripts: { bad: schedule('bad', { after: { hours: 1 } }) } });
    await act(service, 'bad');
    await makeAllDue(store);
    await expect.poll(async () => (await service.deadLetters.list()).length, { timeout: 30_000 }).toBe(1);
    const letter = await onlyLetter(service);
    const newId = await edit(service, letter.id, '{"text":"good"}');
    expect(await reminded(service)).toEqual(['good']);
    const all = await collect(service.eventStore.readAll());
    const event = all.find(({ envelope }) => envelope.type === 'reminders.Reminded');
    expect(event!.envelope).toMatchObject({ causationId: newId, scope: { userId: 'olga', source: 'operator' } });
    expect(await service.deadLetters.list()).toEqual([]);
    expect(await store.schedule!.read(10)).toEqual([]);
  });
});

describe('an edited dead letter of a rejected message', () => {
  it('is rejected as its replay is, because an edit must not admit a message', async () => {
    const line = new Line('billing');
    const service = await startBilling(line, new InMemoryStorage());
    await line.receive([eventMessage({ provenOrigin: null, body: '{"amount":1}' })]);
    const { id } = await onlyLetter(service);
    expect(await codeOf(edit(service, id, '{"amount":2}'))).toBe('SVC_ORIGIN_UNPROVEN');
    expect(await codeOf(runAs(olga, () => service.deadLetters.replay(id)))).toBe('SVC_ORIGIN_UNPROVEN');
    expect(await eventsOf(service)).toEqual([]);
    await onlyLetter(service);
  });

  it.each(['before', 'after'])('takes effect once, if the message arrives %s the edit', async (when) => {
    const file = databaseFile();
    const first = new Line('billing');
    const rejecting = await startBilling(first, sqlite({ file }), { accepts: false });
    const message = chargeMessage();
    await first.receiveCommand(message);
    const { id } = await onlyLetter(rejecting);
    await rejecting.stop();

    const line = new Line('billing');
    const service = await startBilling(line, sqlite({ file }));
    const body = message.body.replace('"amount":12', '"amount":15');
    if (when === 'before') {
      await line.receiveCommand(message);
      expect(await codeOf(edit(service, id, body))).toBe('SVC_DEAD_LETTER_NOT_EDITABLE');
      await onlyLetter(service);
    } else {
      await edit(service, id, body);
      await line.receiveCommand(message);
      expect(await service.deadLetters.list()).toEqual([]);
    }
    expect((await eventsOf(service)).map(({ payload }) => payload)).toMatchObject([
      { amount: when === 'before' ? 12 : 15 },
    ]);
  });
});
