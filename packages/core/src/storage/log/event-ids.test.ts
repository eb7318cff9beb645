import { describe, expect, it } from 'vitest';
import { uuid, type Uuid } from '../../json/index.js';
import { firstIdOf, latestIdKey, newId, originKey, SystemEventStream, timeOfId } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import { RenewedRecord } from '../database/renewed-record.js';
import type { PendingRecord } from '../event-record.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import { isInOrder, isOrdered, latestOf, mostAheadMs, receivedLimit, renewedIn, withNewIds } from './event-ids.js';

const [first, second, third] = [1_000, 2_000, 3_000].map(firstIdOf) as [Uuid, Uuid, Uuid];
/** It contains no time, and its text is above every id that does. */
const timeless = uuid('ffffffff-ffff-4fff-8fff-ffffffffffff');
const fromElsewhere = { [originKey]: 'shop' };
const [stream, other] = [newId(), newId()];

function pending(id: Uuid, fields: Partial<PendingRecord> = {}): PendingRecord {
  const envelope = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
  return {
    id,
    type: 'test.Happened',
    streamId: stream,
    body: '{}',
    ...envelope,
    expectedPosition: undefined,
    ...fields,
  };
}

const systemEvent = (id: Uuid, fields: Partial<PendingRecord> = {}): PendingRecord =>
  pending(id, { streamId: SystemEventStream.streamId, ...fields });

const record = (events: readonly PendingRecord[], fields: Partial<CommitRecord> = {}): CommitRecord => ({
  events,
  outgoing: [],
  delivered: null,
  received: [],
  ...fields,
});

const message = (id: Uuid, eventId: Uuid | null): OutgoingRecord => ({
  id,
  lane: 'transport',
  destination: 'shop',
  message: null,
  note: null,
  eventId,
});

describe('the order of a stream', () => {
  it('accepts an event of this database only with an id above the greatest one', () => {
    expect(isInOrder(pending(third), second)).toBe(true);
    expect(isInOrder(pending(second), second)).toBe(false);
    expect(isInOrder(pending(first), second)).toBe(false);
  });

  it('accepts a late event from another database only with the greatest id in its metadata', () => {
    const late = (latest: Uuid): PendingRecord =>
      pending(first, { metadata: { ...fromElsewhere, [latestIdKey]: latest } });
    expect(isInOrder(pending(first, { metadata: fromElsewhere }), second)).toBe(false);
    expect(isInOrder(late(second), second)).toBe(true);
    expect(isInOrder(late(third), second)).toBe(true);
    expect(isInOrder(late(second), third)).toBe(false);
    expect(isInOrder(pending(first, { metadata: fromElsewhere }), first)).toBe(true);
  });

  it('does not limit ids without a time, nor events after one of them', () => {
    expect(isInOrder(pending(first), timeless)).toBe(true);
    expect(isInOrder(pending(uuid('00000000-0000-4000-8000-000000000000')), third)).toBe(true);
  });
});

it.each<[Uuid | null, Uuid | null, Uuid | null]>([
  [null, null, null],
  [first, null, first],
  [null, first, first],
  [first, second, second],
  [second, first, second],
  [second, second, second],
  [timeless, first, first],
  [first, timeless, first],
  [timeless, null, null],
  [null, timeless, null],
  [timeless, timeless, null],
])('the latest of the ids %s and %s is %s', (a, b, latest) => {
  expect(latestOf(a, b)).toBe(latest);
});

it('searches ids of received messages up to 30 days after now', () => {
  expect(mostAheadMs).toBe(2_592_000_000);
  const now = 1_700_000_000_000;
  expect(timeOfId(receivedLimit(now))).toBe(now + mostAheadMs);
  expect(receivedLimit(now)).toBe(firstIdOf(now + mostAheadMs));
});

describe('the events of a record', () => {
  it('are in order if the ids of each stream ascend', () => {
    expect(isOrdered(record([]))).toBe(true);
    expect(isOrdered(record([pending(first)]))).toBe(true);
    expect(isOrdered(record([pending(first), pending(second), pending(third)]))).toBe(true);
    expect(isOrdered(record([pending(second), pending(first)]))).toBe(false);
    expect(isOrdered(record([pending(first), pending(third), pending(second)]))).toBe(false);
    expect(isOrdered(record([pending(first), pending(first)]))).toBe(false);
  });

  it('are in order whatever the ids of other streams are', () => {
    const events = [pending(second), pending(first, { streamId: other }), pending(third)];
    expect(isOrdered(record(events))).toBe(true);
  });

  it('are not in order behind a late event that names a greater id', () => {
    const late = pending(first, { metadata: { ...fromElsewhere, [latestIdKey]: third } });
    expect(isOrdered(record([late, pending(second)]))).toBe(false);
    expect(isOrdered(record([late, pending(firstIdOf(3_001))]))).toBe(true);
  });
});

