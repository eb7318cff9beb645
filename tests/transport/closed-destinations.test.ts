/** A destination that takes no messages: what is for others goes on, and what is for it waits in its order. On every storage, and on a real broker. */
import { createService, InMemoryStorage, newId, ServiceError, type Service, type Uuid } from '@svc/core';
import type { PendingRecord, Storage } from '@svc/core/storage';
import { InProcessTransport, type Interest, type Transport } from '@svc/core/transport';
import { commitRecord, listen, pendingRecord, type Listening } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deposit, tillRegistry } from '../durability/till.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { brokerUserUrl, TestBroker } from '../rabbitmq/test-broker.js';

/** A transport with a topic that can be closed. */
interface Carrier {
  host(name: string): Promise<Transport>;
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

const closedTopic = 'test.more';

function inProcess(): Carrier {
  const transport = new InProcessTransport();
  let isShut = false;
  const publish = async (end: Transport, messages: Parameters<Transport['publish']>[0]): Promise<void> => {
    // What is in front of the first that is not taken is there already, as with a broker.
    const first = isShut ? messages.findIndex(({ destination }) => destination === closedTopic) : -1;
    await end.publish(first === -1 ? messages : messages.slice(0, first));
    if (first !== -1) throw new ServiceError('SVC_DESTINATION_UNAVAILABLE', 'The queue is full.');
  };
  return {
    host: (name) => {
      const end = transport.host(name);
      return Promise.resolve({ ...end, publish: (messages) => publish(end, messages) });
    },
    shut: () => Promise.resolve(void (isShut = true)),
    open: () => Promise.resolve(void (isShut = false)),
    close: () => Promise.resolve(),
  };
}

/** A queue that is full makes the broker reject what is published to its topic. */
async function rabbitMq(): Promise<Carrier> {
  const broker = new TestBroker(await brokerUserUrl('operator'));
  const full = `${broker.prefix}full`;
  return {
    host: (name) => broker.open(name),
    shut: () =>
      broker.withChannel(async (channel) => {
        await channel.assertQueue(full, { arguments: { 'x-max-length': 0, 'x-overflow': 'reject-publish' } });
        await channel.bindQueue(full, `${broker.prefix}${closedTopic}`, '#');
      }),
    open: () => broker.withChannel(async (channel) => void (await channel.deleteQueue(full))),
    close: () => broker.close(),
  };
}

let database: TestDatabase;
let services: Service[];
let carrier: Carrier;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(async () => {
  services = [];
  await database.reset();
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await carrier.close();
});

const kinds: Record<string, { carrier: () => Promise<Carrier>; storage: () => Storage }> = {
  'in process, on memory': { carrier: () => Promise.resolve(inProcess()), storage: () => new InMemoryStorage() },
  'in process, on sqlite': {
    carrier: () => Promise.resolve(inProcess()),
    storage: () => sqlite({ file: ':memory:', pollMs: 20 }),
  },
  'in process, on postgres': {
    carrier: () => Promise.resolve(inProcess()),
    storage: () => postgres({ url: database.url }),
  },
  'over RabbitMQ, on postgres': { carrier: rabbitMq, storage: () => postgres({ url: database.url }) },
};

const types: Record<string, string> = { test: 'test.Happened', [closedTopic]: 'test.more.Happened' };

/** Commits events, each with a message that waits for the transport. */
async function queue(storage: Storage, topic: string, streams: readonly Uuid[]): Promise<readonly Uuid[]> {
  const events = streams.map((streamId): PendingRecord => pendingRecord(streamId, { type: types[topic]! }));
  const outgoing = events.map(({ id }) => {
    return { id, lane: 'transport', destination: topic, message: null, note: null, eventId: id } as const;
  });
  await storage.commit(commitRecord({ events, outgoing }));
  return events.map(({ id }) => id);
}

async function start(storage: Storage): Promise<Service> {
  const service = createService(tillRegistry({}))
    .useStorage(storage)
    .useTransport(await carrier.host('sender'))
    .reportTo(() => {})
    .start();
  services.push(service);
  await service.ready();
  return service;
}

const interest: Interest = {
  name: 'events',
  topics: [
    ...Object.entries(types).map(([topic, type]) => ({ topic, types: [type] })),
    { topic: 'till', types: ['till.Deposited'] },
  ],
};

/** What has come, without what came again, of all topics or without those of the one that is closed. */
function received({ received: all }: Listening, of: 'all' | 'open'): readonly Uuid[] {
  const wanted = all.filter(({ destination }) => of === 'all' || destination !== closedTopic);
  return [...new Set(wanted.map(({ id }) => id))];
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  it('delivers the messages after a page for a closed destination, and that page in order once the destination opens', async () => {
    carrier = await kinds[kind]!.carrier();
    const listening = await listen(await carrier.host('receiver'), undefined, interest);
    const has = async (count: number, of: 'all' | 'open'): Promise<void> => {
      await expect.poll(() => received(listening, of).length, { timeout: 40_000 }).toBe(count);
    };
    let storage = kinds[kind]!.storage();
    await storage.open();
    const [busy, mixed, ...others] = Array.from({ length: 6 }, () => newId());
    const first = await queue(storage, 'test', [mixed!]);
    const shut = await queue(storage, closedTopic, [mixed!, ...Array.from({ length: 1_500 }, () => busy!)]);
    const heldBack = await queue(storage, 'test', [mixed!]);
    const behind = await queue(storage, 'test', others);
    await carrier.shut();

    let service = await start(storage);
    await has(5, 'open');
    expect(received(listening, 'open')).toEqual([...first, ...behind]);
    for (let amount = 0; amount < 3; amount++) {
      await service.dispatcher.invoke(Object.assign(new Deposit(), { amount }));
      await has(6 + amount, 'open');
    }
    if (kind.endsWith('postgres')) {
      await service.stop();
      storage = kinds[kind]!.storage();
      service = await start(storage);
      await service.dispatcher.invoke(new Deposit());
      await has(9, 'open');
    }
    const before = received(listening, 'open').length;
    expect(await storage.readDeadLetters(null, 1)).toEqual([]);

    await carrier.open();
    await has(before + shut.length + 1, 'all');
    const inOrder = [...first, ...shut, ...heldBack];
    expect(received(listening, 'all').filter((id) => inOrder.includes(id))).toEqual(inOrder);
    await service.idle();
    expect(await storage.readOutgoing('transport', 10)).toEqual([]);
  });
});
