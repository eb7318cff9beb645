import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId, SystemEventStream } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import type { EventRecord } from '../event-record.js';
import type { FailedStream, ReactedEvent } from '../reaction-record.js';
import { InMemoryReactions } from './in-memory-reactions.js';
import type { LogEntry } from './log-entry.js';

const now = Date.parse('2026-01-31T12:00:00Z');
const segments = [0, 1, 2, 3, 4, 5, 6, 7];

function entry(fields: Partial<EventRecord>, sequence: number): LogEntry {
  const id = newId();
  const message = {
    id,
    type: 'shop.OrderPaid',
    body: '{}',
    timestamp: 100 + sequence,
    correlationId: id,
    causationId: null,
  };
  return { event: { ...message, scope: null, metadata: {}, streamId: newId(), ...fields }, position: 0, sequence };
}

const logOf = (...events: readonly Partial<EventRecord>[]): LogEntry[] => events.map(entry);

/** A stream id of a segment. Ids of the same segment ascend with their number. */
function streamOf(segment: number, number = 0): Uuid {
  return `00000000-0000-4000-8000-${String(number).padStart(11, '0')}${segment}` as Uuid;
}

function failed(streamId: Uuid, fields: Partial<FailedStream> = {}): FailedStream {
  return { streamId, position: 4, eventId: newId(), attempts: 3, errorName: 'Error', errorMessage: 'no', ...fields };
}

/** Reactions with one that has begun its first term in every segment. */
async function begun(log: readonly LogEntry[] = []): Promise<InMemoryReactions> {
  const reactions = new InMemoryReactions(log);
  await reactions.register('r', 'beginning');
  await reactions.begin('r', segments);
  return reactions;
}

const committing = (reacted: ReactedEvent): CommitRecord => ({
  events: [],
  outgoing: [],
  delivered: null,
  received: [],
  reacted,
});

beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the start of a reaction', () => {
  it('is recorded once, before the first event or after the last', async () => {
    const reactions = new InMemoryReactions(logOf({}, {}));
    expect(await reactions.find('first')).toBeNull();
    expect(await reactions.register('first', 'beginning')).toBe(true);
    expect(await reactions.register('last', 'now')).toBe(true);
    expect(await reactions.find('first')).toEqual({
      name: 'first',
      isPaused: false,
      startedAt: now,
      startedAfter: -1,
      segments: segments.map((segment) => ({ segment, sequence: -1, term: 0 })),
    });
    const last = (await reactions.find('last'))!;
    expect(last.startedAfter).toBe(1);
    expect(last.segments.map(({ sequence }) => sequence)).toEqual(segments.map(() => 1));
    expect(await reactions.register('last', 'beginning')).toBe(true);
    expect(await reactions.register('last', null)).toBe(true);
    expect(await reactions.find('last')).toMatchObject({ startedAfter: 1 });
  });

  it.each<[string, Partial<EventRecord>[], boolean]>([
    ['has no events', [], true],
    [
      'has system events only',
      [{ streamId: SystemEventStream.streamId, type: 'shop.Odd' }, { type: 'svc.OrderExpired' }],
      true,
    ],
    ['has an event of the application', [{ type: 'svc.OrderExpired' }, {}], false],
  ])('may be omitted if the log %s', async (_what, events, isRegistered) => {
    const reactions = new InMemoryReactions(logOf(...events));
    expect(await reactions.register('r', null)).toBe(isRegistered);
    expect((await reactions.find('r'))?.startedAfter).toBe(isRegistered ? -1 : undefined);
  });
});

