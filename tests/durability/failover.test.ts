/** Storages move from an old primary to its promoted standby. `tests/torture/failover.test.ts` kills the primary under load. */
import { newId } from '@svc/core';
import type { StorageUnavailableError } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';

/** A primary that waits for the standby before it answers a commit. */
async function createPair(): Promise<{ primary: Cluster; standby: Cluster }> {
  const primary = await createCluster({ fsync: 'off', synchronous_standby_names: 'standby' });
  onTestFinished(() => primary.remove());
  const standby = await primary.createStandby('standby');
  onTestFinished(() => standby.remove());
  return { primary, standby };
}

function urlOf(...clusters: readonly Cluster[]): string {
  const [first, ...others] = clusters.map(({ url }) => new URL(url));
  const hosts = [first!, ...others].map(({ host }) => host).join(',');
  return `postgres://postgres:${first!.password}@${hosts}/postgres?target_session_attrs=read-write`;
}

it('moves to the promoted standby when the old primary becomes read-only, although its connections stay open', async () => {
  const { primary, standby } = await createPair();
  // Neither a poll nor an idle connection may cause the move: the rejected commit does.
  const never = { leaseMs: 3_600_000, pollMs: 3_600_000 };
  const storage = postgres({ url: urlOf(primary, standby), transactions: 1, ...never });
  onTestFinished(() => storage.close());
  const write = (): Promise<void> => storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
  await write();
  await execute(primary, "ALTER SYSTEM SET default_transaction_read_only = 'on'");
  await execute(primary, 'SELECT pg_reload_conf()');
  await expect
    .poll(
      () =>
        write().then(
          () => null,
          (error: StorageUnavailableError) => error.reason,
        ),
      { timeout: 10_000 },
    )
    .toBe('read-only');
  await standby.promote();
  await expect.poll(() => write().then(() => 'written', String), { timeout: 10_000 }).toBe('written');
});

async function execute({ url }: Cluster, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
