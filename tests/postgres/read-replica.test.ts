/** A streaming standby serves models. Its replay is paused and resumed, as if it lagged. */
import { HealthStatus, newId, type Service, type Uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { described, OrderTrace, place, shopWith } from '../perspectives/perspective-shop.js';
import { OrderPlaced } from '../system-events/shop.js';

let primary: Cluster;
let standby: Cluster;
beforeAll(async () => {
  primary = await createCluster({ fsync: 'off' });
  standby = await primary.createStandby('standby');
});
afterAll(async () => {
  await standby?.remove();
  await primary?.remove();
});

const patiently = { timeout: 20_000 };

async function started(): Promise<Service> {
  const storage = postgres({ url: primary.url, readUrl: standby.url, applicationName: 'replicated' });
  const service = shopWith([described(OrderTrace, [OrderPlaced])], storage).start();
  await service.ready();
  return service;
}

async function query(cluster: Cluster, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(cluster.url);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The event that a command appended. */
async function placed(service: Service, streamId = newId()) {
  await place(service, 'x', streamId);
  for await (const { envelope } of service.eventStore.readStream(streamId)) return { streamId, eventId: envelope.id };
  throw new Error('The stream is empty.');
}

/** Waits until the primary has the model of a stream. */
async function onPrimary(streamId: Uuid): Promise<void> {
  const found = `SELECT FROM svc_perspective_order_trace WHERE id = '${streamId}'`;
  await expect.poll(async () => (await query(primary, found)).rowCount, patiently).toBe(1);
}

it('serves models from the replica, and waits for it after an event', async () => {
  const service = await started();
  const lens = service.lens(OrderTrace);
  const before = await placed(service);
  await lens.waitFor(before.eventId, { timeoutMs: 20_000 });
  expect(await lens.find(before.streamId)).toEqual({ ids: [before.eventId] });

  await query(standby, 'SELECT pg_wal_replay_pause()');
  await expect
    .poll(async () => (await query(standby, 'SELECT pg_get_wal_replay_pause_state() AS state')).rows, patiently)
    .toEqual([{ state: 'paused' }]);
  const late = await placed(service);
  await onPrimary(late.streamId);
  expect(await lens.find(late.streamId), 'the replica does not have it yet').toBeNull();
  expect(await lens.list()).toEqual([{ ids: [before.eventId] }]);
  // The primary processes another event while a caller waits for the replica.
  const tooLate = lens.waitFor(late.eventId, { timeoutMs: 3_000 }).catch((error: unknown) => error);
  await onPrimary((await placed(service)).streamId);
  expect(await tooLate).toMatchObject({ code: 'SVC_EVENT_NOT_TAKEN' });

  const waiting = lens.waitFor(late.eventId, { timeoutMs: 20_000 });
  await query(standby, 'SELECT pg_wal_replay_resume()');
  await waiting;
  expect(await lens.find(late.streamId)).toEqual({ ids: [late.eventId] });
  await expect.poll(() => lens.list(), patiently).toHaveLength(3);
});

it('rebuilds on the primary and serves the result from the replica', async () => {
  const service = await started();
  const lens = service.lens(OrderTrace);
  await service.rebuildPerspective(OrderTrace);
  const { streamId, eventId } = await placed(service);
  await lens.waitFor(eventId, { timeoutMs: 20_000 });
  expect(await lens.find(streamId)).toEqual({ ids: [eventId] });
});

it('fails reads while the replica is down, and accepts commands', async () => {
  const service = await started();
  const lens = service.lens(OrderTrace);
  await standby.stop();
  const { streamId, eventId } = await placed(service);
  await expect(lens.find(streamId)).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
  const { entries } = await service.health.run(({ name }) => name === 'svc_relational_db');
  expect(entries).toMatchObject([{ status: HealthStatus.Healthy }]);
  await standby.start();
  await expect.poll(() => lens.waitFor(eventId).then(() => 'there', String), patiently).toBe('there');
  expect(await lens.find(streamId)).toEqual({ ids: [eventId] });
});

it('uses another replica, or the primary, that readUrl names', async () => {
  const url = standby.url.replace(new URL(standby.url).host, `127.0.0.1:1,${new URL(primary.url).host}`);
  const storage = postgres({ url: primary.url, readUrl: url });
  const service = shopWith([described(OrderTrace, [OrderPlaced])], storage).start();
  await service.ready();
  const { streamId, eventId } = await placed(service);
  const lens = service.lens(OrderTrace);
  await lens.waitFor(eventId, { timeoutMs: 20_000 });
  expect(await lens.find(streamId)).toEqual({ ids: [eventId] });
});
