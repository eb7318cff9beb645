/** What rejected messages may cost: bounded dead letters, few system events, and no wait for those that are accepted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, MessageDeadLettered, newId, SystemEventStream, type Service } from '@svc/core';
import { StorageUnavailableError, type CommitRecord, type DeadLetterRecord, type Storage } from '@svc/core/storage';
import { type ReceiveCommand, type ReceivedMessage, type ReceiveMessages, type Transport } from '@svc/core/transport';
import { collect, receivedMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deposit, tillRegistry } from '../durability/till.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';

/** Hands over what a test gives it. */
class ByHand implements Transport {
  readonly hostName = 'till';
  receive: ReceiveMessages = () => Promise.resolve([]);
  receiveCommand: ReceiveCommand = () => Promise.resolve(null);
  canProve = () => true;
  publish = () => Promise.resolve();

  subscribe(_interest: unknown, receive: ReceiveMessages) {
    this.receive = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }

  openInbox(receive: ReceiveCommand) {
    this.receiveCommand = receive;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

let database: TestDatabase;
let folder: string;
let services: Service[];
let reports: unknown[];
beforeEach(() => {
  [services, reports] = [[], []];
  folder = mkdtempSync(join(tmpdir(), 'svc-rejected-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(services.map((service) => service.stop()));
  rmSync(folder, { recursive: true });
});

async function start(transport: ByHand, storage: Storage = new InMemoryStorage()): Promise<Service> {
  const service = createService(tillRegistry({}))
    .useStorage(storage)
    .useTransport(transport)
    .acceptEvents({ from: 'north', namespaces: ['till'] })
    .acceptCommands({ from: 'north', commands: [Deposit] })
    .addSystemEvents((options) => options.enableErrorEvents())
    .reportTo((error) => reports.push(error))
    .start();
  services.push(service);
  await service.ready();
  return service;
}

const deposited = (fields: Partial<ReceivedMessage> = {}): ReceivedMessage =>
  receivedMessage({ type: 'till.Deposited', destination: 'till', body: '{"amount":1}', origin: 'north', ...fields });
const forged = (fields: Partial<ReceivedMessage> = {}): ReceivedMessage => deposited({ provenOrigin: null, ...fields });
const forgedCommand = (): ReceivedMessage => forged({ type: 'till.Deposit', destination: 'inbox:till' });

async function emitted(service: Service): Promise<MessageDeadLettered[]> {
  await service.idle();
  const events = await collect(service.eventStore.readStream(SystemEventStream.streamId));
  const payloads = events.map(({ envelope }) => envelope.payload);
  return payloads.filter((payload) => payload instanceof MessageDeadLettered);
}

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: join(folder, 'till.db') }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  it('stores a complete rejected message once, however often it is delivered, and lets an operator discard it', async () => {
    const transport = new ByHand();
    const service = await start(transport, kinds[kind]!());
    const scope = { tenantId: 'acme', roles: 'admin' };
    const message = forged({
      body: '{"amount":"\ud83d\u0000"}',
      scope,
      metadata: { note: '\u0001é😀' },
      routedType: 'till.Deposited',
      signature: { keyId: 'k', value: 'v' },
    });
    const [another, good] = [forged(), deposited()];
    for (let i = 0; i < 3; i++) expect(await transport.receive([message, good, message, another])).toEqual([]);
    const letters = await service.deadLetters.list();
    expect(letters).toMatchObject([
      {
        direction: 'incoming',
        cause: 'UnprovenOrigin',
        origin: 'north',
        provenOrigin: null,
        routedType: 'till.Deposited',
        signature: { keyId: 'k', value: 'v' },
        message: { id: message.id, body: message.body, scope, metadata: message.metadata },
        attempts: 1,
      },
      { message: { id: another.id } },
    ]);
    await service.deadLetters.discard(letters[0]!.id, 'forged');
    expect(await transport.receive([message])).toEqual([]);
    expect(await service.deadLetters.list(), 'it is not taken for new').toHaveLength(1);
    const stored = await collect(service.eventStore.readAll());
    expect(stored.filter(({ envelope }) => envelope.type === 'till.Deposited')).toHaveLength(1);
  });

  it('leaves large messages, and those beyond 10,000, to the broker', async () => {
    const transport = new ByHand();
    const storage = kinds[kind]!();
    const service = await start(transport, storage);
    const large = forged({ body: JSON.stringify({ amount: 1, note: 'x'.repeat(70_000) }) });
    const wide = forged({ metadata: { note: 'ß'.repeat(40_000) } });
    const small = forged({ body: JSON.stringify({ amount: 1, note: 'x'.repeat(60_000) }) });
    const unprocessable = await transport.receive([large, small, wide, deposited()]);
    expect(unprocessable.map(({ message }) => message)).toEqual([large, wide]);
    expect(unprocessable[0]!.cause).toMatchObject({ code: 'SVC_ORIGIN_UNPROVEN' });
    const [letter] = await service.deadLetters.list();
    await fill(storage, letter!, 9_998);
    await service.stop();
    // Another host, or this one after a while, counts them again.
    const after = new ByHand();
    const again = await start(after, kind === 'memory' ? storage : kinds[kind]!());
    const [last, beyond] = [forged(), forged()];
    const command = forgedCommand();
    expect((await after.receive([last, beyond, deposited()])).map(({ message }) => message)).toEqual([beyond]);
    expect(await after.receiveCommand(command)).toMatchObject({ message: command });
    const types = (await collect(again.eventStore.readAll())).map(({ envelope }) => envelope.type);
    expect(types.filter((type) => type === 'till.Deposited')).toHaveLength(2);
  });
});

/** Adds copies of a letter. */
async function fill(storage: Storage, letter: DeadLetterRecord, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1_000) {
    const size = Math.min(1_000, count - i);
    const message = { ...letter.message, body: '{}' };
    const deadLetters = Array.from({ length: size }, () => ({ ...letter, id: newId(), message }));
    await storage.commit({ events: [], outgoing: [], delivered: null, received: [], deadLetters });
  }
}

