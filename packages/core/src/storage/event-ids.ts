import type { Uuid } from '../json/index.js';
import { isReceived, isTimeOrdered, latestIdIn, latestIdKey, newId, SystemEventStream } from '../messages/index.js';
import type { CommitRecord, PendingRecord } from './storage.js';

/**
 * Whether an event may follow in a stream whose greatest id is `latest`. In each stream ids ascend with positions, except for events from other
 * databases, which say what they are behind. The system stream has the order in which records were delivered.
 */
export function isInOrder(event: PendingRecord, latest: Uuid): boolean {
  if (event.streamId === SystemEventStream.streamId) return true;
  if (!isTimeOrdered(latest) || !isTimeOrdered(event.id)) return true;
  return isReceived(event) ? latestIdIn(event) >= latest : event.id > latest;
}

/** The greater of two ids; null where there is none. */
export function latestOf(a: Uuid | null, b: Uuid | null): Uuid | null {
  return a === null || (b !== null && b > a) ? b : a;
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

/** The same record with new ids for its events, which follow those that were observed. Events from other databases note what they are behind. */
export function withNewIds(record: CommitRecord, latest: ReadonlyMap<Uuid, Uuid>): CommitRecord {
  const reached = new Map(latest);
  const ids = new Map<Uuid, Uuid>();
  const events = record.events.map((event) => {
    if (!isTimeOrdered(event.id) || event.streamId === SystemEventStream.streamId) return event;
    const renewed = isReceived(event) ? behind(event, reached.get(event.streamId)) : { ...event, id: newId() };
    ids.set(event.id, renewed.id);
    reached.set(event.streamId, latestIdIn(renewed));
    return renewed;
  });
  // What is about an event names it.
  const outgoing = record.outgoing.map((one) =>
    one.eventId === null ? one : { ...one, eventId: ids.get(one.eventId) ?? one.eventId },
  );
  return { ...record, events, outgoing };
}

function behind(event: PendingRecord, latest: Uuid | undefined): PendingRecord {
  if (latest === undefined || latestIdIn(event) >= latest) return event;
  return { ...event, metadata: { ...event.metadata, [latestIdKey]: latest } };
}
