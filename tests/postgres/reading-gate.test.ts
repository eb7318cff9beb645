/** Which open transactions hold back the reading of the log: those that can still append events, and no others. */
import { newId, type Uuid } from '@svc/core';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage, type ReadingStall } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { append, described, OrderTrace, shopWith } from '../perspectives/perspective-shop.js';
import { OrderPlaced } from '../system-events/shop.js';
import { appendStatement } from './append-statement.js';
import { createDatabase, type TestDatabase } from './test-database.js';

/** A server of its own, because those of other tests allow no prepared transactions. */
let cluster: Cluster;
let database: TestDatabase;
beforeAll(async () => void (cluster = await createCluster({ fsync: 'off', max_prepared_transactions: '5' })));
afterAll(() => cluster.remove());
beforeEach(async () => void (database = await createDatabase(cluster.url)));

interface Opened {
  readonly storage: PostgresStorage;
  readonly stalls: readonly ReadingStall[];
  /** The ids of all events that can be read. */
  readIds(): Promise<Uuid[]>;
  /** Commits an event and returns its id. */
  commitEvent(): Promise<Uuid>;
}

async function open({ stallMs = 100, url = database.url } = {}): Promise<Opened> {
  const stalls: ReadingStall[] = [];
  const storage = postgres({ url, stallMs, onStall: (stall) => stalls.push(stall) });
  onTestFinished(() => storage.close());
  await storage.open();
  return {
    storage,
    stalls,
    readIds: async () => (await collect(storage.readAll())).map(({ id }) => id),
    async commitEvent() {
      const event = pendingRecord(newId());
      await storage.commit(commitRecord({ events: [event] }));
      return event.id;
    },
  };
}

interface Session {
  readonly pid: number;
  readonly client: pg.Client;
  /** Appends an event in the open transaction and returns its id. */
  append(): Promise<Uuid>;
}

async function connected(url = database.url): Promise<Session> {
  const client = new pg.Client({ connectionString: url, application_name: 'forgotten' });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    pid: rows[0]!.pid,
    client,
    append: async () => (await client.query<{ id: Uuid }>(appendStatement)).rows[0]!.id,
  };
}

/** A session with an open transaction that has written to a table, but not to the one of events. */
async function writing(url = database.url): Promise<Session> {
  const session = await connected(url);
  await session.client.query('CREATE TABLE IF NOT EXISTS notes (note text)');
  await session.client.query("BEGIN; INSERT INTO notes VALUES ('x')");
  return session;
}

/** A session with an open transaction that has appended an event. */
async function appending(): Promise<Session & { readonly id: Uuid }> {
  const session = await connected();
  await session.client.query('BEGIN');
  return { ...session, id: await session.append() };
}

describe('a transaction that cannot append', () => {
  it.each([
    ['in another database', () => cluster.url],
    ['in the same database that has written only to another table', () => database.url],
  ])('%s holds no events back', async (_where, url) => {
    const { storage, stalls, readIds, commitEvent } = await open();
    await writing(url());
    const id = await commitEvent();
    expect(await readIds()).toEqual([id]);
    expect(await storage.readingStall()).toBeNull();
    expect(stalls).toEqual([]);
  });

  it('and has locked events against changes holds no events back', async () => {
    const { stalls, readIds, commitEvent } = await open();
    const { client } = await writing();
    const locked = await commitEvent();
    await client.query('SELECT id FROM svc_events FOR KEY SHARE');
    const id = await commitEvent();
    expect(await readIds()).toEqual([locked, id]);
    expect(stalls).toEqual([]);
  });

  it('and is prepared holds no events back', async () => {
    const { stalls, readIds, commitEvent } = await open();
    const { client } = await writing();
    await client.query("PREPARE TRANSACTION 'unrelated'");
    const id = await commitEvent();
    expect(await readIds()).toEqual([id]);
    expect(stalls).toEqual([]);
    await client.query("ROLLBACK PREPARED 'unrelated'");
  });

  it('does not stop perspectives', async () => {
    const storage = postgres({ url: database.url, stallMs: 60_000 });
    const service = shopWith([described(OrderTrace, [OrderPlaced])], storage).start();
    await service.ready();
    await writing();
    await writing(cluster.url);
    const streamId = newId();
    const ids = [await append(service, streamId, 'x'), await append(service, streamId, 'x')];
    await service.lens(OrderTrace).waitFor(ids[1]!);
    expect(await service.lens(OrderTrace).find(streamId)).toEqual({ ids });
    await service.stop();
  });
});

