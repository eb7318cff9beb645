import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import type { FailedStream, ReactedEvent } from '../reaction-record.js';
import { InMemoryReactions } from './in-memory-reactions.js';

const now = Date.parse('2026-01-31T12:00:00Z');
const segments = [0, 1, 2, 3, 4, 5, 6, 7];

/** A stream id of a segment. Ids of the same segment ascend with their number. */
function streamOf(segment: number, number = 0): Uuid {
  return `00000000-0000-4000-8000-${String(number).padStart(11, '0')}${segment}` as Uuid;
}

function failed(streamId: Uuid, fields: Partial<FailedStream> = {}): FailedStream {
  return { streamId, position: 4, eventId: newId(), attempts: 3, errorName: 'Error', errorMessage: 'no', ...fields };
}

/** Reactions with one that has begun its first term in every segment. */
async function begun(): Promise<InMemoryReactions> {
  const reactions = new InMemoryReactions([]);
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

describe('a failed stream', () => {
  const stream = failed(streamOf(4));

  it('is retried after a delay, or waits for an operator', async () => {
    const reactions = await begun();
    expect(await reactions.suspend('r', 1, stream, 50, [])).toBe(true);
    expect(await reactions.readDue('r', [4], 10)).toEqual({ streams: [], nextInMs: 50 });
    vi.setSystemTime(now + 49);
    expect(await reactions.readDue('r', [4], 10)).toEqual({ streams: [], nextInMs: 1 });
    vi.setSystemTime(now + 50);
    expect(await reactions.readDue('r', [4], 10)).toEqual({ streams: [stream], nextInMs: null });
    expect(await reactions.readDue('r', [3], 10)).toEqual({ streams: [], nextInMs: null });
    await reactions.suspend('r', 1, stream, null, []);
    expect(await reactions.readDue('r', [4], 10)).toEqual({ streams: [], nextInMs: null });
    expect(await reactions.readDue('other', [4], 10)).toEqual({ streams: [], nextInMs: null });
  });

  it('is due before those that failed later, and the next one may be due already', async () => {
    const reactions = await begun();
    const [first, second, third] = [1, 2, 3].map((number) => failed(streamOf(4, number)));
    await reactions.suspend('r', 1, third!, 30, []);
    await reactions.suspend('r', 1, first!, 10, []);
    await reactions.suspend('r', 1, second!, 20, []);
    vi.setSystemTime(now + 25);
    expect(await reactions.readDue('r', [4], 10)).toEqual({ streams: [first, second], nextInMs: 5 });
    expect(await reactions.readDue('r', [4], 1)).toEqual({ streams: [first], nextInMs: 0 });
  });

  it('is removed when it has caught up, and its processed events are forgotten', async () => {
    const reactions = await begun();
    const [one, two, three] = [newId(), newId(), newId()];
    for (const eventId of [one, two, three])
      reactions.commit(committing({ reaction: 'r', segment: 4, term: 1, eventId }));
    await reactions.suspend('r', 1, stream, 10, [one]);
    expect(await reactions.findFailed('r', [newId(), stream.streamId])).toEqual([stream.streamId]);
    expect(await reactions.findFailed('other', [stream.streamId])).toEqual([]);
    expect(await reactions.resume('r', 1, stream.streamId, [two])).toBe(true);
    expect(await reactions.findFailed('r', [stream.streamId])).toEqual([]);
    expect((await reactions.begin('r', [4]))!.reacted).toEqual([three]);
  });

  it('changes only in the term of its segment', async () => {
    const reactions = await begun();
    await reactions.suspend('r', 1, stream, 10, []);
    await reactions.begin('r', [4]);
    expect(await reactions.suspend('r', 1, failed(streamOf(4, 9)), 10, [])).toBe(false);
    expect(await reactions.resume('r', 1, stream.streamId, [])).toBe(false);
    expect(await reactions.findFailed('r', [stream.streamId, streamOf(4, 9)])).toEqual([stream.streamId]);
  });

  it('is listed in the order of ids, with the time until its retry', async () => {
    const reactions = await begun();
    const [a, b, c] = [1, 2, 3].map((number) => failed(streamOf(0, number)));
    await reactions.suspend('r', 1, c!, 10, []);
    await reactions.suspend('r', 1, a!, 30, []);
    await reactions.suspend('r', 1, b!, null, []);
    vi.setSystemTime(now + 20);
    const listed = [
      { ...a, retryInMs: 10 },
      { ...b, retryInMs: null },
      { ...c, retryInMs: 0 },
    ];
    expect(await reactions.readFailed('r', null, 10)).toEqual(listed);
    expect(await reactions.readFailed('r', null, 2)).toEqual(listed.slice(0, 2));
    expect(await reactions.readFailed('r', a!.streamId, 10)).toEqual(listed.slice(1));
    expect(await reactions.readFailed('other', null, 10)).toEqual([]);
  });
});

describe('an operator', () => {
  const [first, second] = [failed(streamOf(1)), failed(streamOf(2))];

  async function withFailures(): Promise<InMemoryReactions> {
    const reactions = await begun();
    for (const stream of [first, second]) await reactions.suspend('r', 1, stream, null, []);
    return reactions;
  }
  const terms = async (reactions: InMemoryReactions): Promise<number[]> =>
    (await reactions.find('r'))!.segments.map(({ term }) => term);

  it('pauses and resumes a reaction, which begins a new term everywhere', async () => {
    const reactions = await begun();
    expect(await reactions.setPaused('r', true)).toBe(true);
    expect(await reactions.find('r')).toMatchObject({ isPaused: true, startedAt: now });
    expect((await reactions.begin('r', [0]))!.isPaused).toBe(true);
    expect(await reactions.setPaused('r', false)).toBe(true);
    expect(await reactions.find('r')).toMatchObject({ isPaused: false });
    expect(await terms(reactions)).toEqual([4, 3, 3, 3, 3, 3, 3, 3]);
    expect(await reactions.setPaused('other', true)).toBe(false);
  });

  it('retries one stream, or all of them, with a new count of attempts', async () => {
    const reactions = await withFailures();
    expect(await reactions.retry('r', first.streamId)).toBe(1);
    expect(await reactions.readDue('r', segments, 10)).toEqual({
      streams: [{ ...first, attempts: 0 }],
      nextInMs: null,
    });
    expect(await reactions.retry('r', null)).toBe(2);
    expect((await reactions.readDue('r', segments, 10)).streams).toEqual([
      { ...first, attempts: 0 },
      { ...second, attempts: 0 },
    ]);
    expect(await reactions.retry('r', newId())).toBe(0);
    expect(await reactions.retry('other', null)).toBe(0);
    expect(await terms(reactions)).toEqual(segments.map(() => 4));
  });

  it('skips the event at which a stream failed', async () => {
    const reactions = await withFailures();
    expect(await reactions.skip('r', first.streamId)).toBe(true);
    const skipped = { ...first, position: 5, attempts: 0 };
    expect(await reactions.readDue('r', segments, 10)).toEqual({ streams: [skipped], nextInMs: null });
    expect(await reactions.skip('r', newId())).toBe(false);
    expect(await reactions.skip('other', first.streamId)).toBe(false);
  });
});
