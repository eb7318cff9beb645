import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId, SystemEventStream, wrap, type MessageEnvelope } from '../messages/index.js';
import {
  around,
  EventLog,
  InMemoryStorage,
  type CommitRecord,
  type OutgoingRecord,
  type ScheduledRecord,
} from '../storage/index.js';
import { UnitOfWork } from './unit-of-work.js';

class Happened {}
const messages = new MessageRegistry([
  { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: JSON.stringify },
]);
const happened = () => wrap('test.Happened', new Happened());

const message = (eventId: Uuid | null = null): OutgoingRecord => ({
  id: newId(),
  lane: 'transport',
  destination: 'test',
  message: null,
  note: null,
  eventId,
});

function scheduled(key: string | null): ScheduledRecord {
  const { id, type, correlationId, causationId, scope, metadata } = wrap('test.Remind', {});
  return {
    due: { afterMs: 60_000 },
    key,
    message: { id, type, body: '{}', timestamp: 0, correlationId, causationId, scope, metadata },
  };
}

let log: EventLog;
let committed: CommitRecord[];
let streamId: Uuid;

beforeEach(() => {
  log = new EventLog(new InMemoryStorage(), messages);
  committed = [];
  log.onCommit((record) => void committed.push(record));
  streamId = newId();
});

const unitOf = (parent: UnitOfWork | null = null): UnitOfWork => new UnitOfWork(log, parent, null);

async function store(...envelopes: MessageEnvelope[]): Promise<void> {
  const unit = unitOf();
  for (const envelope of envelopes) unit.append(streamId, envelope);
  await unit.commit();
}

const closed = (what: string) =>
  expect.objectContaining({ code: 'SVC_UNIT_OF_WORK_CLOSED', message: expect.stringContaining(what) as string });

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('a commit', () => {
  it('has all changes in one record', async () => {
    const unit = unitOf();
    const [event, reminder, queued] = [happened(), scheduled(null), message()];
    unit.append(streamId, event);
    unit.queue(queued);
    unit.schedule(reminder);
    unit.cancelScheduled({ tenant: '', key: 'k' });
    await unit.commit();
    expect(committed).toMatchObject([
      {
        events: [{ id: event.id, streamId }],
        outgoing: [queued],
        delivered: null,
        received: [],
        schedules: { settled: null, cancelled: [{ tenant: '', key: 'k' }], added: [reminder] },
      },
    ]);
  });

  it.each<[string, (unit: UnitOfWork) => void]>([
    ['an event', (unit) => unit.append(streamId, happened())],
    ['a message', (unit) => unit.queue(message())],
    ['a scheduled command', (unit) => unit.schedule(scheduled(null))],
    ['a cancelled command', (unit) => unit.cancelScheduled({ tenant: '', key: 'k' })],
  ])('stores %s alone, also of a nested unit', async (_what, change) => {
    const unit = unitOf();
    change(unit);
    await unit.commit();
    const outer = unitOf();
    const inner = unitOf(outer);
    change(inner);
    await inner.commit();
    await outer.commit();
    expect(committed).toHaveLength(2);
  });

  it('stores nothing without a change', async () => {
    const outer = unitOf();
    await unitOf(outer).commit();
    await outer.commit();
    expect(committed).toEqual([]);
  });

  it('includes what is committed along with it, after its own messages and before its own schedules', async () => {
    const received = [newId()];
    await unitOf().commit({ received });
    const unit = unitOf();
    const [own, along] = [message(), message()];
    const [next, reminder] = [scheduled('next'), scheduled(null)];
    unit.queue(own);
    unit.schedule(reminder);
    const cancelled = [{ tenant: '', key: 'next' }];
    await unit.commit({ outgoing: [along], schedules: { settled: null, cancelled, added: [next] } });
    expect(committed).toMatchObject([
      { events: [], outgoing: [], received },
      { events: [], outgoing: [own, along], received: [], schedules: { cancelled, added: [next, reminder] } },
    ]);
    expect(committed[0]).not.toHaveProperty('schedules');
  });

  it('includes the changes of nested units in the order in which they ended', async () => {
    const outer = unitOf();
    const events = [happened(), happened(), happened()];
    const queued = [message(), message(), message()];
    const reminders = [scheduled(null), scheduled(null), scheduled(null)];
    const change = (unit: UnitOfWork, i: number): void => {
      unit.append(streamId, events[i]!);
      unit.queue(queued[i]!);
      unit.schedule(reminders[i]!);
    };
    change(outer, 0);
    for (const i of [1, 2]) {
      const inner = unitOf(outer);
      change(inner, i);
      await inner.commit();
    }
    await outer.commit();
    expect(committed).toMatchObject([
      { events: events.map(({ id }) => ({ id })), outgoing: queued, schedules: { added: reminders } },
    ]);
  });
});

