import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { libraryVersion } from './library-version.js';
import {
  allOf,
  changedBatch,
  cutShort,
  emittedBatch,
  isBatchOf,
  itemCompleted,
  itemFailed,
  itemStarted,
  newBatch,
  type MigrationBatch,
} from './migration-batch.js';
import type { HashedItem, MigrationItem } from './migration-item.js';

const now = 1_800_000_000_000;
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const { Applied, Updated, Skipped, MigratingInBackground, Failed } = MigrationStatus;
const { SqlError } = MigrationFailureReason;
const { DirectDdl, ColumnCopy } = MigrationStrategy;

const hashedItem = (kind: MigrationItem['kind'], key: string, hash = `hash of ${key}`): HashedItem =>
  ({ item: { kind, key }, hash, stepHashes: [] }) as unknown as HashedItem;
const [events, inbox, orders] = [
  hashedItem('sql', 'events'),
  hashedItem('sql', 'inbox'),
  hashedItem('table', 'orders'),
];

const eventsAfter = (before: MigrationBatch, after: MigrationBatch) => after.events.slice(before.events.length);
const itemIn = ({ items }: MigrationBatch, key: string) => items.find((item) => item.key === key);

describe('a new batch', () => {
  it('has all items, none of them reached, and its first event', () => {
    const batch = newBatch([events, inbox, orders]);
    expect(batch).toStrictEqual({
      streamId: expect.any(String) as string,
      version: 0,
      libraryVersion,
      startedAt: now,
      items: [
        { key: 'events', hash: 'hash of events', kind: 'sql', startedAt: null, result: null },
        { key: 'inbox', hash: 'hash of inbox', kind: 'sql', startedAt: null, result: null },
        { key: 'orders', hash: 'hash of orders', kind: 'table', startedAt: null, result: null },
      ],
      isCompleted: false,
      events: [
        {
          type: 'MigrationBatchStarted',
          at: now,
          body: { streamId: batch.streamId, libraryVersion, totalMigrations: 2, totalPerspectives: 1 },
        },
      ],
    });
    expect(newBatch([]).streamId).not.toBe(batch.streamId);
  });

  it('can be resumed by a program with the same items and hashes only', () => {
    const batch = newBatch([events, orders]);
    expect(isBatchOf(batch, [events, orders])).toBe(true);
    expect(isBatchOf(batch, [orders, events])).toBe(true);
    expect(isBatchOf(batch, [events])).toBe(false);
    expect(isBatchOf(batch, [events, inbox, orders])).toBe(false);
    expect(isBatchOf(batch, [events, inbox])).toBe(false);
    expect(isBatchOf(batch, [events, hashedItem('table', 'orders', 'another')])).toBe(false);
  });
});

it('each change of a batch increases its version by one', () => {
  const batch = newBatch([events]);
  const changed = changedBatch(batch, itemStarted('events', DirectDdl, null));
  expect(changed.version).toBe(1);
  expect(changedBatch(changed, (same) => same)).toEqual({ ...changed, version: 2 });
});

it('a batch whose events were emitted has none, and is removed once it is complete', () => {
  const batch = allOf(itemStarted('events', DirectDdl, null))(newBatch([events]));
  expect(emittedBatch(batch)).toEqual({ ...batch, events: [], version: 1 });
  expect(emittedBatch(itemCompleted('events', Applied, 'Done.')(batch))).toBeNull();
});

it('steps are applied in their order', () => {
  const batch = newBatch([events]);
  const [start, end] = [itemStarted('events', DirectDdl, null), itemCompleted('events', Applied, 'Done.')];
  expect(allOf(start, end)(batch).isCompleted).toBe(true);
  expect(allOf(end, start)(batch).isCompleted).toBe(false);
  expect(allOf()(batch)).toBe(batch);
});

describe('the start of an item', () => {
  it('is recorded with its event', () => {
    const batch = newBatch([events, orders]);
    const started = itemStarted('orders', ColumnCopy, 'old', now - 5)(batch);
    expect(itemIn(started, 'orders')).toMatchObject({ startedAt: now - 5, result: null });
    expect(itemIn(started, 'events')).toMatchObject({ startedAt: null });
    expect(eventsAfter(batch, started)).toStrictEqual([
      {
        type: 'MigrationItemStarted',
        at: now - 5,
        body: {
          streamId: batch.streamId,
          migrationKey: 'orders',
          strategy: ColumnCopy,
          oldHash: 'old',
          newHash: 'hash of orders',
        },
      },
    ]);
  });

  it('is by default when the step was created, not when it is stored', () => {
    const step = itemStarted('events', DirectDdl, null);
    vi.setSystemTime(now + 1_000);
    expect(itemIn(step(newBatch([events])), 'events')).toMatchObject({ startedAt: now });
  });

  it('happens once, and only for an item of the batch', () => {
    const batch = itemStarted('events', DirectDdl, null)(newBatch([events]));
    expect(itemStarted('events', DirectDdl, null, now + 1)(batch)).toBe(batch);
    expect(itemStarted('orders', DirectDdl, null)(batch)).toBe(batch);
  });
});

