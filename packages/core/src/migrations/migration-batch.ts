import { durationOf, type Duration, type Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import { MigrationStatus, type MigrationFailureReason, type MigrationStrategy } from '../system-events/index.js';
import { libraryVersion } from './library-version.js';
import type { StoredMigrationEvent } from './migration-event.js';
import type { HashedItem } from './migration-item.js';

/**
 * A batch as the database stores it, from its start until every item has ended, including those in the background, and all its events are
 * emitted. It changes in the same transaction as the records of its items, so a crash loses none of its events (decision 0076).
 */
export interface MigrationBatch {
  /** The `streamId` of all its events. */
  readonly streamId: Uuid;
  /** Counts its changes. */
  readonly version: number;
  readonly libraryVersion: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly items: readonly BatchItem[];
  /** Whether MigrationBatchCompleted is among its events. */
  readonly isCompleted: boolean;
  /** The events that are not emitted yet, in order. */
  readonly events: readonly StoredMigrationEvent[];
}

export interface BatchItem {
  readonly key: string;
  /** The hash that the item will have. */
  readonly hash: string;
  readonly kind: 'sql' | 'table';
  /** Null: not reached yet. */
  readonly startedAt: number | null;
  /** Null: not ended yet. */
  readonly result: { readonly status: MigrationStatus; readonly description: string } | null;
}

/** A step of a batch, applied to the stored batch. Steps are idempotent: an item starts once and ends once. */
export type BatchStep = (batch: MigrationBatch) => MigrationBatch;

/** A step, and the batch that it is for. */
export interface BatchChange {
  readonly streamId: Uuid;
  readonly step: BatchStep;
}

export function newBatch(items: readonly HashedItem[]): MigrationBatch {
  const tables = items.filter(({ item }) => item.kind === 'table').length;
  const batch: MigrationBatch = {
    streamId: newId(),
    version: 0,
    libraryVersion,
    startedAt: Date.now(),
    items: items.map(({ item, hash }) => ({ key: item.key, hash, kind: item.kind, startedAt: null, result: null })),
    isCompleted: false,
    events: [],
  };
  return withEvent(batch, 'MigrationBatchStarted', {
    libraryVersion,
    totalMigrations: items.length - tables,
    totalPerspectives: tables,
  });
}

/** The batch after a step. */
export function changedBatch(batch: MigrationBatch, step: BatchStep): MigrationBatch {
  return { ...step(batch), version: batch.version + 1 };
}

/** The batch after its events were emitted; null: it is complete and can be removed. */
export function emittedBatch(batch: MigrationBatch): MigrationBatch | null {
  return batch.isCompleted ? null : changedBatch(batch, (whole) => ({ ...whole, events: [] }));
}

export function allOf(...steps: readonly BatchStep[]): BatchStep {
  return (batch) => steps.reduce((changed, step) => step(changed), batch);
}

export function itemStarted(
  migrationKey: string,
  strategy: MigrationStrategy,
  oldHash: string | null,
  startedAt = Date.now(),
): BatchStep {
  return (batch) => {
    const item = itemOf(batch, migrationKey);
    if (item === undefined || item.startedAt !== null) return batch;
    const started = withItem(batch, { ...item, startedAt });
    const fields = { migrationKey, strategy, oldHash, newHash: item.hash };
    return withEvent(started, 'MigrationItemStarted', fields, startedAt);
  };
}

export function itemCompleted(migrationKey: string, status: MigrationStatus, statusDescription: string): BatchStep {
  return (batch) => {
    const item = openItem(batch, migrationKey);
    if (item === undefined) return batch;
    const ended = withItem(batch, { ...item, result: { status, description: statusDescription } });
    const duration = durationSince(item.startedAt);
    return completedIfEnded(
      withEvent(ended, 'MigrationItemCompleted', { migrationKey, status, statusDescription, duration }),
    );
  };
}

export function itemFailed(migrationKey: string, failureReason: MigrationFailureReason, error: string): BatchStep {
  return (batch) => {
    const item = openItem(batch, migrationKey);
    if (item === undefined) return batch;
    const status = MigrationStatus.Failed;
    const ended = withItem(batch, { ...item, result: { status, description: error } });
    const duration = durationSince(item.startedAt);
    return completedIfEnded(
      withEvent(ended, 'MigrationItemFailed', { migrationKey, status, failureReason, error, duration }),
    );
  };
}

/** No further item will start: the batch is complete once the started ones have ended. */
export const cutShort: BatchStep = (batch) => {
  const items = batch.items.filter(({ startedAt }) => startedAt !== null);
  return items.length === batch.items.length ? batch : completedIfEnded({ ...batch, items });
};

/** Whether a batch has the same items with the same hashes, so that this program can resume it. */
export function isBatchOf({ items }: MigrationBatch, wanted: readonly HashedItem[]): boolean {
  const hashes = new Map(wanted.map(({ item, hash }) => [item.key, hash]));
  return items.length === hashes.size && items.every(({ key, hash }) => hashes.get(key) === hash);
}

function completedIfEnded(batch: MigrationBatch): MigrationBatch {
  if (batch.isCompleted || batch.items.some(({ result }) => result === null)) return batch;
  const count = (wanted: MigrationStatus): number =>
    batch.items.filter(({ result }) => result?.status === wanted).length;
  const completed = withEvent(batch, 'MigrationBatchCompleted', {
    libraryVersion: batch.libraryVersion,
    results: batch.items.map(({ key, result }) => ({
      migrationKey: key,
      status: result!.status,
      statusDescription: result!.description,
    })),
    applied: count(MigrationStatus.Applied),
    updated: count(MigrationStatus.Updated),
    skipped: count(MigrationStatus.Skipped),
    failed: count(MigrationStatus.Failed),
    totalDuration: durationSince(batch.startedAt),
  });
  return { ...completed, isCompleted: true };
}

function itemOf({ items }: MigrationBatch, key: string): BatchItem | undefined {
  return items.find((item) => item.key === key);
}

/** An item that was started and has not ended. */
function openItem(batch: MigrationBatch, key: string): (BatchItem & { readonly startedAt: number }) | undefined {
  const item = itemOf(batch, key);
  return item === undefined || item.startedAt === null || item.result !== null
    ? undefined
    : { ...item, startedAt: item.startedAt };
}

function withItem(batch: MigrationBatch, item: BatchItem): MigrationBatch {
  return { ...batch, items: batch.items.map((known) => (known.key === item.key ? item : known)) };
}

function withEvent(
  batch: MigrationBatch,
  type: StoredMigrationEvent['type'],
  fields: object,
  at = Date.now(),
): MigrationBatch {
  return { ...batch, events: [...batch.events, { type, at, body: { streamId: batch.streamId, ...fields } }] };
}

/** Not below 0, although clocks may be set back and differ between hosts. */
function durationSince(at: number): Duration {
  return durationOf(Math.max(Date.now() - at, 0));
}
