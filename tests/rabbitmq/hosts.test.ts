/** Hosts connected by RabbitMQ: from the outbox of one to the storage of the others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CommandAudited,
  createService,
  EventAudited,
  InMemoryStorage,
  newId,
  type Service,
  type StoredEvent,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collect, PlaceOrder, records, shopRegistry, type OrderPlaced } from '../system-events/shop.js';
import { brokerUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;
let services: Service[];
const folder = mkdtempSync(join(tmpdir(), 'svc-hosts-'));

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
  users = Object.fromEntries(hostNames.map((name) => [name, new URL(broker.url).username]));
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await broker.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One broker user represents all hosts. */
const hostNames = ['a', 'b', 'worker', 'monitor', 'quiet', 'late', 'shared', 'other'];
let users: Record<string, string>;

interface HostOptions {
  readonly broadcast?: boolean;
  readonly storage?: Storage;
}

async function host(name: string, { broadcast = false, storage = new InMemoryStorage() }: HostOptions = {}) {
  const service = createService(shopRegistry())
    .addService()
    .useStorage(storage)
    .useTransport(broker.transport(name, { users }))
    .acceptEvents({ from: hostNames, namespaces: broadcast ? ['shop', 'svc'] : ['shop'] })
    .addSystemEventAuditing((options) => {
      options.enableAll();
      options.localOnly = !broadcast;
    })
    .reportTo((error) => broker.reports.push(error))
    .start();
  services.push(service);
  await service.ready();
  return service;
}

/** All events except those about the schema, which only databases have. */
async function all(service: Service): Promise<StoredEvent[]> {
  const events = await collect(service.eventStore.readAll());
  return events.filter(({ envelope }) => !envelope.type.startsWith('svc.Migration'));
}

async function typesIn(service: Service): Promise<string[]> {
  return (await all(service)).map(({ envelope }) => envelope.type).toSorted();
}

async function holds(service: Service, count: number): Promise<void> {
  await expect.poll(async () => (await all(service)).length, { timeout: 10_000 }).toBe(count);
}

const place = (service: Service, fields: Partial<PlaceOrder> = {}): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new PlaceOrder(), fields));

it('LocalOnly: domain events flow, and every system event stays on its host', async () => {
  const [a, b] = [await host('a'), await host('b')];
  await Promise.all([place(a), place(b)]);
  const expected = ['shop.OrderPlaced', 'shop.OrderPlaced', 'svc.CommandAudited', 'svc.EventAudited'];
  for (const service of [a, b]) await expect.poll(() => typesIn(service)).toEqual(expected);
});

it('Broadcast: a monitoring host collects the audit records of others once, and a local host receives none', async () => {
  const [worker, monitor, quiet] = [
    await host('worker', { broadcast: true }),
    await host('monitor', { broadcast: true }),
    await host('quiet'),
  ];
  for (let i = 0; i < 10; i++) await place(worker);
  await place(quiet);
  await holds(monitor, 31);
  await holds(quiet, 10 + 3);
  await holds(worker, 31);
  expect(await records(monitor, EventAudited)).toEqual(await records(worker, EventAudited));
  expect(await records(monitor, CommandAudited)).toHaveLength(10);
  const audited = (await records(quiet, EventAudited)).map(({ originalEventType }) => originalEventType);
  expect(audited, 'it audits what it did itself, and nothing else').toEqual(['shop.OrderPlaced']);
  const ids = (await all(monitor)).map(({ envelope }) => envelope.id);
  expect(new Set(ids).size).toBe(31);
  expect(broker.reports).toEqual([]);
});

it('preserves the order of a stream and the attributes of each event', async () => {
  const [a, b] = [await host('a'), await host('b')];
  const orderId = newId();
  for (let i = 0; i < 50; i++) await place(a, { orderId, note: String(i) });
  await holds(b, 50);
  const [there, here] = [await all(b), (await all(a)).filter(({ streamId }) => streamId === orderId)];
  expect(there.map(({ envelope }) => (envelope.payload as OrderPlaced).note)).toEqual(
    Array.from({ length: 50 }, (_, i) => String(i)),
  );
  for (const [i, { envelope }] of there.entries()) {
    const metadata = { ...here[i]!.envelope.metadata, origin: 'a' };
    expect(envelope).toEqual({ ...here[i]!.envelope, metadata, scope: { source: 'transport' } });
  }
});

it('delivers the events of its downtime to a host', async () => {
  const storage = (): Storage => sqlite({ file: join(folder, 'late.db') });
  const [a, before] = [await host('a'), await host('late', { storage: storage() })];
  await place(before);
  await before.idle();
  await holds(a, 1);
  await before.stop();
  for (let i = 0; i < 20; i++) await place(a);
  const after = await host('late', { storage: storage() });
  await holds(after, 3 + 20);
  expect((await typesIn(after)).filter((type) => type === 'shop.OrderPlaced')).toHaveLength(21);
});

it('shares messages between hosts of one name on one database, and none of them receives its own', async () => {
  const file = join(folder, 'shared.db');
  const [first, second] = [
    await host('shared', { storage: sqlite({ file, pollMs: 50 }) }),
    await host('shared', { storage: sqlite({ file, pollMs: 50 }) }),
  ];
  const other = await host('other');
  await Promise.all(Array.from({ length: 20 }, (_, i) => place([first, second, other][i % 3]!)));
  await holds(other, 20 + 2 * 6);
  await holds(second, 20 + 2 * 14);
  expect(await all(second)).toEqual(await all(first));
  expect(broker.reports).toEqual([]);
});
