import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  InMemoryStorage,
  newTables,
  PerspectiveMovedError,
  StorageUnavailableError,
  type InMemoryPerspectives,
  type PendingRecord,
  type PerspectiveCommit,
} from '../../storage/index.js';
import { RebuildMode } from '../../system-events/index.js';
import { commitChanges, observeCommits } from '../testing/trial-commits.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { appendNote, notesOf as notesIn, notesPerspective } from '../testing/trial-notes.js';
import { rebuildParts } from '../testing/trial-rebuild.js';
import { batchSize, catchUp, largePage, type CatchUpOptions } from './catch-up.js';
import { rebuild, totalOf, type RebuildOptions } from './rebuild.js';
import { replayInto } from './replay-into.js';
import type { RebuildParts } from './replay.js';

const stream = newId();
const failing = new Set<string>();
const named = notesPerspective({ failing });

let storage: InMemoryStorage;
let perspectives: InMemoryPerspectives;
let parts: RebuildParts;
let emitted: object[];
let touched: string[];
let commits: PerspectiveCommit[];
/** Called before each commit. */
let beforeCommit: (commit: PerspectiveCommit) => void;

beforeEach(() => {
  storage = new InMemoryStorage();
  ({ perspectives } = storage);
  [emitted, touched] = [[], []];
  failing.clear();
  beforeCommit = () => {};
  let reads = 0;
  const readProgress = perspectives.readProgress.bind(perspectives);
  // A rebuild that never ends fails a test instead of blocking it.
  perspectives.readProgress = async (tables) => {
    if (++reads > 100) throw new Error('It starts again without an end.');
    return await readProgress(tables);
  };
  commits = observeCommits(perspectives, (commit) => beforeCommit(commit));
  parts = rebuildParts(storage, {
    emitter: emitterTo(emitted),
    mayTouch: (name) => Promise.resolve(touched.push(name) > 0),
  });
});

const append = (note: string, fields?: Partial<PendingRecord>): Uuid =>
  appendNote(storage, note, { streamId: stream, ...fields }).id;
const notesOf = (id = stream): Promise<string | undefined> => notesIn(perspectives, 'Notes', id);

const rebuilt = (options: RebuildOptions = {}) => rebuild(named, options, parts);
const catchUpTo = (options: Partial<CatchUpOptions>) =>
  catchUp(named, { into: 'Notes', isShared: false, signal: undefined, ...options }, parts);
const eventNames = (): string[] => emitted.map((event) => event.constructor.name);

/** Replaces a stored model, as if an earlier version of `apply` had computed it. */
async function spoil(streamId = stream): Promise<void> {
  const [model] = await perspectives.readModels('Notes', [streamId]);
  const { sequence } = await perspectives.readProgress('Notes');
  const models = [{ ...model!, body: '{"notes":"spoiled"}', indexed: {} }];
  await commitChanges(perspectives, 'Notes', { to: sequence, models });
}

