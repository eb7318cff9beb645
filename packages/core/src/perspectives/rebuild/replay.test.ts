import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventLog, InMemoryStorage, newTables, type ModelTables, type Progress } from '../../storage/index.js';
import { RebuildMode } from '../../system-events/index.js';
import { ModelEvents } from '../apply/model-events.js';
import { appendEvent } from '../testing/trial-events.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { rebuildParts } from '../testing/trial-rebuild.js';
import { batchSize, catchUp } from './catch-up.js';
import { Census } from './census.js';
import { Pace } from './pace.js';
import { RebuildReport, type RebuildProgress } from './rebuild-report.js';
import { Replay, type RebuildParts, type ReplayTarget } from './replay.js';

const named = namedPerspective({ perspective: { apply: () => ({}) }, events: [Noted] });

let storage: InMemoryStorage;
let parts: RebuildParts;
let tables: ModelTables;
let finder: ModelEvents;
let touched: number;
let seen: RebuildProgress[];
/** Called with each progress. */
let onProgress: () => void;

beforeEach(() => {
  storage = new InMemoryStorage();
  tables = newTables('Notes', 'rebuilding');
  touched = 0;
  seen = [];
  onProgress = () => {};
  parts = rebuildParts(storage, { mayTouch: () => Promise.resolve(++touched > 0) });
  finder = ModelEvents.ofServing(named, parts);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function append(count: number): void {
  for (let i = 0; i < count; i++) appendEvent(storage);
}

/** A replay of the events that are stored now. */
async function replayOf(signal?: AbortSignal): Promise<Replay> {
  const census = await Census.take(parts.log, finder, undefined);
  const report = new RebuildReport(parts.emitter, 'Notes', RebuildMode.BlueGreen, (progress) => {
    seen.push(progress);
    onProgress();
  });
  return new Replay(census, { pace: new Pace(undefined), signal, report }, parts);
}

const run = (replay: Replay, fields: Partial<ReplayTarget> = {}): Promise<void> =>
  replay.run(named, finder, { into: tables, isShared: false, isDone: () => Promise.resolve(true), ...fields });
const counts = (): [number, number][] => seen.map((one) => [one.processedStreams, one.eventsReplayed]);

describe('a replay', () => {
  it('reports its progress at the start and after each batch, and claims the rebuild each time', async () => {
    append(batchSize + 1);
    await run(await replayOf());
    expect(counts()).toEqual([
      [0, 0],
      [batchSize, batchSize],
      [batchSize + 1, batchSize + 1],
    ]);
    expect(touched).toBe(3);
  });

  it('starts with the events that were replayed before it was interrupted', async () => {
    append(5);
    await catchUp(named, { into: tables, isShared: false, signal: undefined, until: { sequence: 2 } }, parts);
    await run(await replayOf());
    expect(counts()).toEqual([
      [3, 3],
      [5, 5],
    ]);
  });

  it('does not count events that were appended after it started, wherever the tables are', async () => {
    append(2);
    const replay = await replayOf();
    append(1);
    await run(replay);
    expect(counts()).toEqual([
      [0, 0],
      [2, 2],
    ]);
    seen.length = 0;
    const later = await replayOf();
    append(3);
    await catchUp(named, { into: tables, isShared: false, signal: undefined }, parts);
    await run(later);
    expect(counts()).toEqual([[3, 3]]);
  });

  it('continues until it is done, and counts its events once', async () => {
    append(2);
    const count = vi.spyOn(parts.log, 'countEvents');
    const asked: number[] = [];
    await run(await replayOf(), {
      isDone: ({ sequence }) => {
        if (asked.push(sequence) === 1) append(1);
        return Promise.resolve(asked.length === 3);
      },
    });
    expect(asked).toEqual([1, 2, 2]);
    expect(counts().at(-1)).toEqual([2, 2]);
    expect(count).not.toHaveBeenCalled();
  });

  it('counts its events again after another host has moved the tables', async () => {
    append(2);
    const count = vi.spyOn(parts.log, 'countEvents');
    let rounds = 0;
    await run(await replayOf(), {
      isDone: async () => {
        if (++rounds > 1) return true;
        append(1);
        await catchUp(named, { into: tables, isShared: false, signal: undefined }, parts);
        return false;
      },
    });
    expect(count).toHaveBeenCalledTimes(1);
    expect(counts().at(-1)).toEqual([2, 2]);
  });

  it('is not done if it was cancelled with its last event', async () => {
    append(2);
    const cancel = new AbortController();
    onProgress = () => {
      if (seen.length === 2) cancel.abort(new Error('cancelled'));
    };
    const isDone = vi.fn<ReplayTarget['isDone']>(() => Promise.resolve(true));
    await expect(run(await replayOf(cancel.signal), { isDone })).rejects.toThrow('cancelled');
    expect(seen).toHaveLength(2);
    expect(isDone).not.toHaveBeenCalled();
  });

  it('does nothing if it was cancelled before it starts', async () => {
    append(2);
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(run(await replayOf(signal))).rejects.toThrow('cancelled');
    expect([touched, seen]).toEqual([0, []]);
  });
});

describe('a replay into tables that hosts have divided', () => {
  /** Runs until it is done, with the given progress each time. */
  async function runAt(sequences: readonly number[]): Promise<void> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const replay = await replayOf();
    const read = vi.spyOn(storage.perspectives, 'readProgress');
    for (const sequence of sequences) {
      const progress: Progress = { sequence, revision: 1 };
      read.mockResolvedValueOnce({ ...progress, segments: [progress, progress] });
    }
    let rounds = 0;
    let isOver = false;
    const isDone = (): Promise<boolean> => Promise.resolve(++rounds === sequences.length);
    const running = run(replay, { isDone }).then(() => (isOver = true));
    await vi.waitFor(() => {
      vi.advanceTimersByTime(500);
      expect(isOver).toBe(true);
    });
    await running;
  }

  it('counts the events once, when all segments have reached the end', async () => {
    append(4);
    const count = vi.spyOn(parts.log, 'countEvents');
    await runAt([0, 2, 3, 3]);
    expect(counts()).toEqual([
      [1, 0],
      [3, 0],
      [4, 4],
      [4, 4],
    ]);
    expect(count).toHaveBeenCalledTimes(1);
    expect(touched).toBe(4);
  });
});

describe('the progress of tables', () => {
  it('has passed another one with all of its segments', async () => {
    append(6);
    const replay = await replayOf();
    const at = (sequence: number): Progress => ({ sequence, revision: 1 });
    expect(await replay.hasPassed(at(3), at(4))).toBe(false);
    expect(await replay.hasPassed(at(4), at(4))).toBe(true);
    const divided = { ...at(2), segments: [at(2), at(5)] };
    expect(await replay.hasPassed(at(4), divided)).toBe(false);
    expect(await replay.hasPassed(at(5), divided)).toBe(true);
    expect(await replay.hasPassed(at(-1), at(-1))).toBe(true);
  });

  it('has passed the last event that was stored at the start', async () => {
    append(3);
    const replay = await replayOf();
    append(1);
    const passed = [1, 2, 3].map((sequence) => replay.hasPassedHead({ sequence, revision: 1 }));
    expect(await Promise.all(passed)).toEqual([false, true, true]);
    storage = new InMemoryStorage();
    parts = { ...parts, log: new EventLog(storage, trialMessages) };
    expect(await (await replayOf()).hasPassedHead({ sequence: -1, revision: 0 })).toBe(true);
  });
});
