import type { Uuid } from '../../json/index.js';
import { latestIdKey, newId, originKey } from '../../messages/index.js';
import type { InMemoryStorage, PendingRecord } from '../../storage/index.js';

/** Returns an event to append, with defaults for the fields that a test omits. It has a stream of its own. */
export function pendingEvent(fields: Partial<PendingRecord> = {}): PendingRecord {
  const { id = newId() } = fields;
  return {
    id,
    type: 'test.Noted',
    streamId: newId(),
    body: '{}',
    timestamp: 0,
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
    expectedPosition: undefined,
    ...fields,
  };
}

/** Appends events to their streams in one commit. */
export function appendEvents(storage: InMemoryStorage, events: readonly PendingRecord[]): void {
  storage.commit({ events, outgoing: [], delivered: null, received: [] });
}

export function appendEvent(storage: InMemoryStorage, fields?: Partial<PendingRecord>): PendingRecord {
  const event = pendingEvent(fields);
  appendEvents(storage, [event]);
  return event;
}

/** The metadata of an event of another database. `latest`: the greatest id that was stored before it. */
export function receivedAfter(latest: Uuid): PendingRecord['metadata'] {
  return { [originKey]: null, [latestIdKey]: latest };
}

/** Returns the id with a number. Ids are in the order of their numbers. */
export function idOf(number: number): Uuid {
  return `01912d68-783e-7a03-8467-${number.toString(16).padStart(12, '0')}` as Uuid;
}
