/** A primary is killed under load, and its synchronous standby is promoted while the service runs. */
import { newId, SystemEventStream, type CommandAudited, type EventAudited } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { described, OrderTrace, place, shopWith } from '../perspectives/perspective-shop.js';
import { OrderPlaced } from '../system-events/shop.js';

/** For a longer run: `SVC_TEST_FAILOVERS=20 npx vitest run tests/durability/failover.test.ts`. */
const failovers = Number(process.env['SVC_TEST_FAILOVERS'] ?? 1);
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e6));
const writers = 8;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The same numbers for the same seed. */
function numbersFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

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

it(
  `loses and repeats nothing when the primary is killed and its standby promoted (SVC_TEST_SEED=${seed}, ${failovers} times)`,
  async () => {
    const random = numbersFrom(seed);
    const figures: string[] = [];
    for (let nth = 0; nth < failovers; nth++) {
      const { promotionMs, unavailableMs } = await failOver(random);
      expect(unavailableMs, 'no command succeeded during the promotion').toBeGreaterThanOrEqual(promotionMs / 2);
      figures.push(`promotion ${promotionMs} ms, no command answered for ${unavailableMs} ms`);
    }
    console.log(figures.join('\n'));
  },
  60_000 * failovers,
);

async function failOver(random: (below: number) => number): Promise<{ promotionMs: number; unavailableMs: number }> {
  const { primary, standby } = await createPair();
  const storage = postgres({ url: urlOf(primary, standby), leaseMs: 500, pollMs: 300 });
  const service = shopWith([described(OrderTrace, [OrderPlaced])], storage)
    .reportTo(() => {})
    .start();
  await service.ready();

  const streams = Array.from({ length: 2 * writers }, () => newId());
  const answered: string[] = [];
  const rejected: string[] = [];
  const errors: unknown[] = [];
  const answeredAt: number[] = [];
  const state = { done: false };
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; !state.done; i++) {
      const note = `${writer}-${i}`;
      try {
        await place(service, note, streams[2 * writer + (i % 2)]);
        answered.push(note);
        answeredAt.push(performance.now());
      } catch (error) {
        errors.push(error);
        if (error instanceof StorageUnavailableError && error.outcome === 'none') rejected.push(note);
        await pause(20);
      }
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(writer));
  await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(50 + random(200));
  await pause(random(50));
  const killedAt = performance.now();
  await primary.kill();
  await pause(random(500));
  const promotedFrom = performance.now();
  await standby.promote();
  const promotionMs = Math.round(performance.now() - promotedFrom);
  const before = answered.length;
  await expect.poll(() => answered.length, { timeout: 30_000 }).toBeGreaterThan(before + 50);
  state.done = true;
  await Promise.all(writing);

  expect(errors.filter((error) => !(error instanceof StorageUnavailableError))).toEqual([]);
  const stored = (await collect(service.eventStore.readAll())).filter(
    ({ envelope }) => envelope.type === 'shop.OrderPlaced',
  );
  const notes = stored.map(({ envelope }) => (envelope.payload as OrderPlaced).note);
  expect(new Set(notes).size).toBe(notes.length);
  expect(answered.filter((note) => !notes.includes(note))).toEqual([]);
  expect(rejected.filter((note) => notes.includes(note))).toEqual([]);

  const audits = async (type: string): Promise<string[]> => {
    const records = await collect(service.eventStore.readStream(SystemEventStream.streamId));
    return records
      .filter(({ envelope }) => envelope.type === type)
      .flatMap(({ envelope }) => {
        const record = envelope.payload as EventAudited & CommandAudited;
        return type === 'svc.EventAudited' ? record.originalEventId! : record.correlationId!;
      })
      .toSorted();
  };
  const ids = stored.map(({ envelope }) => envelope.id).toSorted();
  await expect.poll(() => audits('svc.EventAudited'), { timeout: 15_000 }).toEqual(ids);
  const causes = stored.map(({ envelope }) => envelope.correlationId).toSorted();
  await expect.poll(() => audits('svc.CommandAudited'), { timeout: 15_000 }).toEqual(causes);

  const lens = service.lens(OrderTrace);
  await lens.waitFor(stored.at(-1)!.envelope.id, { timeoutMs: 20_000 });
  for (const stream of streams) {
    const own = stored.filter(({ streamId }) => streamId === stream).map(({ envelope }) => envelope.id);
    expect((await lens.find(stream))?.ids ?? []).toEqual(own);
  }
  // The longest time without an answer: the sessions of a killed server may complete their last commits.
  const pauses = answeredAt.map((at, nth) => (at < killedAt ? 0 : at - answeredAt[nth - 1]!));
  return { promotionMs, unavailableMs: Math.round(Math.max(...pauses)) };
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
