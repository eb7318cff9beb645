import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, newId, type HealthStatus, type Service } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { tillRegistry } from './till.js';

const name = 'svc_relational_db';

async function start(storage: Storage): Promise<Service> {
  const service = createService(tillRegistry({}))
    .useStorage(storage)
    .reportTo(() => {})
    .start();
  await service.ready();
  return service;
}

async function statusOf(service: Service): Promise<HealthStatus | undefined> {
  const { entries } = await service.health.run((check) => check.name === name);
  return entries[0]?.status;
}

/** Answers are used again for a moment. */
async function becomes(service: Service, status: HealthStatus): Promise<void> {
  await expect.poll(() => statusOf(service), { timeout: 15_000, interval: 50 }).toBe(status);
}

describe('a service on PostgreSQL', () => {
  let cluster: Cluster;
  let storage: PostgresStorage;
  let service: Service;
  beforeAll(async () => {
    cluster = await createCluster();
    storage = postgres({ url: cluster.url });
    service = await start(storage);
  });
  afterAll(async () => {
    await service.stop();
    await cluster.remove();
  });

  /** Those that are there, by the processes that serve them: a connection that came and went would have another. */
  async function sessions(): Promise<unknown[]> {
    const client = new pg.Client(cluster.url);
    await client.connect();
    const { rows } = await client.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'svc' ORDER BY pid");
    await client.end();
    return rows;
  }

  /** Once the service has opened what its own work needs, which it does when it first has some, and side by side. */
  async function settledSessions(): Promise<unknown[]> {
    await Promise.all(Array.from({ length: 20 }, () => storage.lastPosition(newId())));
    for (let before = await sessions(); ;) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const now = await sessions();
      if (JSON.stringify(now) === JSON.stringify(before)) return now;
      before = now;
    }
  }

  it('runs a thousand times over the existing connection, and opens none', async () => {
    await becomes(service, 'Healthy');
    const before = await settledSessions();
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 100 }, () => storage.connection.ping()));
      await Promise.all(Array.from({ length: 100 }, () => service.health.run()));
    }
    expect(await sessions()).toEqual(before);
  });

  it('is Unhealthy while the server is unavailable, and Healthy once it is back', async () => {
    await cluster.stop('fast');
    await becomes(service, 'Unhealthy');
    const { entries } = await service.health.run((check) => check.name === name);
    expect(entries[0]).toMatchObject({ name, tags: [], description: 'The database does not answer.' });
    await cluster.start();
    await becomes(service, 'Healthy');
  }, 40_000);
});

describe('a service on SQLite', () => {
  it('is Unhealthy when its file is deleted or replaced, and when it is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-health-'));
    const file = join(folder, 'data.db');
    const storage = sqlite({ file });
    const service = await start(storage);
    await becomes(service, 'Healthy');
    renameSync(file, `${file}.away`);
    await becomes(service, 'Unhealthy');
    const other = sqlite({ file });
    await other.open();
    await other.close();
    expect(await statusOf(service)).toBe('Unhealthy');
    rmSync(file);
    renameSync(`${file}.away`, file);
    await becomes(service, 'Healthy');
    await service.stop();
    await expect(storage.connection.ping()).rejects.toThrow(
      expect.objectContaining({ code: 'SVC_STORAGE_CLOSED' }) as Error,
    );
    rmSync(folder, { recursive: true });
  }, 20_000);
});

it('does not exist for a storage in the process', async () => {
  const service = await start(new InMemoryStorage());
  expect(await statusOf(service)).toBeUndefined();
  await service.stop();
});
