import { newId, SystemEventStream, type Service } from '@svc/core';
import { postgres, type PostgresOptions } from '@svc/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { entry, expectAudited } from './audit-trail.js';
import { count, startTrialService } from './trial-service.mjs';

let database: TestDatabase;
let services: Service[];
let reports: unknown[];

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  await database.reset();
  services = [];
  reports = [];
});
afterEach(() => Promise.all(services.map((service) => service.stop())));

async function startHost(options: Partial<PostgresOptions> = {}): Promise<Service> {
  const service = await startTrialService(postgres({ url: database.url, ...options }), (error) => reports.push(error));
  services.push(service);
  return service;
}

it('audits every command of several hosts once, in the order of its stream', async () => {
  const hosts = [await startHost(), await startHost(), await startHost()];
  const streams = [newId(), newId(), newId()];
  const expected: string[] = [];
  await Promise.all(
    hosts.flatMap((host, h) =>
      Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; i < 15; i++) {
          const stream = streams[(writer + i) % 3]!;
          const number = (h * 8 + writer) * 100 + i;
          await count(host, stream, number);
          expected.push(entry(stream, number));
        }
      }),
    ),
  );
  expect((await expectAudited(hosts[1]!)).toSorted()).toEqual(expected.toSorted());
  expect(reports).toEqual([]);
});

it('is notified by other hosts of messages to deliver', async () => {
  const never = { pollMs: 3_600_000 };
  const [delivering, other] = [await startHost(never), await startHost(never)];
  await count(delivering, newId(), 1);
  await delivering.idle();
  const started = performance.now();
  await count(other, newId(), 2);
  expect(await expectAudited(other)).toHaveLength(2);
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('takes over at once from a host that stops', async () => {
  const never = { pollMs: 3_600_000, leaseMs: 3_600_000 };
  const first = await startHost(never);
  await count(first, newId(), 1);
  await first.idle();
  const second = await startHost(never);
  const before = await second.eventStore.lastPosition(SystemEventStream.streamId);
  // What the first one did not get to.
  await database.query(`INSERT INTO svc_outbox (id, lane, destination, message)
    SELECT id, 'system', 'trial', json_build_object('id', id, 'type', 'trial.Counted', 'body', '{"number":7}',
      'timestamp', 0, 'correlationId', id, 'causationId', null, 'scope', null, 'metadata', json_build_object())
    FROM gen_random_uuid() AS id`);
  await first.stop();
  const last = (): Promise<number> => second.eventStore.lastPosition(SystemEventStream.streamId);
  await expect.poll(last, { timeout: 5_000 }).toBe(before + 1);
});

it('takes over from a crashed host when its lease has expired', async () => {
  const quick = { pollMs: 200, leaseMs: 1_000 };
  await (await startHost(quick)).idle();
  await database.query("UPDATE svc_leases SET holder = gen_random_uuid(), expires_at = now() + interval '1 second'");
  const second = await startHost(quick);
  await count(second, newId(), 1);
  expect(await expectAudited(second, 5_000)).toHaveLength(1);
});
