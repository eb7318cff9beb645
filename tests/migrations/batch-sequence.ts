import { SystemEventStream } from '@svc/core';
import { expect } from 'vitest';
import type { TrialDatabase } from './databases.js';

export type EmittedEvent = Record<string, unknown> & { readonly type: string; readonly streamId: string };

/** The migration events of the system stream, in order, past every storage. */
export async function emittedEvents(database: TrialDatabase): Promise<EmittedEvent[]> {
  const rows = await database.query(
    `SELECT type, body FROM svc_events WHERE stream_id = '${SystemEventStream.streamId}' AND type LIKE 'svc.Migration%' ORDER BY position`,
  );
  return rows.map(({ type, body }) => {
    const fields = (typeof body === 'string' ? JSON.parse(body) : body) as EmittedEvent;
    return Object.assign(fields, { type: (type as string).slice('svc.Migration'.length) });
  });
}

/** Resolves once every batch has ended and everything of it is in the stream, whichever host takes it there. */
export async function everythingEmitted(database: TrialDatabase): Promise<void> {
  const left = async (): Promise<unknown> =>
    await database.query(
      "SELECT state FROM svc_migration_batches UNION ALL SELECT lane FROM svc_outbox WHERE lane = 'system'",
    );
  await expect.poll(left, { interval: 20, timeout: 10_000 }).toEqual([]);
}

/** The events of each batch, in the order in which the batches began. */
export function batchesOf(events: readonly EmittedEvent[]): EmittedEvent[][] {
  const batches = new Map<string, EmittedEvent[]>();
  for (const event of events) batches.set(event.streamId, [...(batches.get(event.streamId) ?? []), event]);
  return [...batches.values()];
}

/**
 * What emission rule 10 says of each batch: MigrationBatchStarted; per item MigrationItemStarted, then MigrationItemCompleted or
 * MigrationItemFailed; then MigrationBatchCompleted with the results of all of them.
 */
export function expectSequence(batch: readonly EmittedEvent[], hint = ''): void {
  const types = batch.map(({ type }) => type);
  expect(types[0], `batch ${batch[0]?.streamId} ${hint}`).toBe('BatchStarted');
  expect(types.at(-1), `batch ${batch[0]?.streamId} ${hint}`).toBe('BatchCompleted');
  expect(
    types.filter((type) => type.startsWith('Batch')),
    `batch ${batch[0]?.streamId} ${hint}`,
  ).toHaveLength(2);
  const byKey = new Map<unknown, EmittedEvent[]>();
  for (const event of batch.slice(1, -1)) {
    byKey.set(event['migrationKey'], [...(byKey.get(event['migrationKey']) ?? []), event]);
  }
  const ends = [...byKey].map(([migrationKey, own]) => {
    expect(
      own.map(({ type }) => type.replace(/Completed|Failed/, 'Ended')),
      `batch ${batch[0]?.streamId} ${hint}`,
    ).toEqual(['ItemStarted', 'ItemEnded']);
    const [, end] = own;
    return { migrationKey, status: end!['status'] };
  });
  const completed = batch.at(-1)!;
  const results = completed['results'] as { migrationKey: string; status: number }[];
  const sorted = (all: readonly object[]): string[] => all.map((one) => JSON.stringify(one)).toSorted();
  expect(
    sorted(results.map(({ migrationKey, status }) => ({ migrationKey, status }))),
    `batch ${batch[0]?.streamId} ${hint}`,
  ).toEqual(sorted(ends));
  const count = (wanted: number): number => results.filter(({ status }) => status === wanted).length;
  expect(completed, `batch ${batch[0]?.streamId} ${hint}`).toMatchObject({
    applied: count(1),
    updated: count(2),
    skipped: count(3),
    failed: count(-1),
  });
}
