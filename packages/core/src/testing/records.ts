import { randomBytes } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import type { CommitRecord, PendingRecord } from '../storage/index.js';

export type EventFields = Partial<PendingRecord>;

/** An event on its way into a storage, as far as a test says nothing else. */
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

/** A million letters that do not repeat: however a database compresses them, most of them remain. */
export function randomText(): string {
  return randomBytes(500_000).toString('hex');
}

/** A record with nothing in it but what a test names. */
export function commitRecord(fields: Partial<CommitRecord>): CommitRecord {
  return { events: [], outgoing: [], delivered: null, received: [], ...fields };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
