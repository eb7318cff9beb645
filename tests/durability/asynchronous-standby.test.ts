/** A standby that misses events becomes the primary. The cluster is private, and its standby stops receiving before it is promoted. */
import { HealthStatus, newId, type Service, type Uuid } from '@svc/core';
import { collect } from '@svc/core/testing';
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
  standby = await primary.createStandby('standby', { hot_standby_feedback: 'on' });
});
afterAll(async () => {
  await standby?.remove();
  await primary?.remove();
});

const patiently = { timeout: 20_000 };

function started(): Service {
  const hosts = [primary, standby].map(({ url }) => new URL(url).host).join(',');
  const url = primary.url.replace(new URL(primary.url).host, hosts);
  const storage = postgres({ url: `${url}?target_session_attrs=read-write`, pollMs: 300, leaseMs: 500 });
  return shopWith([described(OrderTrace, [OrderPlaced])], storage)
    .reportTo(() => {})
    .start();
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

/** Waits until the standby has everything, then stops it from receiving more. */
async function stopReceiving(): Promise<void> {
  const { rows } = await query(primary, 'SELECT pg_current_wal_flush_lsn() AS place');
  const { place: reached } = rows[0] as { place: string };
  const received = `SELECT pg_last_wal_replay_lsn() >= '${reached}' AS yes`;
  await expect.poll(async () => (await query(standby, received)).rows, patiently).toEqual([{ yes: true }]);
  await query(standby, "ALTER SYSTEM SET primary_conninfo = ''");
  await query(standby, 'SELECT pg_reload_conf()');
  const streams = 'SELECT FROM pg_stat_replication';
  await expect.poll(async () => (await query(primary, streams)).rowCount, patiently).toBe(0);
}

const readAll = async (service: Service): Promise<Uuid[]> =>
  (await collect(service.eventStore.readAll()))
    .filter(({ envelope }) => envelope.type === 'shop.OrderPlaced')
    .map(({ streamId }) => streamId);

it('stops a host whose committed events are missing after a failover, and serves the remaining ones after a restart', async () => {
  const service = started();
  await service.ready();
  const lens = service.lens(OrderTrace);
  const [retained, lost] = [newId(), newId()];
  await place(service, 'retained', retained);
  await stopReceiving();
  await place(service, 'lost', lost);
  await expect.poll(() => lens.find(lost), patiently).not.toBeNull();

  await primary.kill();
  await standby.promote();
  const failure = expect.objectContaining({
    code: 'SVC_STORAGE_UNAVAILABLE',
    outcome: 'none',
    reason: 'went-back',
    message: expect.stringContaining('Decide whether to accept the loss, then restart every host.') as string,
    cause: expect.objectContaining({ code: 'SVC_LOG_WENT_BACK' }) as Error,
  }) as Error;
  const failureOf = async (work: Promise<unknown>): Promise<unknown> => await work.catch((error: unknown) => error);
  await expect.poll(() => failureOf(place(service, 'after')), patiently).toEqual(failure);
  expect(await failureOf(lens.find(lost))).toEqual(failure);
  expect(await failureOf(lens.find(retained))).toEqual(failure);
  expect(await failureOf(lens.list())).toEqual(failure);
  expect(await failureOf(readAll(service))).toEqual(failure);
  const { entries } = await service.health.run();
  expect(entries.find(({ name }) => name === 'svc_relational_db')).toMatchObject({
    status: HealthStatus.Unhealthy,
    description: expect.stringContaining('SVC_LOG_WENT_BACK') as string,
  });
  await service.stop();

  const restarted = started();
  await restarted.ready();
  expect(await readAll(restarted)).toEqual([retained]);
  const after = newId();
  await place(restarted, 'after', after);
  const models = restarted.lens(OrderTrace);
  await expect.poll(() => models.find(after), patiently).not.toBeNull();
  expect(await models.find(lost)).toBeNull();
  expect((await models.find(retained))?.ids).toHaveLength(1);
});