it('20,000 rejected messages neither fill the database nor delay accepted ones', async () => {
  const transport = new ByHand();
  const service = await start(transport);
  let [left, accepted] = [0, 0];
  for (let i = 0; i < 40; i++) {
    const batch = Array.from({ length: 500 }, () => forged());
    const good = deposited();
    left += (await transport.receive([...batch, good])).length;
    accepted++;
  }
  const stored = await collect(service.eventStore.readAll());
  expect(stored.filter(({ envelope }) => envelope.type === 'till.Deposited')).toHaveLength(accepted);
  expect(left).toBe(10_000);
  let letters = 0;
  for (let after; ;) {
    const page = await service.deadLetters.list({ limit: 500, ...(after !== undefined && { after }) });
    letters += page.length;
    after = page.at(-1)?.id;
    if (page.length < 500) break;
  }
  expect(letters).toBe(10_000);
  expect(await emitted(service)).toMatchObject([
    { cause: 'UnprovenOrigin', origin: 'north', messageType: 'till.Deposited' },
  ]);
  await service.stop();
  expect(reports).toHaveLength(1);
}, 120_000);

it('emits the first of a kind at once, the others together once a minute, and the rest when it stops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const transport = new ByHand();
  const storage = new InMemoryStorage();
  const service = await start(transport, storage);
  const summaries = async () => (await emitted(service)).map(({ cause, origin, count }) => [cause, origin, count]);
  await transport.receive([forged(), forged(), forged({ routedType: 'till.Other' })]);
  expect(await summaries()).toEqual([
    ['UnprovenOrigin', 'north', undefined],
    ['TypeMismatch', 'north', undefined],
  ]);
  for (let i = 0; i < 4; i++) await transport.receive([forged()]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await summaries()).slice(2)).toEqual([['UnprovenOrigin', 'north', 5]]);
  await vi.advanceTimersByTimeAsync(60_000);
  await transport.receive([forged(), forged(), forged()]);
  expect((await summaries()).slice(3), 'the first after a quiet minute').toEqual([
    ['UnprovenOrigin', 'north', undefined],
  ]);
  vi.useRealTimers();
  await service.stop();
  const next = await start(new ByHand(), storage);
  expect((await emitted(next)).slice(4).map(({ count }) => count)).toEqual([2]);
});

it('limits the number of records and their content, whatever a sender sends', async () => {
  const transport = new ByHand();
  const service = await start(transport);
  const scope = { tenantId: 'victim' };
  for (let i = 0; i < 500; i++) {
    await transport.receive([
      forged({ origin: `mallory-${i}`, scope }),
      forged({ type: `svc.Made${i}Up`, scope }),
      forged({ origin: 'x'.repeat(500), provenOrigin: 'mallory', body: '"'.repeat(60_000), scope }),
    ]);
  }
  const events = await emitted(service);
  expect(events.map(({ cause, origin, messageType }) => `${cause} ${origin} ${messageType}`).toSorted()).toEqual([
    'OriginNotAccepted mallory till.Deposited',
    'OriginNotAccepted other till.Deposited',
    'SystemMessage north other',
  ]);
  for (const event of events) expect(event.scope).toBeUndefined();
  expect(JSON.stringify(events).length).toBeLessThan(3_000);
});

it('receives rejected messages again while the storage is unavailable', async () => {
  class Away extends InMemoryStorage {
    isAway = false;
    override commit(record: CommitRecord): void {
      if (this.isAway) throw new StorageUnavailableError('none', new Error('It is away.'));
      super.commit(record);
    }
  }
  const [transport, storage] = [new ByHand(), new Away()];
  const service = await start(transport, storage);
  storage.isAway = true;
  const [event, command] = [forged(), forgedCommand()];
  await expect(transport.receive([event])).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
  await expect(transport.receiveCommand(command)).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
  // So often that it would be more than there is room for, if each attempt took up some.
  const many = Array.from({ length: 500 }, () => forged());
  for (let i = 0; i < 30; i++) await expect(transport.receive(many)).rejects.toThrow(StorageUnavailableError);
  storage.isAway = false;
  expect(await transport.receive([event])).toEqual([]);
  expect(await transport.receiveCommand(command)).toBeNull();
  expect((await service.deadLetters.list()).map(({ message: { id } }) => id)).toEqual([event.id, command.id]);
});

it('leaves a rejected message that the storage does not accept to the broker, instead of blocking the queue', async () => {
  class Choosy extends InMemoryStorage {
    override commit(record: CommitRecord): void {
      if (record.deadLetters?.some(({ message }) => message.body === 'odd') === true) throw new RangeError('odd');
      super.commit(record);
    }
  }
  const transport = new ByHand();
  const service = await start(transport, new Choosy());
  const [odd, other] = [forged({ body: 'odd' }), forged()];
  expect((await transport.receive([odd, other])).map(({ message }) => message)).toEqual([odd]);
  expect((await service.deadLetters.list()).map(({ message: { id } }) => id)).toEqual([other.id]);
  expect(await emitted(service)).toHaveLength(1);
});