describe.each([RebuildMode.BlueGreen, RebuildMode.InPlace])('a rebuild in the mode %s', (mode) => {
  it('replays all events, and reports its progress up to those that were stored when it started', async () => {
    const other = newId();
    append('a');
    append('x', { type: 'test.Other' });
    append('b', { streamId: other });
    await catchUpTo({});
    await spoil();
    commits.length = 0;
    const seen: unknown[] = [];
    const result = await rebuilt({ mode, onProgress: (progress) => void seen.push(progress) });
    expect(result).toEqual({ streamsProcessed: 2, eventsReplayed: 2 });
    expect([await notesOf(), await notesOf(other)]).toEqual(['a', 'b']);
    expect(seen[0]).toEqual({ processedStreams: 0, totalStreams: 2, eventsReplayed: 0 });
    expect(seen.at(-1)).toEqual({ processedStreams: 2, totalStreams: 2, eventsReplayed: 2 });
    expect(eventNames()).toEqual([
      'PerspectiveRebuildStarted',
      'PerspectiveRebuildProgress',
      'PerspectiveRebuildCompleted',
    ]);
    expect(emitted[0]).toMatchObject({ perspectiveName: 'Notes', mode, totalStreams: 2 });
    expect(new Set(touched)).toEqual(new Set(['Notes']));
    expect(await perspectives.readRebuilding('Notes')).toEqual([]);
  });

  it('applies events that are appended during it once, and does not count them', async () => {
    append('a');
    let isFirst = true;
    beforeCommit = () => {
      if (isFirst) append('b');
      isFirst = false;
    };
    expect(await rebuilt({ mode })).toEqual({ streamsProcessed: 1, eventsReplayed: 1 });
    await catchUpTo({});
    expect(await notesOf()).toBe('ab');
  });

  it('stops the streams that fail, emits PerspectiveFailed, and continues with the others', async () => {
    const [bad, other] = [append('bad'), newId()];
    append('a');
    append('b', { streamId: other });
    failing.add('bad');
    await rebuilt({ mode });
    expect([await notesOf(), await notesOf(other)]).toEqual([undefined, 'b']);
    expect(emitted.filter((event) => 'messageId' in event)).toMatchObject([{ messageId: bad, attempt: 1 }]);
    expect(await perspectives.readStopped('Notes')).toMatchObject([{ streamId: stream, attempts: 1 }]);
    failing.clear();
    await rebuilt({ mode });
    expect(await notesOf()).toBe('bada');
    expect(await perspectives.readStopped('Notes')).toEqual([]);
  });

  it('is reported as failed when it is cancelled', async () => {
    append('a');
    const cancel = new AbortController();
    const onProgress = (): void => cancel.abort(new Error('cancelled'));
    await expect(rebuilt({ mode, signal: cancel.signal, onProgress })).rejects.toThrow('cancelled');
    expect(eventNames()).toEqual(['PerspectiveRebuildStarted', 'PerspectiveRebuildFailed']);
    expect(emitted[1]).toMatchObject({ error: 'Error: cancelled' });
    expect(await perspectives.readRebuilding('Notes')).toEqual([]);
  });
});

describe('a rebuild into other tables', () => {
  it('counts the failures at the same event since before it', async () => {
    append('bad');
    failing.add('bad');
    await catchUpTo({});
    await rebuilt();
    expect(await perspectives.readStopped('Notes')).toMatchObject([{ attempts: 2 }]);
    await rebuilt({ mode: RebuildMode.InPlace });
    expect(await perspectives.readStopped('Notes')).toMatchObject([{ attempts: 1 }]);
  });

  it('replaces the tables only once they have reached the serving ones', async () => {
    append('a');
    await catchUpTo({});
    const replace = vi.spyOn(perspectives, 'replacePerspective');
    let isFirst = true;
    beforeCommit = ({ tables }) => {
      if (!isFirst || tables?.role !== 'rebuilding') return;
      isFirst = false;
      append('b');
    };
    const readProgress = perspectives.readProgress.bind(perspectives);
    let isMoved = false;
    perspectives.readProgress = async (tables) => {
      // The worker processes the new event at the end of the first replay.
      if (tables === 'Notes' && !isFirst && !isMoved) {
        isMoved = true;
        await catchUpTo({});
      }
      return await readProgress(tables);
    };
    await rebuilt();
    expect(replace).toHaveBeenCalledTimes(1);
    expect(await notesOf()).toBe('ab');
  });

  it('tries again when the serving tables have moved at the same time', async () => {
    append('a');
    const replace = vi.spyOn(perspectives, 'replacePerspective');
    replace.mockImplementationOnce(() => {
      throw new PerspectiveMovedError('Notes', 0, 1);
    });
    await rebuilt();
    expect(replace).toHaveBeenCalledTimes(2);
    expect(await notesOf()).toBe('a');
    replace.mockImplementationOnce(() => {
      throw new Error('away');
    });
    await expect(rebuilt()).rejects.toThrow('away');
    expect(await perspectives.readRebuilding('Notes')).toEqual([]);
  });

  it('that the database interrupted is resumed by the next one', async () => {
    append('a');
    append('b');
    const away = new StorageUnavailableError('none', new Error('down'));
    const replace = vi.spyOn(perspectives, 'replacePerspective').mockImplementationOnce(() => {
      throw away;
    });
    await expect(rebuilt()).rejects.toBe(away);
    const [left] = await perspectives.readRebuilding('Notes');
    expect(left!.sequence).toBe(1);
    commits.length = 0;
    expect(await rebuilt()).toEqual({ streamsProcessed: 1, eventsReplayed: 2 });
    expect(commits).toEqual([]);
    expect(replace.mock.lastCall![1]).toEqual(left!.tables);
    expect(await notesOf()).toBe('ab');
  });

  it('starts from the first event if it must not resume', async () => {
    append('a');
    vi.spyOn(perspectives, 'replacePerspective').mockImplementationOnce(() => {
      throw new StorageUnavailableError('none', new Error('down'));
    });
    await expect(rebuilt()).rejects.toThrow(StorageUnavailableError);
    commits.length = 0;
    await rebuilt({ resume: false });
    expect(commits).toHaveLength(1);
    expect(await perspectives.readRebuilding('Notes')).toEqual([]);
  });

  it('is limited to some events per second, in the modes in which it is alone', async () => {
    for (let i = 0; i < 5; i++) append('a', { streamId: newId() });
    const waits: number[] = [];
    const clock = { now: () => 0, wait: (ms: number) => Promise.resolve(void waits.push(ms)) };
    await rebuild(named, { eventsPerSecond: 2 }, { ...parts, clock });
    expect(waits).toEqual([1_000, 2_000, 2_500]);
    const limited = rebuilt({ eventsPerSecond: 2, mode: RebuildMode.InPlace });
    await expect(limited).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
  });
});

