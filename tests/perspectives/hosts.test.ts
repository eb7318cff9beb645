/** Several hosts on one PostgreSQL share the perspectives evenly, and hand them over when a host joins or leaves. */
import { createService, newId, StreamRewindStarted, type Service, type Uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced, records, shopRegistry } from '../system-events/shop.js';
import { append, described, ids, NoteTrace, OrderTrace, shopWith, traces } from './perspective-shop.js';
import { areWhole, rewindsOf } from './rewind-sequences.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(() => database.reset());

/** Its leases do not expire during a test: another host takes one over only if it was released. */
async function host(perspectives = traces): Promise<Service> {
  const storage = postgres({ url: database.url, leaseMs: 60_000, divideAfterMs: 0 });
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

/** How many perspectives or segments each host processes. */
async function shares(): Promise<number[]> {
  const sql = `SELECT hosts.holder, count(work.lane)::int AS perspectives FROM svc_leases hosts
    LEFT JOIN svc_leases work ON work.holder = hosts.holder AND work.lane LIKE 'perspectives/%/of/%' AND work.expires_at > now()
    WHERE hosts.lane LIKE 'perspectives/%/host/%' AND hosts.expires_at > now() GROUP BY 1 ORDER BY 2 DESC`;
  return (await database.query(sql)).rows.map((row: { perspectives: number }) => row.perspectives);
}

it('wakes the host that processes a perspective when another host has appended an event, without waiting for the next poll', async () => {
  const [, other] = [await quietHost(), await quietHost()];
  await expect.poll(shares, { timeout: 10_000 }).toEqual([1, 1]);
  const streamId = newId();
  const started = performance.now();
  for (let i = 0; i < 8; i++) {
    for (const one of [OrderTrace, NoteTrace]) await other.lens(one).waitFor(await append(other, streamId, 'x'));
  }
  // With polls alone, the perspective of the other host would take 1 s each time.
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('hands its perspectives over when it stops', async () => {
  const [first, second] = [await host(), await host()];
  const streamId = newId();
  const id = await append(first, streamId, 'x');
  await second.lens(OrderTrace).waitFor(id);
  await first.stop();
  const last = await append(second, streamId, 'x');
  await second.lens(OrderTrace).waitFor(last);
  expect(await second.lens(OrderTrace).find(streamId)).toEqual({ ids: [id, last] });
});

it('leaves no leases behind: neither of a host that stopped, nor of one that was killed', async () => {
  const lanes = async (): Promise<number> => (await database.query('SELECT 1 FROM svc_leases')).rows.length;
  await (await host()).stop();
  expect(await lanes()).toBe(0);
  const killed =
    "INSERT INTO svc_leases VALUES ('perspectives/v/host/x', gen_random_uuid(), now() - interval '1 second')";
  await database.query(killed);
  const storage = postgres({ url: database.url });
  await storage.forgetExpired({ receivedMs: 1, idempotencyKeysMs: 1, operationsMs: 1 }, 1);
  await storage.close();
  expect(await lanes()).toBe(0);
});

it('reports every rewind as a whole, with all perspectives, although different hosts replay them', async () => {
  const hosts = [await host(), await host(), await host()];
  // Each host has a perspective or a segment.
  const areShared = async (): Promise<boolean> => (await shares()).filter((share) => share > 0).length === 3;
  await expect.poll(areShared, { timeout: 10_000 }).toBe(true);
  const streams = ids(8);
  const late = ids(24);
  for (const streamId of streams) await append(hosts[0]!, streamId, 'x');
  for (const one of [OrderTrace, NoteTrace]) {
    await hosts[0]!.lens(one).waitFor(await append(hosts[0]!, newId(), 'x'));
  }
  await Promise.all(late.map((id, i) => append(hosts[i % 3]!, streams[i % 8]!, 'x', id)));
  // Segments that replay models of one stream wait for each other's reports.
  for (const one of [OrderTrace, NoteTrace]) {
    for (const id of late) await hosts[1]!.lens(one).waitFor(id, { timeoutMs: 30_000 });
  }
  for (const streamId of streams) {
    await expect.poll(() => rewindsOf(hosts[2]!, streamId), { timeout: 20_000 }).toSatisfy(areWhole);
  }
  const started = await records(hosts[2]!, StreamRewindStarted);
  expect(started.length).toBeGreaterThanOrEqual(8);
  for (const { perspectiveNames } of started) expect(perspectiveNames.length).toBeGreaterThan(0);
  expect(started.some(({ perspectiveNames }) => perspectiveNames.length === 2)).toBe(true);
});

it('shares no work with hosts of another version, which process perspectives that the first does not have', async () => {
  const old = await host([described(OrderTrace, [OrderPlaced])]);
  const next = await host();
  const id: Uuid = await append(old, newId(), 'x');
  await next.lens(NoteTrace).waitFor(id);
  expect(await shares()).toEqual([2, 1]);
});
