/** Names in metadata by which svc marks events: the code of the application cannot use them, whatever it appends through. */
import { createService, InMemoryStorage, newId, type Service } from '@svc/core';
import { isReceived, type Storage } from '@svc/core/storage';
import { type ReceiveMessages } from '@svc/core/transport';
import { collect, receivedMessage, reservedMetadataKeys, wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { Deposit, Deposited, tillRegistry } from '../durability/till.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';

let database: TestDatabase;
let service: Service;
let receive: ReceiveMessages;
afterEach(() => service.stop());

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

async function start(storage: Storage): Promise<void> {
  service = createService(tillRegistry({}))
    .useStorage(storage)
    .useTransport({
      canProve: () => true,
      publish: () => Promise.resolve(),
      subscribe: (_interest, receiver) => {
        receive = receiver;
        return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
      },
    })
    .acceptEvents({ from: 'another-host', namespaces: ['till'] })
    .start();
  await service.ready();
}

const deposited = (fields: Parameters<typeof wrap>[2] = {}) =>
  wrap('till.Deposited', Object.assign(new Deposited(), { amount: 1 }), fields);

const rejected = { code: 'SVC_RESERVED_METADATA' };

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  it('rejects an append with a reserved name in the metadata, and stores nothing of it', async () => {
    await start(kinds[kind]!());
    const streamId = newId();
    expect(reservedMetadataKeys).toEqual([
      'origin',
      'claimedOrigin',
      'cloudEventId',
      'cloudEventSubject',
      'svcLatest',
      'svcReplaces',
      'schemaVersion',
      'svcTenant',
    ]);
    for (const [key, value] of reservedMetadataKeys.flatMap((name) => ['no id', null].map((text) => [name, text]))) {
      await expect(
        service.eventStore.append(streamId, deposited({ metadata: { note: 1, [key!]: value } })),
      ).rejects.toMatchObject(rejected);
      await expect(
        service.dispatcher.invoke(new Deposit(), { metadata: { [key!]: value } }),
        'the events of a command have its metadata',
      ).rejects.toMatchObject(rejected);
    }
    expect(await service.eventStore.lastPosition(streamId)).toBe(-1);
    expect(await collect(service.eventStore.readAll())).toEqual([]);
    await service.eventStore.append(streamId, deposited({ metadata: { note: 1 } }));
    expect(await service.eventStore.lastPosition(streamId)).toBe(0);
  });

  it('marks received events with them, but not the events that those cause', async () => {
    await start(kinds[kind]!());
    const streamId = newId();
    const message = receivedMessage({
      type: 'till.Deposited',
      destination: 'till',
      origin: 'another-host',
      streamId,
      body: '{"amount":1}',
      metadata: { note: 'kept' },
    });
    await receive([message]);
    const [received] = await collect(service.eventStore.readStream(streamId));
    expect(received!.envelope.metadata).toEqual({ note: 'kept', origin: 'another-host' });
    await expect(service.eventStore.append(newId(), received!.envelope)).rejects.toMatchObject(rejected);

    await service.eventStore.append(streamId, deposited({ cause: received!.envelope }));
    const [, local] = await collect(service.eventStore.readStream(streamId));
    expect(local!.envelope).toMatchObject({ causationId: message.id, metadata: { note: 'kept' } });
    expect(isReceived(local!.envelope)).toBe(false);
  });

  it('appends after an event whose metadata contain text that a database cannot decode', async () => {
    await start(kinds[kind]!());
    const streamId = newId();
    for (const note of ['a\u0000b', '\ud800', 'a "svcLatest":"x"', '\\u0000']) {
      await service.eventStore.append(streamId, deposited({ metadata: { note, ['\u0000']: { svcLatest: 'no id' } } }));
    }
    await Promise.all(
      [streamId, newId()].map(async (stream) => {
        await service.eventStore.append(stream, deposited({ metadata: { note: '\0' } }));
      }),
    );
    const events = await collect(service.eventStore.readStream(streamId));
    expect(events.map(({ envelope }) => envelope.metadata['note'])).toEqual([
      'a\u0000b',
      '\ud800',
      'a "svcLatest":"x"',
      '\\u0000',
      '\0',
    ]);
  });
});