describe('an append', () => {
  it('passes through the decorators', async () => {
    const seen: string[] = [];
    const unit = new UnitOfWork(log, null, (inner, outbox) =>
      around(inner, {
        append(to, envelope, options) {
          seen.push(envelope.id);
          inner.append(to, envelope, options);
          outbox.queue(message(envelope.id));
        },
      }),
    );
    const event = happened();
    unit.eventStore.append(streamId, event);
    await unit.commit();
    expect(seen).toEqual([event.id]);
    expect(committed).toMatchObject([{ events: [{ id: event.id }], outgoing: [{ eventId: event.id }] }]);
  });

  it('is rejected in the system stream, and with reserved metadata', () => {
    const unit = unitOf();
    expect(() => unit.append(SystemEventStream.streamId, happened())).toThrow(
      expect.objectContaining({ code: 'SVC_SYSTEM_STREAM' }),
    );
    const reserved = { ...happened(), metadata: { svcLatest: newId() } };
    expect(() => unit.append(streamId, reserved)).toThrow(expect.objectContaining({ code: 'SVC_RESERVED_METADATA' }));
    expect(unit.lastEventId).toBeUndefined();
  });

  it('cancels the unit with its signal, alone or as one of several', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const unit = unitOf();
    unit.append(streamId, happened());
    expect(unit.signal).toBeUndefined();
    unit.append(streamId, happened(), { signal: first.signal });
    expect(unit.signal).toBe(first.signal);
    unit.append(streamId, happened(), { signal: second.signal });
    const { signal } = unit;
    expect(signal?.aborted).toBe(false);
    first.abort();
    expect(signal?.aborted).toBe(true);
  });
});

describe('a message about an event', () => {
  it('can be queued for each event that was appended before', () => {
    const unit = unitOf();
    const events = [happened(), happened()];
    for (const event of events) unit.append(streamId, event);
    for (const { id } of events) expect(() => unit.queue(message(id))).not.toThrow();
  });

  it('is rejected for any other event', async () => {
    const stored = happened();
    await store(stored);
    const unit = unitOf();
    const unknown = expect.objectContaining({ code: 'SVC_UNKNOWN_MESSAGE' });
    expect(() => unit.queue(message(stored.id))).toThrow(unknown);
    unit.append(streamId, happened());
    expect(() => unit.queue(message(stored.id))).toThrow(unknown);
  });
});

describe('a unit that has ended', () => {
  it.each<[string, (unit: UnitOfWork) => unknown]>([
    ['committed', (unit) => unit.commit()],
    ['dropped', (unit) => unit.drop()],
  ])('accepts no changes once it is %s', async (_how, end) => {
    const unit = unitOf();
    const [inner, messenger] = [unitOf(unit), unitOf(unit)];
    inner.append(streamId, happened());
    messenger.queue(message());
    await end(unit);
    expect(() => unit.append(streamId, happened())).toThrow(closed('test.Happened was appended'));
    expect(() => unit.queue(message())).toThrow(closed('A message for test was queued'));
    expect(() => unit.schedule(scheduled(null))).toThrow(closed('test.Remind was scheduled'));
    expect(() => unit.cancelScheduled({ tenant: '', key: 'k' })).toThrow(closed('"k" was cancelled'));
    expect(() => inner.commit()).toThrow(closed('test.Happened was passed to the outer command'));
    expect(() => messenger.commit()).toThrow(closed('A message of a nested command was passed'));
    expect(committed).toEqual([]);
  });
});

describe('the committed events of a stream', () => {
  it('are those that follow a position, with the ids that they have in the log', async () => {
    const late = [happened(), happened()];
    await store(happened());
    const unit = unitOf();
    unit.append(newId(), happened(), { expectedPosition: -1 });
    unit.append(streamId, late[0]!, { expectedPosition: 0 });
    const inner = unitOf(unit);
    inner.append(streamId, late[1]!);
    await inner.commit();
    expect(unit.committedAfter(streamId, 0), 'not committed yet').toEqual([]);
    expect(inner.committedAfter(streamId, 0), 'not committed yet').toEqual([]);
    await unit.commit();
    const stored = await collect(log.readStream(streamId, 1));
    expect(stored.map(({ envelope }) => envelope.id)).not.toEqual(late.map(({ id }) => id));
    const ids = stored.map(({ envelope }) => ({ id: envelope.id, type: 'test.Happened' }));
    expect(unit.committedAfter(streamId, 0)).toMatchObject(ids);
    expect(inner.committedAfter(streamId, 0)).toMatchObject(ids);
    expect(unit.lastEventId).toBe(ids[1]!.id);
    expect(unit.committedAfter(streamId, 1)).toEqual([]);
    expect(unit.committedAfter(newId(), -1)).toEqual([]);
  });

  it('are none if the commit has failed', async () => {
    await store(happened());
    const unit = unitOf();
    unit.append(streamId, happened(), { expectedPosition: -1 });
    expect(() => unit.commit()).toThrow(expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT' }));
    unit.drop();
    expect(unit.committedAfter(streamId, -1)).toEqual([]);
  });
});
