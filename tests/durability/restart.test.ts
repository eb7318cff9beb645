import { newId, type Service, type Uuid } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { entry, expectAudited } from './audit-trail.js';
import { count, startTrialService } from './trial-service.mjs';

let cluster: Cluster;
let service: Service;

beforeAll(async () => {
  cluster = await createCluster();
  const storage = postgres({ url: cluster.url, resolveTimeoutMs: 1_500, pollMs: 300, leaseMs: 500 });
  service = await startTrialService(storage);
});
afterAll(async () => {
  await service.stop();
  await cluster.remove();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('resumes by itself after the server loses power under load, and neither loses nor repeats anything', async () => {
  const acknowledged: string[] = [];
  const rejected: string[] = [];
  const errors: unknown[] = [];
  const state = { done: false };
  const write = async (writer: number): Promise<void> => {
    const streams: Uuid[] = [newId(), newId()];
    for (let i = 0; !state.done; i++) {
      const stream = streams[i % 2]!;
      const number = writer * 100_000 + i;
      try {
        await count(service, stream, number);
        acknowledged.push(entry(stream, number));
      } catch (error) {
        errors.push(error);
        if (error instanceof StorageUnavailableError && error.outcome === 'none') rejected.push(entry(stream, number));
        await pause(20);
      }
    }
  };
  const writing = Array.from({ length: 16 }, (_, writer) => write(writer));
  await pause(500);
  // Short enough to be waited for, and longer than that.
  for (const outageMs of [100, 2_500]) {
    await cluster.stop('immediate');
    await pause(outageMs);
    const before = acknowledged.length;
    await cluster.start();
    const end = performance.now() + 15_000;
    while (acknowledged.length < before + 50 && performance.now() < end) await pause(50);
    expect(acknowledged.length, 'commands succeed again').toBeGreaterThanOrEqual(before + 50);
  }
  state.done = true;
  await Promise.all(writing);

  expect(errors.length).toBeGreaterThan(0);
  expect(errors.filter((error) => !(error instanceof StorageUnavailableError))).toEqual([]);
  const stored = await expectAudited(service);
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.filter((one) => !stored.includes(one))).toEqual([]);
  expect(rejected.filter((one) => stored.includes(one))).toEqual([]);
}, 60_000);