describe('an open append', () => {
  it('holds back events of later transactions, and is reported with its process', async () => {
    const { storage, stalls, readIds, commitEvent } = await open();
    const before = await commitEvent();
    const unrelated = await writing();
    const { pid, id, client } = await appending();
    const after = await commitEvent();

    expect(await readIds()).toEqual([before]);
    expect(stalls).toMatchObject([{ pid, applicationName: 'forgotten', state: 'idle in transaction', heldBack: 1 }]);
    expect(unrelated.pid).not.toBe(pid);
    expect(stalls[0]?.message).toContain(
      `1 event waits for a transaction of process ${pid} (forgotten, idle in transaction)`,
    );
    expect(await storage.findEvent(after), 'its stream can be read').not.toBeNull();

    await client.query('COMMIT');
    expect(await readIds()).toEqual([before, id, after]);
    expect(await storage.readingStall()).toBeNull();
  });

  it('holds events back while it is prepared, and is reported by its name', async () => {
    const { stalls, readIds, commitEvent } = await open();
    const { id, client } = await appending();
    await client.query("PREPARE TRANSACTION 'forgotten'");
    const after = await commitEvent();
    expect(await readIds()).toEqual([]);
    expect(stalls).toMatchObject([{ pid: null, applicationName: 'prepared transaction forgotten', state: 'prepared' }]);
    await client.query("COMMIT PREPARED 'forgotten'");
    expect(await readIds()).toEqual([id, after]);
  });

  it('no longer holds events back after a rollback to a savepoint before it', async () => {
    const { stalls, readIds, commitEvent } = await open();
    const { client, ...session } = await writing();
    await client.query('SAVEPOINT before');
    await session.append();
    await client.query('ROLLBACK TO before');
    const first = await commitEvent();
    expect(await readIds()).toEqual([first]);
    expect(stalls).toEqual([]);

    const second = await session.append();
    await client.query('COMMIT');
    expect(await readIds()).toEqual([first, second]);
  });

  it('is waited for if it ends soon', async () => {
    const { readIds, commitEvent } = await open({ stallMs: 10_000 });
    const { client } = await appending();
    const id = await commitEvent();
    const reading = readIds();
    setTimeout(() => void client.query('ROLLBACK'), 150);
    expect(await reading).toEqual([id]);
  });

  it('is reported at once, however many events wait for it', async () => {
    const { storage } = await open();
    const { pid } = await appending();
    await database.query(`
      INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
      SELECT gen_random_uuid(), gen_random_uuid(), 0, 'test.Happened', '{}', now(), gen_random_uuid(), '{}'
      FROM generate_series(1, 10500)`);
    const stall = await storage.readingStall();
    expect(stall).toMatchObject({ pid, heldBack: 10_001 });
    expect(stall?.message).toMatch(/^More than 10,000 events wait for a transaction of process/);
  });

  it('of another user is reported without what a user without pg_monitor may not see', async () => {
    await database.query(`
      CREATE ROLE plain LOGIN PASSWORD 'plain';
      ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO plain;
      GRANT ALL ON SCHEMA public TO plain`);
    const url = new URL(database.url);
    [url.username, url.password] = ['plain', 'plain'];
    const { stalls, readIds, commitEvent, storage } = await open({ url: url.href });
    const { pid } = await appending();
    await commitEvent();
    expect(await readIds()).toEqual([]);
    expect(stalls).toMatchObject([{ pid, applicationName: 'forgotten', state: null, openForSeconds: null }]);
    expect(stalls[0]?.message).toContain(`of process ${pid} (forgotten) in database`);
    await storage.close();
  });
});

describe('a transaction that appends after it wrote something else', () => {
  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])(
    'appends its events after those that were read before (%s)',
    async (isolation) => {
      const { readIds, commitEvent } = await open();
      const { client, ...session } = await connected();
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}; CREATE TABLE notes (note text)`);
      const read = [await commitEvent(), await commitEvent()];
      expect(await readIds()).toEqual(read);

      const late = [await session.append(), await session.append()];
      const after = await commitEvent();
      expect(await readIds(), 'it holds back later events now').not.toContain(after);
      await client.query('COMMIT');
      expect(await readIds()).toEqual([...read, ...late, after]);
    },
  );

  it('has events that can be read as soon as it ends, although no later transaction has ended', async () => {
    const { storage, readIds, commitEvent } = await open();
    const { client, ...session } = await writing();
    const read = await commitEvent();
    const late = await session.append();
    await client.query('COMMIT');
    expect(await readIds()).toEqual([read, late]);
    expect(await storage.readingStall()).toBeNull();
  });
});