describe('a term', () => {
  it('begins in some segments, and tells what earlier terms have left there', async () => {
    const reactions = new InMemoryReactions([]);
    await reactions.register('r', 'now');
    expect(await reactions.begin('r', [1, 6])).toEqual({
      isPaused: false,
      segments: [
        { segment: 1, sequence: -1, term: 1 },
        { segment: 6, sequence: -1, term: 1 },
      ],
      reacted: [],
      hasFailedStreams: false,
    });
    const eventId = newId();
    reactions.commit(committing({ reaction: 'r', segment: 1, term: 1, eventId }));
    await reactions.suspend('r', 1, failed(streamOf(6)), null, []);
    expect(await reactions.begin('r', [1])).toMatchObject({
      segments: [{ term: 2 }],
      reacted: [eventId],
      hasFailedStreams: false,
    });
    expect(await reactions.begin('r', [6])).toMatchObject({ segments: [{ term: 2 }], hasFailedStreams: true });
    expect((await reactions.find('r'))!.segments.map(({ term }) => term)).toEqual([0, 2, 0, 0, 0, 0, 2, 0]);
  });

  it('of an unknown reaction does not begin', async () => {
    expect(await new InMemoryReactions([]).begin('r', [0])).toBeNull();
  });

  it('moves its segments, and forgets what is behind them', async () => {
    const reactions = await begun();
    const [passed, ahead] = [newId(), newId()];
    for (const eventId of [passed, ahead])
      reactions.commit(committing({ reaction: 'r', segment: 0, term: 1, eventId }));
    expect(
      await reactions.advance('r', 5, [
        { segment: 0, term: 1, passed: [passed] },
        { segment: 3, term: 1, passed: [] },
      ]),
    ).toBe(true);
    const { segments: moved } = (await reactions.find('r'))!;
    expect(moved.map(({ sequence }) => sequence)).toEqual([5, -1, -1, 5, -1, -1, -1, -1]);
    expect(moved[3]).toEqual({ segment: 3, sequence: 5, term: 1 });
    expect((await reactions.begin('r', [0]))!.reacted).toEqual([ahead]);
  });

  it('moves none of the segments of another term, and all the others', async () => {
    const reactions = await begun();
    const eventId = newId();
    reactions.commit(committing({ reaction: 'r', segment: 0, term: 1, eventId }));
    await reactions.begin('r', [0]);
    expect(
      await reactions.advance('r', 5, [
        { segment: 0, term: 1, passed: [eventId] },
        { segment: 3, term: 1, passed: [] },
      ]),
    ).toBe(false);
    expect((await reactions.find('r'))!.segments.map(({ sequence }) => sequence)).toEqual([
      -1, -1, -1, 5, -1, -1, -1, -1,
    ]);
    expect((await reactions.begin('r', [0]))!.reacted).toEqual([eventId]);
  });

  it('of an unknown reaction or segment moves nothing', async () => {
    const reactions = await begun();
    expect(await reactions.advance('other', 5, [{ segment: 0, term: 1, passed: [] }])).toBe(false);
    expect(await reactions.advance('r', 5, [{ segment: 8, term: 1, passed: [] }])).toBe(false);
    expect(await reactions.advance('r', 5, [])).toBe(true);
  });
});

describe('an event that a reaction has processed', () => {
  const eventId = newId();
  const reacted: ReactedEvent = { reaction: 'r', segment: 2, term: 1, eventId };

  it('is committed once', async () => {
    const reactions = await begun();
    reactions.require(committing(reacted));
    reactions.commit(committing(reacted));
    expect(() => reactions.require(committing(reacted))).toThrow(
      expect.objectContaining({ code: 'SVC_MESSAGE_SETTLED' }),
    );
    const { reacted: _none, ...other } = committing(reacted);
    reactions.require(other);
    reactions.commit(other);
  });

  it.each<[string, Partial<ReactedEvent>]>([
    ['another term', { term: 2 }],
    ['an earlier term', { term: 0 }],
    ['an unknown segment', { segment: 8 }],
    ['an unknown reaction', { reaction: 'other' }],
  ])('is not committed in %s', async (_what, fields) => {
    const reactions = await begun();
    expect(() => reactions.require(committing({ ...reacted, ...fields }))).toThrow(
      expect.objectContaining({ code: 'SVC_REACTION_TAKEN_OVER' }),
    );
  });
});

describe('the standing of reactions', () => {
  it('is how many events they are behind, up to a limit, and when the first of them happened', async () => {
    const log = logOf({}, {}, {}, {});
    const reactions = new InMemoryReactions(log);
    await reactions.register('b', 'beginning');
    await reactions.register('a', 'now');
    await reactions.register('c', 'beginning');
    await reactions.begin('c', segments);
    await reactions.advance(
      'c',
      2,
      segments.slice(1).map((segment) => ({ segment, term: 1, passed: [] })),
    );
    await reactions.advance('c', 1, [{ segment: 0, term: 1, passed: [] }]);
    const facts = { isPaused: false, startedAt: now, waiting: 0, parked: 0 };
    expect(await reactions.readStandings(10)).toEqual([
      { name: 'a', ...facts, startedAfter: 3, sequence: 3, behind: 0, oldest: null },
      { name: 'b', ...facts, startedAfter: -1, sequence: -1, behind: 4, oldest: 100 },
      { name: 'c', ...facts, startedAfter: -1, sequence: 1, behind: 2, oldest: 102 },
    ]);
    expect((await reactions.readStandings(3)).map(({ behind }) => behind)).toEqual([0, 3, 2]);
  });

  it('counts streams that wait for a retry, and those that wait for an operator', async () => {
    const reactions = await begun();
    for (const number of [1, 2]) await reactions.suspend('r', 1, failed(streamOf(0, number)), 10, []);
    await reactions.suspend('r', 1, failed(streamOf(0, 3)), null, []);
    expect(await reactions.readStandings(10)).toMatchObject([{ waiting: 2, parked: 1 }]);
  });
});
