/**
 * Reads the log while random transactions append to it, and dozens of idle transactions in this and another database stay open. Every reader
 * reads every event, in the order of the log: none is skipped, and none is inserted before a place that was read.
 *
 * `SVC_TEST_HISTORIES=100` runs a hundred histories instead of one. `SVC_TEST_SEED` repeats their transactions, which may interleave in
 * another way.
 */
import { newId, type Uuid } from '@svc/core';
import { auditDestination, LateEventError, type PendingRecord } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../tools/postgres/cluster.mjs';
import { createDatabase, type TestDatabase } from '../test-database.js';
import { LogReader, waysToRead } from './log-readers.js';
import { notesTable, randomTransaction, runTransaction, writeStatement } from './random-transactions.js';
import type { RandomTransaction } from './random-transactions.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const histories = Number(process.env['SVC_TEST_HISTORIES'] ?? 1);
const sessions = 8;
const transactionsEach = 15;
const idleInEachDatabase = 16;
const writersOfEachHost = 3;

let cluster: Cluster;
let database: TestDatabase;
let other: TestDatabase;
beforeAll(async () => {
  cluster = await createCluster({ fsync: 'off', max_prepared_transactions: String(sessions) });
  [database, other] = [await createDatabase(cluster.url), await createDatabase(cluster.url)];
});
afterAll(() => cluster.remove());

it(
  `reads every event in the order of the log while transactions are idle or append slowly (SVC_TEST_SEED=${seed})`,
  { timeout: 60_000 + histories * 30_000 },
  async () => {
    const figures = { histories: 0, events: 0, readWhileOthersAppend: 0 };
    const ofSession = fc.array(randomTransaction, { minLength: transactionsEach, maxLength: transactionsEach });
    const ofHistory = fc.array(ofSession, { minLength: sessions, maxLength: sessions });
    for (const transactions of fc.sample(ofHistory, { seed, numRuns: histories })) {
      const { events, readWhileOthersAppend } = await play(transactions);
      figures.histories++;
      figures.events += events;
      figures.readWhileOthersAppend += readWhileOthersAppend;
    }
    if (histories > 1) console.info(figures);
    expect(figures.readWhileOthersAppend).toBeGreaterThan(figures.events / 4);
  },
);

/** Plays one history in an empty log. Returns how many events it has, and how many the slowest reader read before the last append. */
async function play(transactions: readonly (readonly RandomTransaction[])[]) {
  await database.reset();
  const opened = (): PostgresStorage => postgres({ url: database.url, stallMs: 50, onStall: () => {} });
  const hosts = [opened(), opened()];
  const readers = waysToRead.map((way) => ({ storage: opened(), way }));
  const storages = [...hosts, ...readers.map(({ storage }) => storage)];
  const clients: pg.Client[] = [];
  try {
    for (const storage of storages) await storage.open();
    await database.query(notesTable);
    await other.query(notesTable);
    for (const { url } of [database, other]) {
      for (let i = 0; i < idleInEachDatabase; i++) clients.push(await idle(url));
    }
    let isWritten = false;
    let isCommitted = false;
    const following = readers.map(({ storage, way }) => new LogReader(storage, way));
    const reading = following.map((reader, i) => reader.follow(i * 3, () => isCommitted));
    const committing = hosts.flatMap((host) =>
      Array.from({ length: writersOfEachHost }, () => commitEvents(host, () => isWritten)),
    );
    const slow = await Promise.all(
      transactions.map(async (own) => {
        const client = await connect(database.url);
        clients.push(client);
        const ids: Uuid[] = [];
        for (const transaction of own) ids.push(...(await runTransaction(client, transaction)));
        return ids;
      }),
    );
    isWritten = true;
    const committed = [...slow, ...(await Promise.all(committing))].flat();
    isCommitted = true;
    await Promise.all(reading);
    const readWhileOthersAppend = Math.min(...following.map(({ ids }) => ids.length));
    // The idle transactions are still open.
    for (const reader of following) await reader.read();

    const { rows } = await database.query('SELECT id FROM svc_events ORDER BY transaction_id, sequence');
    const log = rows.map(({ id }: { id: Uuid }) => id);
    expect(missing(log, committed)).toEqual([]);
    for (const { ids } of following) {
      expect(missing(ids, log), 'skipped events').toEqual([]);
      expect(
        ids.findIndex((id, i) => id !== log[i]),
        'the first event out of order',
      ).toBe(-1);
      expect(ids).toHaveLength(log.length);
    }
    expect(await hosts[0]!.readingStall()).toBeNull();
    return { events: log.length, readWhileOthersAppend };
  } finally {
    await Promise.all([...storages.map((storage) => storage.close()), ...clients.map((client) => client.end())]);
  }
}

function missing(ids: readonly Uuid[], expected: readonly Uuid[]): readonly Uuid[] {
  const found = new Set(ids);
  return expected.filter((id) => !found.has(id));
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** A session with an open transaction that has an id. */
async function idle(url: string): Promise<pg.Client> {
  const client = await connect(url);
  await client.query(`BEGIN; ${writeStatement}`);
  return client;
}

/** Commits records of all kinds over a storage, and delivers their audit records to the system stream. Returns the ids of the events. */
async function commitEvents(host: PostgresStorage, until: () => boolean): Promise<readonly Uuid[]> {
  const committed: Uuid[] = [];
  const stream = newId();
  for (let i = 0; !until(); i++) {
    const events = [pendingRecord(newId()), pendingRecord(stream)].slice(i % 2);
    const record = commitRecord({ events, outgoing: i % 3 === 0 ? events.map(audit) : [] });
    try {
      await host.commit(record);
    } catch (error) {
      if (error instanceof LateEventError) continue;
      throw error;
    }
    committed.push(...events.map(({ id }) => id));
    if (i % 5 === 0) await host.systemDelivery.deliver(100);
  }
  return committed;
}

function audit(event: PendingRecord) {
  return {
    id: newId(),
    lane: 'system',
    destination: auditDestination,
    message: null,
    note: '{"auditLevel":0}',
    eventId: event.id,
  } as const;
}
