/** Captured messages that are published again, after the receiver has forgotten that they came. */
import { createService, newId, type Service } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { type ReceiveCommand, type ReceiveMessages } from '@svc/core/transport';
import { collect, receivedMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deposit, tillRegistry } from '../durability/till.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';

const receivedMs = 60_000;
let database: TestDatabase;
let service: Service;
let calls: string[];
beforeEach(() => {
  calls = [];
});
afterEach(() => service.stop());

/** A host whose transport hands over what a test gives it. */
async function start(storage: Storage): Promise<{ event: ReceiveMessages; command: ReceiveCommand }> {
  const subscription = { isUp: true, close: () => Promise.resolve() };
  let [event, command]: [ReceiveMessages | null, ReceiveCommand | null] = [null, null];
  service = createService(tillRegistry({ calls }))
    .useStorage(storage)
    .useTransport({
      hostName: 'till',
      canProve: () => true,
      publish: () => Promise.resolve(),
      subscribe: (_interest, receive) => Promise.resolve(((event = receive), subscription)),
      openInbox: (receive) => Promise.resolve(((command = receive), subscription)),
    })
    .acceptEvents({ from: 'north', namespaces: ['till'] })
    .acceptCommands({ from: 'north', commands: [Deposit] })
    .forgetReceivedAfter(receivedMs)
    .reportTo(() => {})
    .start();
  await service.ready();
  return { event: event!, command: command! };
}

const forget = { receivedMs: 0, idempotencyKeysMs: 0, operationsMs: 0 };
const kinds: Record<string, () => Storage> = {
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  it('an event is known by its id for as long as it is stored', async () => {
    const storage = kinds[kind]!();
    const { event } = await start(storage);
    const body = '{"amount":1}';
    const captured = receivedMessage({ type: 'till.Deposited', destination: 'till', origin: 'north', body });
    await event([captured]);
    expect(await storage.forgetExpired(forget, 100)).toBe(1);
    await event([captured]);
    expect(await collect(service.eventStore.readAll())).toHaveLength(1);
  });

  it('a command expires before it is forgotten, so that it runs once', async () => {
    const storage = kinds[kind]!();
    const { command } = await start(storage);
    const id = newId();
    const deposit = { id, streamId: id, type: 'till.Deposit', destination: 'inbox:till', origin: 'north' };
    const sentAt = (timestamp: number) => receivedMessage({ ...deposit, body: '{"amount":1}', timestamp });
    // What was sent so long ago that it is forgotten in a moment is still known, and not run again.
    const captured = sentAt(Date.now() - receivedMs * 0.85);
    await command(captured);
    await command(captured);
    expect(await storage.forgetExpired(forget, 100)).toBe(1);
    await command(sentAt(Date.now() - receivedMs * 0.95));
    expect(
      calls.filter((call) => call === 'receive'),
      'the second run finds out when it is stored',
    ).toHaveLength(2);
    expect(await collect(service.eventStore.readAll())).toHaveLength(1);
    expect(await service.deadLetters.list()).toMatchObject([{ cause: 'Expired', message: { id } }]);
  });
});
