import { ConcurrencyConflictError, newId, type Uuid } from '@svc/core';
import { LateEventError, MessageSettledError, type PendingRecord, type StoredRecord } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
const opened: PostgresStorage[] = [];

beforeAll(async () => void (database = await createDatabase()));
afterAll(async () => {
  await Promise.all(opened.map((storage) => storage.close()));
  await database.remove();
});

async function open(): Promise<PostgresStorage> {
  const storage = postgres({ url: database.url });
  opened.push(storage);
  await storage.open();
  return storage;
}

const writers = 64;
const recordsEach = 40;

/** Appends to a hot stream, to a cold one, or to both; some records expect what is not so. Returns the ids that were acknowledged. */
async function write(storage: PostgresStorage, hot: readonly Uuid[], writer: number): Promise<Uuid[]> {
  const acknowledged: Uuid[] = [];
  for (let i = 0; i < recordsEach; i++) {
    const streams = [newId(), hot[(writer + i) % hot.length]!].slice(i % 3 === 0 ? 1 : 0, i % 3 === 1 ? 1 : 2);
    const conflicts = i % 7 === 0;
    const expected = conflicts ? { expectedPosition: 1_000_000 } : {};
    try {
      acknowledged.push(...(await commitInOrder(storage, () => streams.map((id) => pendingRecord(id, expected)))));
    } catch (error) {
      if (!(error instanceof ConcurrencyConflictError) || !conflicts) throw error;
    }
  }
  return acknowledged;
}

/** Commits events with new ids each time that others were faster, as the event log does it. Returns the ids. */
async function commitInOrder(storage: PostgresStorage, create: () => PendingRecord[]): Promise<Uuid[]> {
  for (;;) {
    const events = create();
    try {
      await storage.commit(commitRecord({ events }));
      return events.map(({ id }) => id);
    } catch (error) {
      if (!(error instanceof LateEventError)) throw error;
    }
  }
}

/** Reads on behind what it has read, again and again, as a worker does. */
async function follow(storage: PostgresStorage, seen: StoredRecord[], until: () => boolean): Promise<void> {
  for (let last = false; ;) {
    for await (const event of storage.readAll(seen.at(-1)?.sequence ?? -1)) seen.push(event);
    if (last) return;
    last = until();
  }
}

/** Transactions that end long after they took their sequence numbers, or are undone. Returns the ids of the events that they kept. */
async function writeSlowly(until: () => boolean): Promise<Uuid[]> {
  const committed: Uuid[] = [];
  const client = new pg.Client(database.url);
  await client.connect();
  for (let i = 0; !until(); i++) {
    const id = newId();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
       VALUES ($1, $2, 0, 'test.Slow', '{}', now(), $1, '{}')`,
      [id, newId()],
    );
    await client.query('SELECT pg_sleep(0.02)');
    await client.query(i % 2 === 0 ? 'ROLLBACK' : 'COMMIT');
    if (i % 2 === 1) committed.push(id);
  }
  await client.end();
  return committed;
}

it('skips nothing while 64 writers of two hosts append to hot and cold streams concurrently with slow and rolled back transactions', async () => {
  const hosts = [await open(), await open()];
  const readers = [await open(), await open()];
  const hot = [newId(), newId(), newId()];
  let isWritten = false;
  let isAllWritten = false;
  const seen = readers.map((): StoredRecord[] => []);
  const following = readers.map((reader, i) => follow(reader, seen[i]!, () => isAllWritten));
  const writingSlowly = writeSlowly(() => isWritten);
  const acknowledged = await Promise.all(
    Array.from({ length: writers }, (_, writer) => write(hosts[writer % 2]!, hot, writer)),
  );
  isWritten = true;
  const slow = await writingSlowly;
  isAllWritten = true;
  await Promise.all(following);

  expect(slow.length).toBeGreaterThan(3);
  const expected = [...acknowledged.flat(), ...slow].toSorted();
  for (const events of seen) {
    expect(events.map(({ id }) => id).toSorted()).toEqual(expected);
    const reached = new Map<Uuid, number>();
    for (const { streamId, position } of events) {
      expect(position).toBe((reached.get(streamId) ?? -1) + 1);
      reached.set(streamId, position);
    }
  }
  expect(seen[0]!.map(({ id }) => id)).toEqual(seen[1]!.map(({ id }) => id));
});

it('commits nothing of a record whose dead letter another host resolves concurrently', async () => {
  const storage = await open();
  const { expectedPosition: _expected, ...message } = pendingRecord(newId());
  const letter = {
    id: newId(),
    direction: 'incoming',
    cause: 'Unreadable',
    destination: 'test',
    origin: 'elsewhere',
    message,
    errorName: 'Error',
    errorMessage: 'no',
    attempts: 1,
    firstFailedAt: 0,
    lastFailedAt: 0,
  } as const;
  await storage.commit(commitRecord({ deadLetters: [letter] }));
  const other = new pg.Client(database.url);
  await other.connect();
  await other.query('BEGIN');
  await other.query('DELETE FROM svc_dead_letters WHERE id = $1', [letter.id]);
  const stream = newId();
  const replaying = storage
    .commit(commitRecord({ events: [pendingRecord(stream)], resolved: letter.id }))
    .catch((error: unknown) => error);
  const waits = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.query(waits)).rowCount).toBe(1);
  await other.query('COMMIT');
  await other.end();
  expect(await replaying).toBeInstanceOf(MessageSettledError);
  expect(await storage.lastPosition(stream)).toBe(-1);
});