describe('new ids of a record', () => {
  it('are above that of the previous event, also if a host whose clock is ahead has created that one', () => {
    const ahead = firstIdOf(Date.now() + 60_000);
    const renewed = withNewIds(record([systemEvent(ahead), systemEvent(newId())]), new Map());
    expect(renewed.events[0]!.id, 'the first one is in order').toBe(ahead);
    expect(isOrdered(renewed)).toBe(true);
  });

  it('are above the greatest id of the stream', () => {
    const ahead = firstIdOf(Date.now() + 120_000);
    const [event] = withNewIds(record([pending(first)]), new Map([[stream, ahead]])).events;
    expect(event!.id > ahead).toBe(true);
    expect(event).toEqual({ ...pending(first), id: event!.id });
  });

  it('begin at the first event that is not in order', () => {
    const events = [
      pending(second),
      pending(first, { streamId: other }),
      pending(first),
      pending(third, { streamId: other }),
    ];
    const renewed = withNewIds(record(events), new Map()).events;
    expect(renewed.slice(0, 2)).toEqual(events.slice(0, 2));
    expect(renewed[2]!.id > second).toBe(true);
    expect(renewed[3]!.id, 'so that ids ascend in the whole record').not.toBe(third);
    expect(renewed[3]!.id > renewed[2]!.id).toBe(true);
  });

  it('are also given to the first event of a stream that follows', () => {
    const events = [pending(second), pending(first), pending(third, { streamId: newId() })];
    const renewed = withNewIds(record(events), new Map()).events;
    expect(renewed[2]!.id > renewed[1]!.id).toBe(true);
  });

  it('leave an event alone whose id is above the greatest one of its stream', () => {
    const events = [pending(third)];
    expect(withNewIds(record(events), new Map([[stream, second]])).events[0]).toBe(events[0]);
  });

  it('leave ids without a time alone, also behind an event with a new id', () => {
    const events = [pending(second), pending(first), pending(timeless)];
    expect(withNewIds(record(events), new Map()).events[2]).toBe(events[2]);
  });

  it('are not given to events from other databases, whose metadata get the greatest id as their last key', () => {
    const metadata = { ...fromElsewhere, note: 1 };
    const [late] = withNewIds(record([pending(first, { metadata })]), new Map([[stream, second]])).events;
    expect(late).toEqual(pending(first, { metadata: { ...metadata, [latestIdKey]: second } }));
    expect(Object.keys(late!.metadata).at(-1)).toBe(latestIdKey);
  });

  it('leave an event from another database as it is where it is not late', () => {
    const received = pending(second, { metadata: fromElsewhere });
    for (const latest of [[], [[stream, first]], [[stream, second]]] as [Uuid, Uuid][][]) {
      expect(withNewIds(record([received]), new Map(latest)).events[0]).toBe(received);
    }
  });

  it('are above the greatest id that a late event from another database names', () => {
    const ahead = firstIdOf(Date.now() + 180_000);
    const events = [pending(first, { metadata: fromElsewhere }), pending(second)];
    const renewed = withNewIds(record(events), new Map([[stream, ahead]])).events;
    expect(renewed[0]!.id).toBe(first);
    expect(renewed[1]!.id > ahead).toBe(true);
  });

  it('replace the id in the body of a system event', () => {
    const queued = systemEvent(first, { body: `{"id":"${first}"}` });
    const latest = new Map([[SystemEventStream.streamId, second]]);
    const [event] = withNewIds(record([queued]), latest).events;
    expect(event).toBeInstanceOf(RenewedRecord);
    expect(event!.body).toBe(`{"id":"${event!.id}"}`);
  });

  it('replace those in messages about the events', () => {
    const [ofEvent, about, unchanged, own] = [first, newId(), newId(), newId()];
    const outgoing = [message(ofEvent, first), message(about, first), message(unchanged, third), message(own, null)];
    const events = [pending(first), pending(third, { streamId: other, metadata: fromElsewhere })];
    const renewed = withNewIds(record(events, { outgoing }), new Map([[stream, second]]));
    const { id } = renewed.events[0]!;
    expect(renewed.outgoing).toEqual([
      message(id, id),
      message(about, id),
      message(unchanged, third),
      message(own, null),
    ]);
  });

  it('change nothing else of a record', () => {
    const original = record([pending(first)], { received: [third], delivered: { lane: 'system', ids: [second] } });
    const renewed = withNewIds(original, new Map([[stream, second]]));
    expect(renewed).toEqual({ ...original, events: renewed.events });
  });
});

describe('system events that were appended with new ids', () => {
  it('are those that were delivered without being appended under their id', () => {
    const delivered = { lane: 'system', ids: [first, second] } as const;
    expect(renewedIn(record([systemEvent(first), systemEvent(third)], { delivered }))).toEqual([second]);
  });

  it('do not exist in a record that delivers nothing, or messages for the transport', () => {
    expect(renewedIn(record([systemEvent(third)]))).toEqual([]);
    const delivered = { lane: 'transport', ids: [first] } as const;
    expect(renewedIn(record([systemEvent(third)], { delivered }))).toEqual([]);
  });
});