describe('the end of an item', () => {
  const started = () => itemStarted('orders', ColumnCopy, null)(newBatch([events, orders]));

  it('is recorded with its status and duration', () => {
    const batch = started();
    vi.setSystemTime(now + 1_500);
    const ended = itemCompleted('orders', Updated, '7 rows copied.')(batch);
    expect(itemIn(ended, 'orders')).toMatchObject({
      startedAt: now,
      result: { status: Updated, description: '7 rows copied.' },
    });
    expect(itemIn(ended, 'events')).toMatchObject({ startedAt: null, result: null });
    expect(eventsAfter(batch, ended)).toStrictEqual([
      {
        type: 'MigrationItemCompleted',
        at: now + 1_500,
        body: {
          streamId: batch.streamId,
          migrationKey: 'orders',
          status: Updated,
          statusDescription: '7 rows copied.',
          duration: 'PT1.5S',
        },
      },
    ]);
    expect(ended.isCompleted).toBe(false);
  });

  it('is recorded with the reason of a failure', () => {
    const batch = started();
    vi.setSystemTime(now + 250);
    const ended = itemFailed('orders', SqlError, 'no such table')(batch);
    expect(itemIn(ended, 'orders')).toMatchObject({ result: { status: Failed, description: 'no such table' } });
    expect(eventsAfter(batch, ended)).toStrictEqual([
      {
        type: 'MigrationItemFailed',
        at: now + 250,
        body: {
          streamId: batch.streamId,
          migrationKey: 'orders',
          status: Failed,
          failureReason: SqlError,
          error: 'no such table',
          duration: 'PT0.25S',
        },
      },
    ]);
  });

  it('has no negative duration if the clock was set back', () => {
    const batch = started();
    vi.setSystemTime(now - 60_000);
    expect(itemCompleted('orders', Updated, '')(batch).events.at(-1)).toMatchObject({ body: { duration: 'PT0S' } });
  });

  it.each([
    ['completes', itemCompleted('orders', Skipped, 'Again.')],
    ['fails', itemFailed('orders', SqlError, 'Again.')],
  ])('happens once, and only for a started item of the batch, when it %s', (_how, end) => {
    const ended = itemCompleted('orders', Updated, 'Done.')(started());
    expect(end(ended)).toBe(ended);
    const unreached = newBatch([events, orders]);
    expect(end(unreached)).toBe(unreached);
    const withoutIt = itemStarted('events', DirectDdl, null)(newBatch([events]));
    expect(end(withoutIt)).toBe(withoutIt);
  });
});

describe('the end of a batch', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const start = allOf(...keys.map((key) => itemStarted(key, DirectDdl, null)));
  const openBatch = () => start(newBatch(keys.map((key) => hashedItem('sql', key))));

  it('has the results of all items, in their order, and counts them by status', () => {
    const batch = openBatch();
    vi.setSystemTime(now + 2_000);
    const before = allOf(
      itemCompleted('g', MigratingInBackground, 'g.'),
      itemCompleted('a', Applied, 'a.'),
      itemCompleted('b', Updated, 'b.'),
      itemCompleted('c', Updated, 'c.'),
      itemCompleted('d', Skipped, 'd.'),
      itemFailed('e', SqlError, 'e.'),
    )(batch);
    expect(before.isCompleted).toBe(false);
    const after = itemCompleted('f', Skipped, 'f.')(before);
    expect(after.isCompleted).toBe(true);
    expect(eventsAfter(before, after).map(({ type }) => type)).toEqual([
      'MigrationItemCompleted',
      'MigrationBatchCompleted',
    ]);
    expect(after.events.at(-1)).toStrictEqual({
      type: 'MigrationBatchCompleted',
      at: now + 2_000,
      body: {
        streamId: batch.streamId,
        libraryVersion,
        results: [Applied, Updated, Updated, Skipped, Failed, Skipped, MigratingInBackground].map((status, i) => ({
          migrationKey: keys[i],
          status,
          statusDescription: `${keys[i]}.`,
        })),
        applied: 1,
        updated: 2,
        skipped: 2,
        failed: 1,
        totalDuration: 'PT2S',
      },
    });
  });

  it('has the version of the library that started it', () => {
    const batch = { ...itemStarted('events', DirectDdl, null)(newBatch([events])), libraryVersion: '0.0.9' };
    expect(itemCompleted('events', Applied, '')(batch).events.at(-1)).toMatchObject({
      body: { libraryVersion: '0.0.9' },
    });
  });

  it('comes with the failure of the last item too', () => {
    const batch = itemStarted('events', DirectDdl, null)(newBatch([events]));
    expect(itemFailed('events', SqlError, 'no')(batch)).toMatchObject({ isCompleted: true });
  });

  it('comes early, without the items that were not reached, if the batch is cut short', () => {
    const batch = allOf(
      itemStarted('events', DirectDdl, null),
      itemFailed('events', SqlError, 'no'),
    )(newBatch([events, inbox, orders]));
    const cut = cutShort(batch);
    expect(cut.items.map(({ key }) => key)).toEqual(['events']);
    expect(cut).toMatchObject({ isCompleted: true, streamId: batch.streamId, libraryVersion });
    expect(eventsAfter(batch, cut)).toMatchObject([
      { type: 'MigrationBatchCompleted', body: { results: [{ migrationKey: 'events', status: Failed }], failed: 1 } },
    ]);
    expect(cutShort(cut)).toBe(cut);
  });

  it('waits for started items if the batch is cut short', () => {
    const batch = itemStarted('orders', ColumnCopy, null)(newBatch([events, orders]));
    const cut = cutShort(batch);
    expect(cut).toMatchObject({ isCompleted: false, events: batch.events });
    expect(cut.items.map(({ key }) => key)).toEqual(['orders']);
    expect(itemCompleted('orders', Updated, '')(cut).isCompleted).toBe(true);
  });

  it('comes at once if a batch without a started item is cut short', () => {
    expect(cutShort(newBatch([events]))).toMatchObject({ isCompleted: true, items: [] });
  });
});
