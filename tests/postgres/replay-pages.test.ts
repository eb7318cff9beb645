/** Pages of a log of which a perspective processes few events. */
import { newId } from '@svc/core';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
let storage: PostgresStorage;
useDatabase((created) => (database = created));
beforeEach(() => {
  const opened = postgres({ url: database.url });
  onTestFinished(() => opened.close());
  storage = opened;
});

/** Appends an event of the wanted type after every three others. */
async function append(wanted: number, othersBody = '{}'): Promise<void> {
  for (let i = 0; i < wanted; i++) {
    const others = Array.from({ length: 3 }, () => pendingRecord(newId(), { type: 'test.Other', body: othersBody }));
    await storage.commit(commitRecord({ events: [...others, pendingRecord(newId(), { type: 'test.Wanted' })] }));
  }
}

/** How many events the pages have, and where each ends in the log. */
async function read(pageSize: number): Promise<(readonly [events: number, end: number])[]> {
  const all = await collect(storage.readAll());
  const pages = await collect(storage.replay.readReplayPages(-1, pageSize, ['test.Wanted']));
  return pages.map(({ records, upTo }) => [
    records.length,
    all.findIndex(({ sequence }) => sequence === upTo.sequence),
  ]);
}

it('a page is full although most events are of other types', async () => {
  await append(10);
  expect(await read(5)).toEqual([
    [5, 19],
    [5, 39],
  ]);
});

it('a page without wanted events ends at the last event that was read', async () => {
  const others = Array.from({ length: 9 }, () => pendingRecord(newId(), { type: 'test.Other' }));
  await storage.commit(commitRecord({ events: others }));
  expect(await read(2)).toEqual([
    [0, 7],
    [0, 8],
  ]);
});

it('large events of other types do not make pages smaller', async () => {
  await append(2, JSON.stringify('x'.repeat(3_000_000)));
  expect(await read(5)).toEqual([[2, 7]]);
});
