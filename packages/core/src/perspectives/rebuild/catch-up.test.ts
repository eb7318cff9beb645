import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  EventLog,
  InMemoryStorage,
  newTables,
  PerspectiveMovedError,
  type PerspectiveCommit,
} from '../../storage/index.js';
import { observeWaitingCommits } from '../testing/trial-commits.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { appendNote, applyNotes, notesOf as notesIn, type Notes } from '../testing/trial-notes.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { turns } from '../testing/turns.js';
import {
  batchSize,
  catchUp,
  commitAtLeastEveryMs,
  commitEveryMs,
  timesAsLong,
  type CatchUpOptions,
} from './catch-up.js';
import { replayInto } from './replay-into.js';

const stream = newId();
const failing = new Set<string>();
const apply = applyNotes({ failing });

let storage: InMemoryStorage;
let commits: PerspectiveCommit[];
/** Called with each event that is applied. */
let onApply: (note: string) => void;
/** Called before each commit. */
let beforeCommit: (commit: PerspectiveCommit) => void | Promise<void>;
let emitted: object[];

const named = namedPerspective({
  perspective: {
    apply: (model: Notes | null, event: Noted) => {
      onApply(event.note);
      return apply(model, event);
    },
  },
  events: [Noted],
});

beforeEach(() => {
  storage = new InMemoryStorage();
  emitted = [];
  failing.clear();
  onApply = () => {};
  beforeCommit = () => {};
  commits = observeWaitingCommits(storage.perspectives, (commit) => beforeCommit(commit));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const append = (note: string, streamId = stream): Uuid => appendNote(storage, note, { streamId }).id;
const notesOf = (id = stream): Promise<string | undefined> => notesIn(storage.perspectives, 'Notes', id);

const partsOf = () => ({
  log: new EventLog(storage, trialMessages),
  storage: storage.perspectives,
  emitter: emitterTo(emitted),
});
const catchUpTo = (options: Partial<CatchUpOptions> = {}) =>
  catchUp(named, { into: 'Notes', isShared: false, signal: undefined, ...options }, partsOf());
const places = (): number[] => commits.map(({ to }) => to);

describe('the commits of tables that only this host fills', () => {
  /** Applies one event every 100 milliseconds to one model. The first commit takes `commitMs`. Returns the time of each commit. */
  async function commitTimes(count: number, commitMs: number): Promise<number[]> {
    for (let i = 0; i < count; i++) append('x');
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const times: number[] = [];
    beforeCommit = () => {
      times.push(now);
      if (times.length === 1) now += commitMs;
    };
    await catchUpTo({ mostAtOnce: 1, onBatch: async () => void (now += 100) });
    return times.slice(0, -1);
  }

  it('are a second apart', async () => {
    expect(await commitTimes(35, 0)).toEqual([1_000, 2_000, 3_000]);
    expect(commitEveryMs).toBe(1_000);
  });

  it('are ten times as far apart as a commit takes', async () => {
    const [first, second] = await commitTimes(45, 250);
    expect(second! - first!).toBeGreaterThanOrEqual(timesAsLong * 250);
    expect(second! - first!).toBeLessThan(timesAsLong * 250 + 100);
  });

  it('are at most thirty seconds apart', async () => {
    const [first, second] = await commitTimes(320, 5_000);
    expect(second! - first!).toBe(commitAtLeastEveryMs);
  });

  it('do not follow each batch', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    for (let i = 0; i < batchSize + 1; i++) append('a', newId());
    await replayInto(named, newTables('Notes', 'rebuilding'), new AbortController().signal, partsOf());
    expect(commits.map(({ models }) => models.length)).toEqual([batchSize + 1]);
  });
});

describe('a replay that ends at a place', () => {
  const until = { sequence: 3 };

  it('applies the events of all pages up to there', async () => {
    for (const note of ['a', 'b', 'c', 'd', 'e', 'f']) append(note);
    const batches: [number, number][] = [];
    const onBatch: CatchUpOptions['onBatch'] = async ({ records, upTo }) =>
      void batches.push([records.length, upTo.sequence]);
    expect(await catchUpTo({ isShared: true, mostAtOnce: 3, until, onBatch })).toMatchObject(until);
    expect(await notesOf()).toBe('abcd');
    expect(batches).toEqual([
      [3, 2],
      [1, 3],
    ]);
  });

  it('reads no page after the one with its end', async () => {
    for (const note of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) append(note);
    const batches: number[] = [];
    await catchUpTo({
      isShared: true,
      mostAtOnce: 2,
      until,
      onBatch: async ({ upTo }) => void batches.push(upTo.sequence),
    });
    expect(batches).toEqual([1, 3]);
    expect(places()).toEqual([1, 3]);
  });
});

describe('tables that hosts have divided', () => {
  const divided = { sequence: 3, revision: 1, segments: [{ sequence: 3, revision: 1 }] };

  it('are looked at again after half a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(storage.perspectives, 'readProgress').mockResolvedValue(divided);
    const starts: unknown[] = [];
    let result: unknown;
    const waiting = catchUpTo({ onStart: async (from) => void starts.push(from) }).then((one) => (result = one));
    await turns();
    vi.advanceTimersByTime(499);
    await turns();
    expect([starts, result]).toEqual([[divided], undefined]);
    vi.advanceTimersByTime(1);
    await waiting;
    expect(result).toBe(divided);
  });

  it('are not waited for once the caller has given up', async () => {
    vi.spyOn(storage.perspectives, 'readProgress').mockResolvedValue(divided);
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(catchUpTo({ signal })).rejects.toThrow('cancelled');
  });
});

