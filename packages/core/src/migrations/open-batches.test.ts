import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { allOf, itemCompleted, itemStarted, newBatch, type MigrationBatch } from './migration-batch.js';
import type { HashedItem } from './migration-item.js';
import type { MigrationRecord } from './migration-record.js';
import { hasUnreached, orphansEnded } from './open-batches.js';

const batchOf = (...keys: readonly string[]): MigrationBatch =>
  newBatch(
    keys.map(
      (key) => ({ item: { kind: 'table', key }, hash: `hash of ${key}`, stepHashes: [] }) as unknown as HashedItem,
    ),
  );
const started = (...keys: readonly string[]) =>
  allOf(...keys.map((key) => itemStarted(key, MigrationStrategy.ColumnCopy, null)));
const ended = (key: string) => itemCompleted(key, MigrationStatus.Updated, 'Done.');

const record = (key: string, fields: Partial<MigrationRecord> = {}) =>
  ({ key, hash: 'another', progress: null, ...fields }) as MigrationRecord;
const rewriting = (key: string, batch: MigrationRecord['key']) =>
  record(key, { progress: { target: `hash of ${key}`, batch } as MigrationRecord['progress'] });

it('a batch has unreached items until all were started', () => {
  const batch = batchOf('orders', 'notes');
  expect(hasUnreached(batch)).toBe(true);
  expect(hasUnreached(started('orders')(batch))).toBe(true);
  expect(hasUnreached(started('orders', 'notes')(batch))).toBe(false);
});

describe('the batch of another program', () => {
  const batch = started('orders', 'notes')(batchOf('orders', 'notes'));
  const resultsAfter = (open: MigrationBatch, records: readonly MigrationRecord[]) => {
    const after = orphansEnded(open, records)!(open);
    return { isCompleted: after.isCompleted, results: after.items.map(({ key, result }) => [key, result?.status]) };
  };

  it('does not change while it rewrites all tables that have not ended', () => {
    expect(orphansEnded(batch, [rewriting('orders', batch.streamId), rewriting('notes', batch.streamId)])).toBeNull();
    expect(orphansEnded(ended('notes')(batch), [rewriting('orders', batch.streamId)])).toBeNull();
    expect(orphansEnded(allOf(ended('orders'), ended('notes'))(batch), [])).toBeNull();
  });

  it('fails for a table that another batch rewrites, or none', () => {
    const after = orphansEnded(batch, [rewriting('orders', newId()), rewriting('notes', batch.streamId)])!(batch);
    expect(after.isCompleted).toBe(false);
    expect(after.events.slice(batch.events.length)).toMatchObject([
      {
        type: 'MigrationItemFailed',
        body: {
          migrationKey: 'orders',
          failureReason: MigrationFailureReason.Unknown,
          error: 'Another program has taken over the migration of orders.',
        },
      },
    ]);
    expect(resultsAfter(batch, [])).toEqual({
      isCompleted: true,
      results: [
        ['orders', MigrationStatus.Failed],
        ['notes', MigrationStatus.Failed],
      ],
    });
  });

  it('skips an item that another batch has applied with the same hash', () => {
    const records = [record('orders', { hash: 'hash of orders' }), record('notes', { hash: 'hash of orders' })];
    expect(orphansEnded(batch, records)!(batch).events.slice(batch.events.length)).toMatchObject([
      {
        type: 'MigrationItemCompleted',
        body: {
          migrationKey: 'orders',
          status: MigrationStatus.Skipped,
          statusDescription: 'Another batch has applied it.',
        },
      },
      { type: 'MigrationItemFailed', body: { migrationKey: 'notes' } },
      { type: 'MigrationBatchCompleted' },
    ]);
  });

  it('loses the items that it has not reached, and ends with the others', () => {
    const crashed = ended('orders')(started('orders')(batchOf('orders', 'notes')));
    expect(resultsAfter(crashed, [])).toEqual({ isCompleted: true, results: [['orders', MigrationStatus.Updated]] });
    const rewritten = started('orders')(batchOf('orders', 'notes'));
    expect(resultsAfter(rewritten, [rewriting('orders', rewritten.streamId)])).toEqual({
      isCompleted: false,
      results: [['orders', undefined]],
    });
  });
});
