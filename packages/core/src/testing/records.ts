import { randomBytes } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import type { CommitRecord, PendingRecord } from '../storage/index.js';

/** The fields of an event that a test sets. */
export type EventFields = Partial<PendingRecord>;

/** Returns an event to commit, with defaults for the fields that a test omits. */
export function pendingRecord(streamId: Uuid, fields: EventFields = {}): PendingRecord {
  const id = newId();
  return {
    id,
    type: 'test.Happened',
    streamId,
    body: '{"what":"happened"}',
    timestamp: 1_700_000_000_123,
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
    expectedPosition: undefined,
    ...fields,
  };
}

/** A million random letters, which a database cannot compress much. */
export function randomText(): string {
  return randomBytes(500_000).toString('hex');
}

/** Returns a record to commit, empty except for the given fields. */
export function commitRecord(fields: Partial<CommitRecord>): CommitRecord {
  return { events: [], outgoing: [], delivered: null, received: [], ...fields };
}

/** Reads all items into an array. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