describe('a rebuild of selected streams', () => {
  it('replays only their models, each once, and reports each', async () => {
    const [one, two] = [newId(), newId()];
    for (const streamId of [stream, one, two]) append('a', { streamId });
    await catchUpTo({});
    for (const streamId of [stream, one, two]) await spoil(streamId);
    const seen: unknown[] = [];
    const onProgress = (progress: object): void => void seen.push(progress);
    expect(await rebuilt({ streams: [stream, one, stream], onProgress })).toEqual({
      streamsProcessed: 2,
      eventsReplayed: 2,
    });
    expect([await notesOf(), await notesOf(one), await notesOf(two)]).toEqual(['a', 'a', 'spoiled']);
    expect(emitted[0]).toMatchObject({ mode: RebuildMode.SelectedStreams, totalStreams: 2 });
    expect(seen).toEqual([
      { processedStreams: 0, totalStreams: 2, eventsReplayed: 0 },
      { processedStreams: 1, totalStreams: 2, eventsReplayed: 1 },
      { processedStreams: 2, totalStreams: 2, eventsReplayed: 2 },
    ]);
    expect(await rebuilt({ mode: RebuildMode.SelectedStreams })).toEqual({ streamsProcessed: 0, eventsReplayed: 0 });
  });

  it('waits between streams at a limit, stops when it is cancelled, and reports failures', async () => {
    const other = newId();
    append('bad');
    append('a', { streamId: other });
    await catchUpTo({});
    failing.add('bad');
    const waits: number[] = [];
    const clock = { now: () => 0, wait: (ms: number) => Promise.resolve(void waits.push(ms)) };
    const streams = [stream, other];
    await rebuild(named, { streams, eventsPerSecond: 1 }, { ...parts, clock });
    expect(waits).toEqual([1_000]);
    expect(emitted.filter((event) => 'messageId' in event)).toMatchObject([{ perspectiveName: 'Notes', attempt: 1 }]);
    const cancel = new AbortController();
    const onProgress = (): void => cancel.abort(new Error('cancelled'));
    await expect(rebuilt({ streams, signal: cancel.signal, onProgress })).rejects.toThrow('cancelled');
    expect(eventNames().at(-1)).toBe('PerspectiveRebuildFailed');
  });
});

it('adds up the results of several databases', () => {
  const one = { streamsProcessed: 1, eventsReplayed: 2 };
  expect(totalOf([one, { streamsProcessed: 3, eventsReplayed: 4 }])).toEqual({
    streamsProcessed: 4,
    eventsReplayed: 6,
  });
});

