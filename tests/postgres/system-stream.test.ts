/** How audit records come from the outbox into the system stream: within the database, unless somebody on the host looks at them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventAudited, newId, SystemEventStream, type Service, type TaggedMessage } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { auditDestination, type CommitRecord } from '@svc/core/storage';
import { collect, commitRecord, EventLog, MessageRegistry, pendingRecord } from '@svc/core/testing';
import { PostgresStorage, postgres } from '@svc/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditedTypes, PayOrder, PlaceOrder, records, shop, tap } from '../system-events/shop.js';
import { createDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
let closing: (() => Promise<void>)[];

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  await database.reset();
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
});

/** Notes what this process commits as delivered. */
class NotingStorage extends PostgresStorage {
  readonly delivered: CommitRecord[] = [];

  override async commit(record: CommitRecord): Promise<void> {
    await super.commit(record);
    if (record.delivered !== null) this.delivered.push(record);
  }
}

function host(register: (service: Service) => Service = (service) => service) {
  const storage = new NotingStorage({ url: database.url });
  const service = register(shop().useStorage(storage)).start();
  closing.push(() => service.stop());
  return { storage, service };
}

async function order(service: Service): Promise<void> {
  await service.dispatcher.invoke(new PlaceOrder());
  await service.dispatcher.invoke(new PayOrder());
}

it('audit records do not pass through a host without hooks for them, with a transport as well', async () => {
  const { storage, service } = host((registered) =>
    registered.useTransport(new InProcessTransport()).addSystemEventAuditing((options) => options.enableAudit()),
  );
  await service.ready();
  await order(service);
  expect(auditedTypes(await records(service, EventAudited))).toEqual(['shop.OrderPlaced', 'shop.OrderPaid']);
  expect(storage.delivered.filter(({ delivered }) => delivered?.lane === 'system')).toEqual([]);
});

it('hooks for audit records receive each of them', async () => {
  const seen: TaggedMessage[] = [];
  const { service } = host((registered) =>
    registered
      .addSystemEventAuditing((options) => options.enableEventAudit())
      .addTagHook('sys-audit', (message) => void seen.push(message)),
  );
  await order(service);
  const audited = await records(service, EventAudited);
  expect(seen.map(({ id, fields }) => [id, fields['originalEventType']])).toEqual(
    audited.map(({ id, originalEventType }) => [id, originalEventType]),
  );
  expect(audited).toHaveLength(2);
});

it('audit records that are broadcast are published', async () => {
  const transport = new InProcessTransport();
  const wire = await tap(transport);
  const { service } = host((registered) =>
    registered.useTransport(transport).addSystemEventAuditing((options) => options.enableEventAudit().broadcast()),
  );
  await service.ready();
  await order(service);
  const audited = await records(service, EventAudited);
  await service.idle();
  await transport.idle();
  expect(wire.filter(({ destination }) => destination === auditDestination).map(({ id }) => id)).toEqual(
    audited.map(({ id }) => id),
  );
});

it('delivers each record once and in order when hosts deliver concurrently, and others append to the stream', async () => {
  // Leases that are over at once: nothing but the statement keeps the hosts apart.
  const hosts = Array.from({ length: 3 }, () => postgres({ url: database.url, leaseMs: 1 }));
  closing.push(async () => void (await Promise.all(hosts.map((storage) => storage.close()))));
  const [writer, ...deliverers] = hosts as [PostgresStorage, ...PostgresStorage[]];
  await writer.open();
  const log = new EventLog(writer, new MessageRegistry([]));
  const streams = Array.from({ length: 5 }, () => newId());
  const queued: string[][] = streams.map(() => []);
  const written = new AbortController();
  const write = async (stream: number): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      const event = pendingRecord(streams[stream]!);
      const id = newId();
      const note = { id, lane: 'system', destination: auditDestination, message: null, eventId: event.id } as const;
      await writer.commit(commitRecord({ events: [event], outgoing: [{ ...note, note: '{"auditLevel":0}' }] }));
      queued[stream]!.push(event.id);
    }
  };
  const others: string[] = [];
  const append = async (): Promise<void> => {
    while (!written.signal.aborted) {
      let id = newId();
      const record = commitRecord({ events: [pendingRecord(SystemEventStream.streamId, { id })] });
      await log.commit(record, { renewed: ({ events }) => void ({ id } = events[0]!) });
      others.push(id);
      await sleep(1);
    }
  };
  let delivered = 0;
  const deliver = async (storage: PostgresStorage): Promise<void> => {
    while (delivered < 200) for (const count of (await storage.systemDelivery.deliver(7)).values()) delivered += count;
  };
  const appending = append();
  await Promise.all([...streams.map((_, i) => write(i)), ...deliverers.map(deliver)]);
  written.abort();
  await appending;
  const found = await collect(writer.readStream(SystemEventStream.streamId));
  expect(found.map(({ position }) => position)).toEqual(found.map((_, i) => i));
  expect(found.filter(({ type }) => type === 'test.Happened').map(({ id }) => id)).toEqual(others);
  const audits = found.filter(({ type }) => type === 'svc.EventAudited');
  for (const [i, stream] of streams.entries()) {
    const ofStream = audits.filter(({ body }) => (JSON.parse(body) as EventAudited).originalStreamId === stream);
    expect(ofStream.map(({ body }) => (JSON.parse(body) as EventAudited).originalEventId)).toEqual(queued[i]);
    expect(ofStream.map(({ body }) => (JSON.parse(body) as EventAudited).id)).toEqual(ofStream.map(({ id }) => id));
  }
  const ids = found.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect(audits).toHaveLength(200);
  const all = await collect(writer.readAll());
  expect(all.filter(({ streamId }) => streamId === SystemEventStream.streamId).map(({ id }) => id)).toEqual(ids);
});
