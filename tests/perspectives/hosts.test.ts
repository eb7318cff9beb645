/** Several hosts on one PostgreSQL: one of them works on the perspectives, and another takes over. */
import { createService, newId, StreamRewindStarted, type Service, type Uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced, records, shopRegistry } from '../system-events/shop.js';
import { append, described, ids, NoteTrace, OrderTrace, shopWith, traces } from './perspective-shop.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(() => database.clear());

/** A lease that nobody outlives: whoever takes over was let. */
async function host(perspectives = traces): Promise<Service> {
  const storage = postgres({ url: database.url, leaseMs: 60_000 });
  const service = shopWith(perspectives, storage).start();
  await service.ready();
  await service.idle();
  return service;
}

/** Without an outbox whose messages would wake the other host, too. */
async function quietHost(): Promise<Service> {
  const storage = postgres({ url: database.url, leaseMs: 60_000 });
  const service = createService({ ...shopRegistry(), perspectives: traces })
    .useStorage(storage)
    .addServicePerspectives();
  onTestFinished(() => service.stop());
  await service.start().ready();
  await service.idle();
  return service;
}

const lanes = async (): Promise<string[]> =>
  (await database.query("SELECT holder FROM svc_leases WHERE lane LIKE 'perspectives/%'")).rows.map(
    (row: { holder: string }) => row.holder,
  );

it('wakes the host that works on them when another one has kept something, without waiting for its next look', async () => {
  const [, other] = [await quietHost(), await quietHost()];
  const streamId = newId();
  const started = performance.now();
  for (let i = 0; i < 6; i++) await other.lens(OrderTrace).waitFor(await append(other, streamId, 'x'));
  // Looking once a second, it would take six.
  expect(performance.now() - started).toBeLessThan(3_500);
  expect(await lanes()).toHaveLength(1);
});

it('hands over when it stops', async () => {
  const [first, second] = [await host(), await host()];
  const streamId = newId();
  const id = await append(first, streamId, 'x');
  await second.lens(OrderTrace).waitFor(id);
  await first.stop();
  const last = await append(second, streamId, 'x');
  await second.lens(OrderTrace).waitFor(last);
  expect(await second.lens(OrderTrace).find(streamId)).toEqual({ ids: [id, last] });
});

it('tells of every rewind as a whole, however many hosts write late events', async () => {
  const hosts = [await host(), await host(), await host()];
  const streams = ids(8);
  const late = ids(24);
  for (const streamId of streams) await append(hosts[0]!, streamId, 'x');
  const lens = hosts[0]!.lens(NoteTrace);
  await lens.waitFor(await append(hosts[0]!, newId(), 'x'));
  await Promise.all(late.map((id, i) => append(hosts[i % 3]!, streams[i % 8]!, 'x', id)));
  for (const id of late) for (const one of [OrderTrace, NoteTrace]) await hosts[1]!.lens(one).waitFor(id);
  for (const one of hosts) await one.idle();
  const told = await records(hosts[2]!, StreamRewindStarted);
  expect(told.length).toBeGreaterThanOrEqual(8);
  for (const { perspectiveNames } of told) expect(perspectiveNames).toEqual(['OrderTrace', 'NoteTrace']);
});

it('lets another version work beside it, with perspectives that the first does not have', async () => {
  const old = await host([described(OrderTrace, [OrderPlaced])]);
  const next = await host();
  const id: Uuid = await append(old, newId(), 'x');
  await next.lens(NoteTrace).waitFor(id);
  expect(await lanes()).toHaveLength(2);
});
