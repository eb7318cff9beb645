/** What the in-memory storage checks and stores in a commit, and what it reads again. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, SystemEventStream } from '../messages/index.js';
import {
  InMemoryStorage,
  LateEventError,
  mostPageBytes,
  type CommitRecord,
  type OutgoingRecord,
} from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import { outgoingRecord } from './storage-outbox-cases.js';

const code = (text: string) => expect.objectContaining({ code: text });
const now = Date.parse('2026-01-31T12:00:00Z');

describe('a commit is rejected as a whole', () => {
  const stream = newId();
  const known = pendingRecord(stream, { scope: { tenantId: 'a' } });
  const key = { id: 'key', requestHash: 'hash', messageId: newId(), result: '{}' };
  const received = newId();
  const noSchedules = { settled: null, cancelled: [], added: [] };

  it.each<[string, string, Partial<CommitRecord>]>([
    ['its idempotency key has a result', 'SVC_IDEMPOTENCY_KEY_IN_USE', { idempotency: key }],
    ['a message was delivered before', 'SVC_MESSAGE_SETTLED', { delivered: { lane: 'transport', ids: [newId()] } }],
    ['a message was received before', 'SVC_MESSAGE_SETTLED', { received: [newId(), received] }],
    ['a dead letter no longer exists', 'SVC_MESSAGE_SETTLED', { resolved: newId() }],
    [
      'a scheduled command no longer exists',
      'SVC_MESSAGE_SETTLED',
      { schedules: { ...noSchedules, settled: newId() } },
    ],
    [
      'another term of a reaction has begun',
      'SVC_REACTION_TAKEN_OVER',
      { reacted: { reaction: 'r', segment: 0, term: 1, eventId: newId() } },
    ],
    [
      'a stream belongs to another tenant',
      'SVC_NOT_FOUND',
      { events: [pendingRecord(stream, { scope: { tenantId: 'b' }, sameTenant: true })] },
    ],
    [
      'a stream is at another position',
      'SVC_CONCURRENCY_CONFLICT',
      { events: [pendingRecord(stream, { expectedPosition: -1 })] },
    ],
    [
      'one of several events expects another position',
      'SVC_CONCURRENCY_CONFLICT',
      { events: [pendingRecord(stream), pendingRecord(stream, { expectedPosition: 0 })] },
    ],
  ])('if %s', async (_what, error, fields) => {
    const storage = new InMemoryStorage();
    storage.commit(commitRecord({ events: [known], received: [received], idempotency: key }));
    const unrelated = pendingRecord(newId());
    const outgoing = [outgoingRecord({})];
    const record = commitRecord({ ...fields, outgoing, events: [...(fields.events ?? []), unrelated] });
    expect(() => storage.commit(record)).toThrow(code(error));
    expect(await storage.findEvent(unrelated.id)).toBeNull();
    expect(await storage.lastPosition(stream)).toBe(0);
    expect(await storage.readOutgoing('system', 10)).toEqual([]);
  });

  it('if its signal has aborted', async () => {
    const storage = new InMemoryStorage();
    const reason = new Error('gone');
    expect(() => storage.commit(commitRecord({ events: [known] }), AbortSignal.abort(reason))).toThrow(reason);
    expect(await storage.lastPosition(stream)).toBe(-1);
    storage.commit(commitRecord({ events: [known] }), new AbortController().signal);
    expect(await storage.lastPosition(stream)).toBe(0);
  });

  it('if an event is older than the last one of its stream', () => {
    const storage = new InMemoryStorage();
    const [older, newer] = [pendingRecord(stream), pendingRecord(stream)];
    storage.commit(commitRecord({ events: [newer] }));
    const late = new LateEventError(new Map([[stream, newer.id]]));
    expect(() => storage.commit(commitRecord({ events: [older] }))).toThrow(late);
  });

  it('if an event is older than the last message that was received', () => {
    const storage = new InMemoryStorage();
    const [older, message] = [pendingRecord(stream), newId()];
    storage.commit(commitRecord({ received: [message] }));
    const late = new LateEventError(new Map([[stream, message]]));
    expect(() => storage.commit(commitRecord({ events: [older] }))).toThrow(late);
  });
});

describe('a commit of several events', () => {
  it('counts earlier events for the positions that later ones expect', async () => {
    const storage = new InMemoryStorage();
    const [stream, other] = [newId(), newId()];
    const events = [
      pendingRecord(stream, { expectedPosition: -1 }),
      pendingRecord(other),
      pendingRecord(stream, { expectedPosition: 0 }),
      pendingRecord(other, { expectedPosition: 0 }),
    ];
    storage.commit(commitRecord({ events }));
    expect([await storage.lastPosition(stream), await storage.lastPosition(other)]).toEqual([1, 1]);
    const log = await collect(storage.readAll());
    expect(log.map(({ id, position, sequence }) => [id, position, sequence])).toEqual(
      events.map(({ id }, i) => [id, i < 2 ? 0 : 1, i]),
    );
    expect((await collect(storage.readAll(1))).map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  it('of one tenant may begin a stream, which belongs to that tenant then', async () => {
    const storage = new InMemoryStorage();
    const stream = newId();
    const own = { scope: { tenantId: 'a' }, sameTenant: true };
    expect(await storage.tenantOf(stream)).toBeNull();
    storage.commit(commitRecord({ events: [pendingRecord(stream, own)] }));
    storage.commit(commitRecord({ events: [pendingRecord(stream, own), pendingRecord(stream, { scope: null })] }));
    expect(await storage.tenantOf(stream)).toBe('a');
    expect(await storage.lastPosition(stream)).toBe(2);
  });
});

describe('an event', () => {
  it('is found with its place, its tenant and its position', async () => {
    const storage = new InMemoryStorage();
    const [stream, other] = [newId(), newId()];
    const events = [pendingRecord(other), pendingRecord(stream), pendingRecord(stream, { scope: { tenantId: 'a' } })];
    storage.commit(commitRecord({ events }));
    const { id } = events[2]!;
    expect(await storage.findEvent(id)).toMatchObject({ id, position: 1, sequence: 2 });
    expect(await storage.findPlace(id)).toEqual({ sequence: 2, tenant: 'a' });
    expect(await storage.findPlace(events[0]!.id)).toEqual({ sequence: 0, tenant: '' });
    expect(await storage.placeAt(2)).toEqual({ sequence: 2 });
    expect(await storage.positionOf(stream, id)).toBe(1);
    expect(await storage.positionOf(other, id)).toBe(-1);
    const unknown = newId();
    expect(await storage.findEvent(unknown)).toBeNull();
    expect(await storage.findPlace(unknown)).toBeNull();
    expect(await storage.positionOf(stream, unknown)).toBe(-1);
    expect(await storage.readingStall()).toBeNull();
  });

  it('is read from a position, or at some of them', async () => {
    const storage = new InMemoryStorage();
    const stream = newId();
    storage.commit(commitRecord({ events: [0, 1, 2].map(() => pendingRecord(stream)) }));
    const positions = async (events: AsyncIterable<{ position: number }>) =>
      (await collect(events)).map(({ position }) => position);
    expect(await positions(storage.readStream(stream))).toEqual([0, 1, 2]);
    expect(await positions(storage.readStream(stream, 2))).toEqual([2]);
    expect(await positions(storage.readStream(newId()))).toEqual([]);
    expect(await positions(storage.readPositions(stream, [0, 2, 3]))).toEqual([0, 2]);
    expect(await positions(storage.readPositions(newId(), [0]))).toEqual([]);
  });
});

describe('the outbox', () => {
  const ids = (messages: readonly { id: string }[]): string[] => messages.map(({ id }) => id);
  const large = (bytes: number, lane: OutgoingRecord['lane'] = 'transport'): OutgoingRecord => {
    const { message, ...own } = outgoingRecord({ lane });
    return { ...own, message: { ...message!, body: 'x'.repeat(bytes) } };
  };

  it('returns messages of a lane in the order of their commits, after one of them', async () => {
    const storage = new InMemoryStorage();
    const [a, b, c] = [outgoingRecord({}), outgoingRecord({}), outgoingRecord({})];
    const transported = outgoingRecord({ lane: 'transport' });
    storage.commit(commitRecord({ outgoing: [c, transported, a] }));
    storage.commit(commitRecord({ outgoing: [b] }));
    expect(ids(await storage.readOutgoing('system', 10))).toEqual(ids([c, a, b]));
    expect(ids(await storage.readOutgoing('system', 2))).toEqual(ids([c, a]));
    expect(ids(await storage.readOutgoing('system', 1, c.id))).toEqual([a.id]);
    expect(ids(await storage.readOutgoing('system', 10, b.id))).toEqual([]);
    expect(ids(await storage.readOutgoing('transport', 10))).toEqual([transported.id]);
    storage.commit(commitRecord({ delivered: { lane: 'system', ids: [c.id] } }));
    expect(ids(await storage.readOutgoing('system', 10, c.id))).toEqual([]);
    expect(ids(await storage.readOutgoing('system', 10))).toEqual(ids([a, b]));
  });

  it('returns a message about an event with that event', async () => {
    const storage = new InMemoryStorage();
    const event = pendingRecord(newId());
    const about = { ...outgoingRecord({ eventId: event.id, note: '{"a":1}' }), message: null };
    storage.commit(commitRecord({ events: [event], outgoing: [about] }));
    const [message] = await storage.readOutgoing('system', 1);
    const { eventId: _id, ...own } = about;
    expect(message).toMatchObject({ ...own, event: { id: event.id, sequence: 0 } });
  });

  it('ends a page for the transport with the message that reaches the limit of bytes', async () => {
    const storage = new InMemoryStorage();
    const outgoing = [large(mostPageBytes - 1), large(1), large(1)];
    storage.commit(commitRecord({ outgoing }));
    expect(await storage.readOutgoing('transport', 10)).toHaveLength(2);
    const event = pendingRecord(newId(), { body: 'x'.repeat(mostPageBytes) });
    const other = new InMemoryStorage();
    const about = { ...outgoingRecord({ lane: 'transport', eventId: event.id }), message: null };
    other.commit(commitRecord({ events: [event], outgoing: [about, large(1)] }));
    expect(await other.readOutgoing('transport', 10)).toHaveLength(1);
  });

  it('does not limit the bytes of a page for the system stream', async () => {
    const storage = new InMemoryStorage();
    storage.commit(commitRecord({ outgoing: [large(mostPageBytes, 'system'), large(1, 'system')] }));
    expect(await storage.readOutgoing('system', 10)).toHaveLength(2);
  });

  it('accepts a message about an event that was stored before', async () => {
    const storage = new InMemoryStorage();
    const event = pendingRecord(newId());
    storage.commit(commitRecord({ events: [event] }));
    storage.commit(commitRecord({ outgoing: [{ ...outgoingRecord({ eventId: event.id }), message: null }] }));
    expect(await storage.readOutgoing('system', 10)).toMatchObject([{ event: { id: event.id } }]);
  });
});

describe('what expires', () => {
  beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  const key = (id: string) => ({ id, requestHash: 'hash', messageId: newId(), result: '{}' });

  it('is a result at the exact age, which is deleted then', async () => {
    const storage = new InMemoryStorage();
    const [event, one] = [pendingRecord(newId()), key('one')];
    storage.commit(commitRecord({ events: [event], idempotency: one }));
    storage.commit(commitRecord({ idempotency: key('two') }));
    vi.setSystemTime(now + 99);
    expect(await storage.findIdempotent('one', 100)).toEqual({ ...one, lastEventId: event.id });
    expect(await storage.findIdempotent('two', 100)).toMatchObject({ lastEventId: null });
    expect(await storage.findIdempotent('three', 100)).toBeNull();
    vi.setSystemTime(now + 100);
    expect(await storage.findIdempotent('one', 100)).toBeNull();
    expect(await storage.findIdempotent('one', 1_000)).toBeNull();
    expect(await storage.findIdempotent('two', 101)).not.toBeNull();
  });

  it('is deleted at the exact age, the oldest first, up to a limit of each kind', async () => {
    const storage = new InMemoryStorage();
    const received = [newId(), newId(), newId()];
    for (const id of received) {
      storage.commit(commitRecord({ received: [id], idempotency: key(id) }));
      vi.setSystemTime(Date.now() + 10);
    }
    const expiry = { receivedMs: 20, idempotencyKeysMs: 30, operationsMs: 1_000 };
    // The messages are 30, 20 and 10 ms old, as are the results.
    expect(await storage.forgetExpired(expiry, 1)).toBe(2);
    expect(await storage.forgetExpired(expiry, 10)).toBe(1);
    expect(await storage.forgetExpired(expiry, 10)).toBe(0);
    const isKnown = (id: (typeof received)[number]): boolean => {
      try {
        storage.commit(commitRecord({ received: [id] }));
        return false;
      } catch {
        return true;
      }
    };
    expect(received.map(isKnown)).toEqual([false, false, true]);
    expect(await Promise.all(received.map((id) => storage.findIdempotent(id, 1_000)))).toMatchObject([
      null,
      { id: received[1] },
      { id: received[2] },
    ]);
  });
});

it('opens and closes without effect, so that services can share it', async () => {
  const storage = new InMemoryStorage();
  storage.commit(commitRecord({ events: [pendingRecord(SystemEventStream.streamId)] }));
  await storage.open();
  await storage.close();
  expect(await storage.lastPosition(SystemEventStream.streamId)).toBe(0);
});