describe('a replay that starts again', () => {
  it('waits for its commit under way before it reads the progress', async () => {
    for (const note of ['a', 'b', 'bad', 'c']) append(note);
    failing.add('bad');
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let release: (() => void) | undefined;
    beforeCommit = async ({ to }) => {
      if (to === 1) await new Promise<void>((resolve) => (release = resolve));
    };
    const starts: number[] = [];
    const applied: string[] = [];
    onApply = (note) => void applied.push(note);
    const running = catchUpTo({
      mostAtOnce: 1,
      onStart: async ({ sequence }) => void starts.push(sequence),
      onBatch: async () => void (now += 1_000),
    });
    await vi.waitFor(() => expect(applied).toContain('bad'));
    await turns();
    expect([starts, commits]).toEqual([[-1], []]);
    release!();
    await running;
    expect(starts).toEqual([-1, 1]);
    expect(applied.filter((note) => note === 'a')).toHaveLength(1);
    expect(await notesOf()).toBe('ab');
    expect(emitted).toMatchObject([{ perspectiveName: 'Notes', attempt: 1 }]);
  });

  it('reports a failure once, after it is committed', async () => {
    append('bad');
    failing.add('bad');
    let isMoved = false;
    beforeCommit = ({ from, to }) => {
      expect(emitted).toEqual([]);
      if (isMoved) return;
      isMoved = true;
      throw new PerspectiveMovedError('Notes', from.sequence, to);
    };
    await catchUpTo();
    expect(commits).toHaveLength(1);
    expect(emitted).toHaveLength(1);
  });

  it('applies only the batches up to the failure carefully', async () => {
    for (const note of ['a', 'bad', 'b', 'c']) append(note, newId());
    failing.add('bad');
    vi.spyOn(performance, 'now').mockReturnValue(0);
    await catchUpTo({ mostAtOnce: 1 });
    // The batches after the failure are committed together again.
    expect(places()).toEqual([0, 1, 3]);
  });
});

describe('a replay into new tables', () => {
  it('does nothing once it is cancelled', async () => {
    const read = vi.spyOn(storage.perspectives, 'readProgress');
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(replayInto(named, newTables('Notes', 'rebuilding'), signal, partsOf())).rejects.toThrow('cancelled');
    expect(read).not.toHaveBeenCalled();
  });

  it('continues at their progress', async () => {
    const tables = newTables('Notes', 'rebuilding');
    const { signal } = new AbortController();
    append('a');
    await replayInto(named, tables, signal, partsOf());
    append('b');
    await replayInto(named, tables, signal, partsOf());
    expect(places()).toEqual([0, 1]);
    expect(await storage.perspectives.readModels(tables, [stream])).toMatchObject([{ body: '{"notes":"ab"}' }]);
    expect(await notesOf()).toBeUndefined();
  });
});
