import type { Uuid } from '../../json/index.js';
import {
  firstIdOf,
  isReceived,
  isTimeOrdered,
  latestIdIn,
  latestIdKey,
  newId,
  observeId,
  SystemEventStream,
} from '../../messages/index.js';
import { RenewedRecord } from '../database/renewed-record.js';
import type { CommitRecord } from '../commit-record.js';
import type { PendingRecord } from '../event-record.js';

/**
 * Whether an event may be appended to a stream whose greatest id is `latest`. In each stream ids ascend with positions, except for events from
 * other databases, whose metadata has the greatest id before them.
 */
export function isInOrder(event: Pick<PendingRecord, 'id' | 'metadata'>, latest: Uuid): boolean {
  if (!isTimeOrdered(latest) || !isTimeOrdered(event.id)) return true;
  return isReceived(event) ? latestIdIn(event) >= latest : event.id > latest;
}

/** The greater of two ids, without those that contain no time; null where there is none. */
export function latestOf(a: Uuid | null, b: Uuid | null): Uuid | null {
  const timed = b !== null && isTimeOrdered(b) ? b : null;
  return a === null || !isTimeOrdered(a) || (timed !== null && timed > a) ? timed : a;
}

/** The greatest value of `acceptClocksAhead`: 30 days. */
export const mostAheadMs = 30 * 24 * 60 * 60 * 1_000;

/** No id with a time that a storage received is greater. Others, which may be anywhere above, need not be searched. */
export function receivedLimit(now: number): Uuid {
  return firstIdOf(now + mostAheadMs);
}

/** Whether the events of one record are in order among themselves. */
export function isOrdered({ events }: CommitRecord): boolean {
  if (events.length < 2) return true;
  const reached = new Map<Uuid, Uuid>();
  for (const event of events) {
    const latest = reached.get(event.streamId);
    if (latest !== undefined && !isInOrder(event, latest)) return false;
    reached.set(event.streamId, latestIdIn(event));
  }
  return true;
}

/**
 * The same record with new, greater ids from the first event that is not in order. Events from other databases retain their ids, and their
 * metadata gets the greatest id before them.
 */
export function withNewIds(record: CommitRecord, latest: ReadonlyMap<Uuid, Uuid>): CommitRecord {
  const reached = new Map(latest);
  const ids = new Map<Uuid, Uuid>();
  const events = record.events.map((event) => {
    if (!isTimeOrdered(event.id)) return event;
    const last = reached.get(event.streamId);
    const isKept = ids.size === 0 && (last === undefined || isInOrder(event, last));
    const placed = isReceived(event) ? behind(event, last) : isKept ? event : withId(event, newIdAfter(last));
    if (placed.id !== event.id) ids.set(event.id, placed.id);
    reached.set(event.streamId, latestIdIn(placed));
    return placed;
  });
  // A message about an event names the event; a message that is the event itself has its id.
  const outgoing = record.outgoing.map((one) => {
    const eventId = one.eventId === null ? undefined : ids.get(one.eventId);
    return eventId === undefined ? one : { ...one, id: one.id === one.eventId ? eventId : one.id, eventId };
  });
  return { ...record, events, outgoing };
}

/** The ids that system events of a record had in the outbox, where they are appended with new ids. */
export function renewedIn({ events, delivered }: CommitRecord): readonly Uuid[] {
  if (delivered?.lane !== 'system') return [];
  const appended = new Set(events.map(({ id }) => id));
  return delivered.ids.filter((id) => !appended.has(id));
}

/** The last event may be of another host whose clock is ahead, so this process may not know its id. */
function newIdAfter(last: Uuid | undefined): Uuid {
  if (last !== undefined) observeId(last);
  return newId();
}

function withId(event: PendingRecord, id: Uuid): PendingRecord {
  return event.streamId === SystemEventStream.streamId ? RenewedRecord.of(event, id) : { ...event, id };
}

function behind(event: PendingRecord, latest: Uuid | undefined): PendingRecord {
  if (latest === undefined || latestIdIn(event) >= latest) return event;
  // It must be the last key of the metadata, where PostgreSQL reads it.
  return { ...event, metadata: { ...event.metadata, [latestIdKey]: latest } };
}