describe('catching up', () => {
  it('applies batches of a limited size, and reports each', async () => {
    for (let i = 0; i < batchSize + 1; i++) append('a', { streamId: newId() });
    const batches: unknown[] = [];
    const onBatch: CatchUpOptions['onBatch'] = ({ records, upTo }, applied) =>
      Promise.resolve(void batches.push([records.length, upTo.sequence, applied]));
    expect((await catchUpTo({ onBatch })).sequence).toBe(batchSize);
    expect(batches).toEqual([
      [batchSize, batchSize - 1, batchSize],
      [1, batchSize, 1],
    ]);
    batches.length = 0;
    await catchUpTo({ into: newTables('Notes', 'rebuilding'), mostAtOnce: 300, onBatch });
    expect(batches.map((one) => (one as number[])[0])).toEqual([300, 201]);
    batches.length = 0;
    await catchUpTo({ into: newTables('Notes', 'rebuilding'), mostAtOnce: Infinity, onBatch });
    expect(batches).toHaveLength(2);
  });

  it('commits each batch at once to tables that the worker fills as well, and reads small pages', async () => {
    for (let i = 0; i < 4; i++) append('a', { streamId: newId() });
    const readPages = vi.spyOn(parts.log, 'readReplayPages');
    await catchUpTo({ isShared: true, mostAtOnce: 2 });
    expect(commits.map(({ to }) => to)).toEqual([1, 3]);
    expect(readPages.mock.lastCall![1]).toBe(2);
    await catchUpTo({ into: newTables('Notes', 'rebuilding') });
    expect(readPages.mock.lastCall![1]).toBe(largePage);
    expect(commits).toHaveLength(3);
  });

  it('ends at a place, and does nothing behind it', async () => {
    for (const note of ['a', 'b', 'c', 'd']) append(note);
    expect((await catchUpTo({ until: { sequence: 1 } })).sequence).toBe(1);
    expect(await notesOf()).toBe('ab');
    commits.length = 0;
    expect((await catchUpTo({ until: { sequence: 1 } })).sequence).toBe(1);
    expect((await catchUpTo({ until: { sequence: 0 } })).sequence).toBe(1);
    expect(commits).toEqual([]);
    expect((await catchUpTo({})).sequence).toBe(3);
    expect(await notesOf()).toBe('abcd');
  });

  it('commits what it has applied when it is cancelled', async () => {
    for (let i = 0; i < 4; i++) append('a', { streamId: newId() });
    const cancel = new AbortController();
    const { signal } = cancel;
    const onBatch = async (): Promise<void> => cancel.abort(new Error('cancelled'));
    await expect(catchUpTo({ mostAtOnce: 2, signal, onBatch })).rejects.toThrow('cancelled');
    expect(commits.map(({ to }) => to)).toEqual([1]);
    await expect(replayInto(named, newTables('Notes', 'rebuilding'), signal, parts)).rejects.toThrow('cancelled');
  });

  it('continues from the progress of another host that has committed to the same tables', async () => {
    append('a');
    append('b');
    const starts: number[] = [];
    let isFirst = true;
    beforeCommit = ({ perspective }) => {
      if (!isFirst) return;
      isFirst = false;
      throw new PerspectiveMovedError(perspective, 0, 1);
    };
    const onStart: CatchUpOptions['onStart'] = ({ sequence }) => Promise.resolve(void starts.push(sequence));
    expect((await catchUpTo({ onStart })).sequence).toBe(1);
    expect(starts).toEqual([-1, -1]);
    expect(await notesOf()).toBe('ab');
    beforeCommit = () => {
      throw new Error('away');
    };
    append('c');
    await expect(catchUpTo({})).rejects.toThrow('away');
  });

  it('applies the batch of a failure to stored models, and the next ones to those in memory again', async () => {
    for (const note of ['a', 'bad', 'b']) append(note, { streamId: newId() });
    failing.add('bad');
    await catchUpTo({ mostAtOnce: 1 });
    expect(emitted).toHaveLength(1);
    // Each batch up to the failure is committed by itself, the last one with the end.
    expect(commits.map(({ to }) => to)).toEqual([0, 1, 2]);
    expect((await perspectives.readStopped('Notes')).map(({ attempts }) => attempts)).toEqual([1]);
  });

  it('waits for the hosts that have divided the tables', async () => {
    append('a');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const progress = await perspectives.readProgress('Notes');
      const segments = [progress, progress];
      const read = vi.spyOn(perspectives, 'readProgress').mockResolvedValue({ ...progress, segments });
      let isDone = false;
      const waiting = catchUpTo({}).then((result) => {
        isDone = true;
        return result;
      });
      await vi.waitFor(() => expect(read).toHaveBeenCalled());
      expect(isDone).toBe(false);
      await vi.waitFor(() => {
        vi.advanceTimersByTime(500);
        expect(isDone).toBe(true);
      });
      expect((await waiting).segments).toEqual(segments);
      expect(commits).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});
