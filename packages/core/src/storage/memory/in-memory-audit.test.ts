import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId, SystemEventStream } from '../../messages/index.js';
import type { AuditPlace, AuditRange, AuditSource } from '../capabilities/audit.js';
import type { EventRecord } from '../event-record.js';
import { InMemoryAudit } from './in-memory-audit.js';
import type { LogEntry } from './log-entry.js';

const everything: Omit<AuditRange, 'source'> = { newestFirst: false, from: null, to: null, after: null };

/** A log of these events; those without a stream are system events. */
function logOf(...events: readonly Partial<EventRecord>[]): LogEntry[] {
  const positions = new Map<Uuid, number>();
  return events.map((fields, sequence) => {
    const id = newId();
    const event: EventRecord = {
      id,
      type: 'svc.CommandAudited',
      streamId: SystemEventStream.streamId,
      body: '{}',
      timestamp: 1_000,
      correlationId: id,
      causationId: null,
      scope: null,
      metadata: {},
      ...fields,
    };
    const position = positions.get(event.streamId) ?? 0;
    positions.set(event.streamId, position + 1);
    return { event, position, sequence };
  });
}

/** The sequence numbers, or for a stream the positions, of the records of a page; null for a place without a record. */
async function read(log: readonly LogEntry[], source: AuditSource, range: Partial<AuditRange> = {}, limit = 10) {
  const page = await new InMemoryAudit(log).readPage({ ...everything, ...range, source }, limit);
  return { isLast: page.isLast, records: page.records.map(({ record }) => record?.sequence ?? null), page };
}

describe('the records of an audit', () => {
  const all: AuditSource = { kind: 'all' };
  const log = logOf(
    { timestamp: 3 },
    { streamId: newId(), timestamp: 1 },
    { timestamp: 1 },
    { timestamp: 3 },
    { timestamp: 2 },
  );

  it('are those of the system stream, in the order of their time, then of the log', async () => {
    expect((await read(log, all)).records).toEqual([2, 4, 0, 3]);
    expect((await read(log, all, { newestFirst: true })).records).toEqual([3, 0, 4, 2]);
  });

  it('are complete, with their places', async () => {
    const { page } = await read(log, all, {}, 1);
    expect(page.records).toEqual([
      { place: { time: 1, order: 2 }, record: { ...log[2]!.event, position: 1, sequence: 2 } },
    ]);
  });

  it('begin at one time and end before another', async () => {
    expect((await read(log, all, { from: 2 })).records).toEqual([4, 0, 3]);
    expect((await read(log, all, { to: 3 })).records).toEqual([2, 4]);
    expect((await read(log, all, { from: 2, to: 3 })).records).toEqual([4]);
  });

  it('follow a place, in either direction', async () => {
    const after: AuditPlace = { time: 3, order: 0 };
    expect((await read(log, all, { after })).records).toEqual([3]);
    expect((await read(log, all, { after, newestFirst: true })).records).toEqual([4, 2]);
  });

  it('end at the limit; a page of exactly so many is the last', async () => {
    expect(await read(log, all, {}, 3)).toMatchObject({ records: [2, 4, 0], isLast: false });
    expect(await read(log, all, {}, 4)).toMatchObject({ records: [2, 4, 0, 3], isLast: true });
    expect(await read([], all)).toMatchObject({ records: [], isLast: true });
  });

  it('are always indexed', async () => {
    await expect(new InMemoryAudit([]).isReady()).resolves.toBe(true);
  });
});

describe('a source of an audit', () => {
  const [resourceId, messageId, correlationId] = [newId(), newId(), newId()];
  const access = (type: string, of: string = resourceId) => ({ type, body: JSON.stringify({ resourceId: of }) });
  const log = logOf(
    access('svc.AccessDenied'),
    access('svc.AccessGranted'),
    access('svc.PermissionChanged'),
    access('svc.AccessDenied', newId()),
    { scope: { userId: 'ann' } },
    { scope: { userId: 'bob' } },
    { scope: {} },
    { causationId: messageId },
    { correlationId },
    { streamId: newId(), correlationId, causationId: messageId, scope: { userId: 'ann' }, type: 'svc.AccessDenied' },
  );

  it.each<[string, AuditSource, number[]]>([
    ['user has the records in whose scope the user is', { kind: 'user', userId: 'ann' }, [4]],
    ['correlation has its records', { kind: 'correlation', correlationId }, [8]],
    ['message has the records that it caused', { kind: 'message', messageId }, [7]],
    ['type has the records of that type', { kind: 'type', type: 'svc.AccessDenied' }, [0, 3]],
    ['resource has the decisions about access to it', { kind: 'access', resourceId }, [0, 1]],
  ])('of a %s', async (_what, source, expected) => {
    expect((await read(log, source)).records).toEqual(expected);
  });

  it('that is a stream has the audit record of each of its events, in their order, and places without one', async () => {
    const [streamId, first, second, third] = [newId(), newId(), newId(), newId()];
    const about = (id: Uuid): Partial<EventRecord> => ({ type: 'svc.EventAudited', causationId: id });
    const own = logOf(
      { streamId, id: first, timestamp: 9 },
      about(first),
      { streamId, id: second, timestamp: 5 },
      { streamId, id: third, timestamp: 7 },
      about(third),
      // What the first event has caused is not its audit record.
      { type: 'svc.TransportFailed', causationId: first },
      { streamId: newId(), causationId: third },
    );
    const source: AuditSource = { kind: 'stream', streamId };
    const { records, page } = await read(own, source);
    expect(records).toEqual([1, null, 4]);
    expect(page.records.map(({ place }) => place)).toEqual([
      { time: 9, order: 0 },
      { time: 5, order: 1 },
      { time: 7, order: 2 },
    ]);
    expect((await read(own, source, { newestFirst: true })).records).toEqual([4, null, 1]);
    expect((await read(own, source, { after: { time: 9, order: 0 } })).records).toEqual([null, 4]);
    expect((await read(own, source, { from: 7 })).records).toEqual([1, 4]);
  });
});

describe('the causes of records', () => {
  const correlationId = newId();
  const [eventId, commandId, streamId] = [newId(), newId(), newId()];
  const audited = { causationId: commandId, correlationId, body: '{"commandType":"shop.PlaceOrder"}' };

  it('are events with their metadata, and audited commands', async () => {
    const log = logOf({ id: eventId, streamId, type: 'shop.OrderPlaced', correlationId, metadata: { a: 1 } }, audited);
    expect(await new InMemoryAudit(log).findCauses([eventId, commandId], [correlationId])).toEqual([
      { id: eventId, kind: 'event', type: 'shop.OrderPlaced', metadata: { a: 1 } },
      { id: commandId, kind: 'command', type: 'shop.PlaceOrder', metadata: {} },
    ]);
    expect(await new InMemoryAudit(log).findCauses([], [correlationId])).toEqual([]);
    expect(await new InMemoryAudit(log).findCauses([eventId, commandId], [newId()])).toEqual([]);
  });

  it('are no system events, and no commands without a record', async () => {
    const log = logOf(
      { id: eventId, correlationId },
      { ...audited, type: 'svc.EventAudited' },
      { ...audited, type: 'svc.CommandAudited', causationId: newId() },
    );
    expect(await new InMemoryAudit(log).findCauses([eventId, commandId], [correlationId])).toEqual([]);
  });
});
