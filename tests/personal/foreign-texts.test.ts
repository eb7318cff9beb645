/** Texts of other programs and of callers that look like personal data, encrypted or delimited: none is decrypted, and none stops the service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessDenied, newId, type Service, type Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { InProcessTransport, type TransportMessage } from '@svc/core/transport';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { records } from '../system-events/shop.js';
import { Customers } from './customers.js';

let customers: Customers;
beforeAll(async () => void (customers = await Customers.generate()));
afterAll(() => customers.remove());

const databases: Record<string, () => Promise<Storage>> = {
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-foreign-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return Promise.resolve(sqlite({ file: join(folder, 'data.db') }));
  },
  PostgreSQL: async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    return postgres({ url: database.url });
  },
};

describe.each(Object.entries(databases))('on %s', (_name, open) => {
  let service: Service;
  let south: ReturnType<InProcessTransport['host']>;
  let bus: InProcessTransport;
  let storage: Storage;
  const ann = newId();
  /** The encrypted name of a customer, as every subscriber of the broker sees it. */
  let cipher: string;

  beforeEach(async () => {
    storage = await open();
    bus = new InProcessTransport();
    south = bus.host('south');
    service = await customers.start(storage, (host) =>
      host
        .useTransport(bus.host('north'))
        .acceptEvents({ from: 'south', namespaces: ['shop'] })
        .acceptCommands({ from: 'south', commands: [customers.classes.Rename] }),
    );
    onTestFinished(() => service.stop());
    const arrived: TransportMessage[] = [];
    await south.subscribe(
      { name: 'south', topics: [{ topic: 'shop', types: ['shop.CustomerRegistered'] }] },
      (batch) => {
        arrived.push(...batch);
        return Promise.resolve([]);
      },
    );
    await register(ann, 'Qvz Ann');
    await settled();
    cipher = (JSON.parse(arrived[0]!.body) as { name: string }).name;
    if (!cipher.startsWith('svc-personal:1:')) throw new Error(`It is not encrypted: ${cipher}`);
  });

  const register = (customerId: Uuid, name: string) =>
    service.dispatcher.invoke(Object.assign(new customers.classes.Register(), { customerId, name, address: null }));
  const modelOf = (customerId: Uuid) => service.lens(customers.classes.Customers).find(customerId);

  /** Sends an event or a command of another host, and waits until it is processed. */
  async function send(
    type: string,
    content: unknown,
    fields: Partial<TransportMessage> = {},
  ): Promise<TransportMessage> {
    const id = newId();
    const message: TransportMessage = {
      id,
      type,
      streamId: id,
      body: typeof content === 'string' ? content : JSON.stringify(content),
      timestamp: Date.now(),
      correlationId: id,
      causationId: null,
      scope: null,
      metadata: {},
      destination: 'shop',
      origin: 'south',
      ...fields,
    };
    await bus.host(message.origin).publish([message]);
    await settled();
    return message;
  }
  async function settled(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      await bus.idle();
      await service.idle();
    }
  }
  /** The whole log can be read, and new events reach the models. */
  async function stillWorks(): Promise<void> {
    await collect(service.eventStore.readAll());
    const id = newId();
    await register(id, 'Bob');
    await service.idle();
    expect(await modelOf(id)).toMatchObject({ name: 'Bob' });
  }
  const letters = async () =>
    (await service.deadLetters.list()).map(({ cause, errorMessage }) => [cause, errorMessage]);

  it('an id that a caller may not read is recorded as text', async () => {
    const ids = [
      cipher,
      `x"${cipher}`,
      'svc-personal:1:------------------------------------:A',
      `${cipher.slice(0, 51)}:AAAA`,
    ];
    for (const resourceId of ids) {
      await service.emitter.emit(
        Object.assign(new AccessDenied(), {
          resourceType: 'Customers',
          resourceId,
          requiredPermission: 'customers:read',
          callerPermissions: new Set(),
          callerRoles: new Set(),
          scope: {},
          reason: 'InsufficientPermission',
          timestamp: new Date(),
        }),
      );
    }
    await service.idle();
    const recorded = (await records(service, AccessDenied)).map((denied) => denied.resourceId);
    expect(recorded).toEqual([`(text) ${cipher}`, ids[1], `(text) ${ids[2]}`, `(text) ${ids[3]}`]);
    await stillWorks();
  });

  it.each([
    ['\u0001"a"\u0002', '\\u0001"a"\\u0002'],
    ['\u0001', '\\u0001'],
    ['\u0001"a"\u0002"b"\u0003', '\\u0001"a"\\u0002"b"\\u0003'],
    ['{"a":"\u0003"}', '{"a":"\\u0003"}'],
  ])(
    'a body with the delimiters of %j becomes a dead letter, from an accepted host and from any other',
    async (body, shown) => {
      await send('shop.CustomerRenamed', body);
      await send('shop.CustomerRenamed', body, { origin: 'nobody' });
      const found = await service.deadLetters.list();
      expect(found.map(({ cause }) => cause)).toEqual(['Unreadable', 'OriginNotAccepted']);
      expect(found.map(({ message }) => message.body)).toEqual([shown, shown]);
      await stillWorks();
    },
  );

  it('an encrypted value is rejected in an event where it would be decrypted for others', async () => {
    const eve = newId();
    for (const name of [cipher, `${cipher.slice(0, 51)}:${'A'.repeat(60)}`]) {
      await send('shop.CustomerRegistered', { customerId: eve, name, address: null }, { streamId: eve });
    }
    const why = expect.stringContaining('has the form of an encrypted personal value') as string;
    expect(await letters()).toEqual([
      ['Unreadable', why],
      ['Unreadable', why],
    ]);
    expect(await modelOf(eve)).toBeNull();
    for (const { id } of await service.deadLetters.list()) {
      await expect(service.deadLetters.replay(id)).rejects.toMatchObject({ code: 'SVC_SEALED_INPUT' });
    }
    await stillWorks();
  });

  it('an encrypted value is rejected in a command for another subject', async () => {
    const eve = newId();
    await register(eve, 'Eve');
    await send('shop.Rename', { customerId: eve, name: cipher }, { destination: 'inbox:north' });
    expect(await letters()).toEqual([['Unreadable', expect.stringContaining('encrypted personal value')]]);
    await service.idle();
    expect(await modelOf(eve)).toMatchObject({ name: 'Eve' });
  });

  it('a command with a value of its own subject is decrypted', async () => {
    await send('shop.Rename', { customerId: ann, name: cipher }, { destination: 'inbox:north' });
    await service.idle();
    expect(await letters()).toEqual([]);
    expect(await modelOf(ann)).toMatchObject({ name: 'Qvz Ann', renamed: 1 });
  });

  it('plain personal data of another program are encrypted in the log and in dead letters, and erased with their subject', async () => {
    const [bea, cid] = [newId(), newId()];
    await send('shop.CustomerRegistered', { customerId: bea, name: 'Qvz Bea', address: null }, { streamId: bea });
    await send('shop.CustomerRegistered', { customerId: cid, name: 'Qvz Cid', address: null }, { origin: 'nobody' });
    expect(await modelOf(bea)).toMatchObject({ name: 'Qvz Bea' });
    const raw = (await collect(storage.readStream(bea))).map(({ body }) => body);
    expect(raw.join()).toMatch(/"name":"svc-personal:1:/);
    const [letter] = await service.deadLetters.list();
    expect(letter!.message.body).toMatch(/"name":"svc-personal:1:/);
    expect(await service.erase(bea, { reason: 'Request 1' })).toMatchObject({ events: 1 });
    expect(await modelOf(bea)).toMatchObject({ name: null });
  });
});
