/** The check `svc_perspectives`: every state of it is really caused, and asked for over HTTP. */
import { newId, type Perspective, type Service, type Uuid } from '@svc/core';
import { health } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { appendStatement } from '../postgres/append-statement.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced } from '../system-events/shop.js';
import { append, described, ids, OrderTrace, shopWith, type Trace } from './perspective-shop.js';
import { describeStores, type OpenStore } from './storages.js';

class Fragile implements Perspective<Trace, OrderPlaced> {
  apply(_model: Trace | null, { note }: OrderPlaced): Trace {
    if (note === 'poison') throw new RangeError('cannot read this');
    return { ids: [] };
  }
}

interface Probed {
  readonly statusCode: number;
  readonly status: string;
  readonly output?: string;
  readonly data: Record<string, number | boolean | null>;
}

async function probe(app: FastifyInstance): Promise<Probed> {
  const answer = await app.inject('/health/perspectives');
  const { checks } = answer.json<{ checks: { svc_perspectives: [Omit<Probed, 'statusCode'>] } }>();
  const { status, output, data } = checks.svc_perspectives[0];
  return { statusCode: answer.statusCode, status, ...(output !== undefined && { output }), data };
}

/** Not what was answered a moment ago. */
async function probeAgain(app: FastifyInstance): Promise<Probed> {
  await new Promise((resolve) => setTimeout(resolve, 1_010));
  return await probe(app);
}

async function served(service: Service): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(
    health(service, { probes: { '/health/perspectives': ({ tags }) => tags.includes('perspectives') } }),
  );
  return app;
}

async function firstOf(log: AsyncIterable<{ readonly timestamp: number }>): Promise<number | null> {
  for await (const { timestamp } of log) return timestamp;
  return null;
}

describeStores((stores) => {
  let open: OpenStore;
  beforeEach(async () => void (open = await stores.fresh()));

  it('is Healthy when all events are processed, and Degraded while a stream is stopped, until it is rebuilt', async () => {
    const service = shopWith([described(Fragile, [OrderPlaced])], open()).start();
    const app = await served(service);
    const streamId = newId();
    await append(service, streamId, 'fine');
    await service.idle();
    const figures = {
      'Fragile.behind': 0,
      'Fragile.ageMs': 0,
      'Fragile.processedHere': true,
      'Fragile.eventsPerSecond': null,
      heldBack: 0,
      blockedBy: null,
    };
    expect(await probe(app)).toEqual({ statusCode: 200, status: 'pass', data: { ...figures, 'Fragile.stopped': 0 } });
    await append(service, streamId, 'poison');
    await service.idle();
    expect(await probeAgain(app)).toEqual({
      statusCode: 200,
      status: 'warn',
      output: 'Stopped at streams: Fragile. Fix the code, then run svc perspectives retry.',
      data: { ...figures, 'Fragile.eventsPerSecond': expect.any(Number), 'Fragile.stopped': 1 },
    });
  });

  it('counts unprocessed events up to a limit, and reports the time of the oldest one', async () => {
    const storage = open();
    const service = shopWith([], storage).start();
    for (const streamId of ids(3)) await append(service, streamId, 'x');
    await service.idle();
    const [all] = await storage.perspectives.readStandings(['OrderTrace'], 1_000);
    const total = all!.behind;
    // Each event is audited by another one.
    expect(total).toBeGreaterThanOrEqual(3);
    // That of the first append, or of the migration of the store, whose events are appended at the same time.
    const oldest = await firstOf(storage.readAll());
    expect(all).toEqual({ perspective: 'OrderTrace', sequence: -1, stopped: 0, behind: total, oldest });
    expect((await storage.perspectives.readStandings(['OrderTrace'], 2))[0]!.behind).toBe(2);
  });

  it('does not exist without perspectives', async () => {
    const service = shopWith([], open()).start();
    const { entries } = await service.health.run(({ name }) => name === 'svc_perspectives');
    expect(entries).toEqual([]);
  });
});

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createDatabase()));
  afterAll(() => database.remove());

  async function connected(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'secret-tool' });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  async function started(lag = {}): Promise<{ service: Service; app: FastifyInstance; streamId: Uuid }> {
    await database.reset();
    const storage = postgres({ url: database.url, applicationName: 'probed', stallMs: 200, onStall: () => {} });
    const service = shopWith([described(OrderTrace, [OrderPlaced])], storage)
      .addServicePerspectives({ lag })
      .start();
    const streamId = newId();
    await append(service, streamId, 'x');
    await service.idle();
    return { service, app: await served(service), streamId };
  }

  it.each([{ events: 2 }, { ageMs: 500 }])('is Degraded while the lag of one exceeds %o', async (lag) => {
    const { service, app, streamId } = await started(lag);
    const other = await connected();
    await other.query('BEGIN; LOCK TABLE svc_perspective_order_trace IN SHARE MODE');
    for (let i = 0; i < 5; i++) await append(service, streamId, 'x');
    await new Promise((resolve) => setTimeout(resolve, 600));
    const lagging = await probe(app);
    expect(lagging).toMatchObject({ statusCode: 200, status: 'warn', output: 'Too far behind: OrderTrace.' });
    expect(lagging.data['OrderTrace.behind']).toBeGreaterThan(2);
    expect(lagging.data['OrderTrace.ageMs']).toBeGreaterThanOrEqual(500);
    await other.query('ROLLBACK');
    await service.idle();
    expect(await probeAgain(app)).toMatchObject({ statusCode: 200, status: 'pass' });
  });

  it('names only the process whose open append holds back events', async () => {
    const { service, app, streamId } = await started();
    const other = await connected();
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { pid } = rows[0]!;
    await other.query(`BEGIN; ${appendStatement}`);
    await append(service, streamId, 'x');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const stalled = await probe(app);
    expect(stalled).toMatchObject({ statusCode: 200, status: 'warn', data: { blockedBy: pid } });
    expect(stalled.output).toMatch(
      new RegExp(`^\\d+ events? waits? for an open transaction of process ${pid} of the database, open for \\d+ s\\.$`),
    );
    expect(stalled.data['heldBack']).toBeGreaterThan(0);
    await other.query('ROLLBACK');
    await service.idle();
    expect(await probeAgain(app)).toMatchObject({ status: 'pass', data: { heldBack: 0, blockedBy: null } });
    expect(await service.lens(OrderTrace).find(streamId)).toMatchObject({ ids: { length: 2 } });
  }, 20_000);

  it('runs a thousand times over the existing connection, and opens none', async () => {
    const { app } = await started();
    const watcher = await connected();
    const sessions = async (): Promise<unknown[]> =>
      (await watcher.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'probed' ORDER BY pid")).rows;
    const before = await sessions();
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 100 }, () => app.inject('/health/perspectives')));
    }
    expect(await sessions()).toEqual(before);
  });

  it('is Degraded, not Unhealthy, when the database does not answer', async () => {
    const { app } = await started();
    await database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'probed'");
    const answer = await app.inject('/health/perspectives');
    expect([answer.statusCode, answer.json<{ status: string }>().status]).toEqual([200, 'warn']);
    expect(answer.body).toContain('The database does not say how far perspectives are.');
  });
});
