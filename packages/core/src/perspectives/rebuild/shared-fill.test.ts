import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  behindEverything,
  InMemoryStorage,
  newTables,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  type HeldLease,
  type ModelTables,
  type StorageLeases,
} from '../../storage/index.js';
import { DividedPerspectives } from '../testing/divided-perspectives.js';
import { appendNote, notesPerspective } from '../testing/trial-notes.js';
import { ownLeases, rebuildParts } from '../testing/trial-rebuild.js';
import { RebuildHelp } from './rebuild-help.js';
import { rebuild, type RebuildOptions } from './rebuild.js';
import type { RebuildParts } from './replay.js';
import { fillFreeSegments, FillLanes, type SharedTables } from './shared-fill.js';

const named = notesPerspective();

let storage: InMemoryStorage;
let perspectives: DividedPerspectives;
let parts: RebuildParts;
let holders: Map<string, string>;
let leases: StorageLeases;
let lanes: FillLanes;
let touched: number;

beforeEach(() => {
  storage = new InMemoryStorage();
  perspectives = new DividedPerspectives();
  holders = new Map();
  touched = 0;
  leases = ownLeases(holders);
  lanes = new FillLanes('perspectives/v1/', leases);
  parts = rebuildParts(storage, {
    storage: perspectives,
    mayTouch: () => Promise.resolve(++touched > 0),
    helpers: () => ({ count: 1, lanes }),
  });
});
afterEach(() => void vi.restoreAllMocks());

const append = (note: string, streamId = newId()): Uuid => appendNote(storage, note, { streamId }).streamId;

const rebuilt = (options: RebuildOptions = {}) => rebuild(named, options, parts);
const lease = (lane: string, isOwn = false): HeldLease => ({
  lane,
  holder: 'h',
  process: null,
  isOwn,
  expiresInMs: 9_000,
});

async function bodies(streams: readonly Uuid[]): Promise<(string | null)[]> {
  return (await perspectives.readModels('Notes', streams)).map(({ body }) => body);
}

/** The segments of tables that have events up to the end of the log. */
const filled = async (tables: ModelTables): Promise<number[]> =>
  ((await perspectives.readProgress(tables)).segments ?? []).map(({ sequence }) => sequence);

describe('a rebuild with other hosts', () => {
  it('divides the new tables, fills the segments that no other host fills, and makes the tables whole', async () => {
    const streams = Array.from({ length: 12 }, (_, i) => append(`${i}`));
    const seen: unknown[] = [];
    const result = await rebuilt({ onProgress: (progress) => void seen.push(progress) });
    expect(result).toEqual({ streamsProcessed: 12, eventsReplayed: 12 });
    expect(perspectives.calls).toEqual(['divide rebuilding into 2', 'unite rebuilding']);
    expect(await bodies(streams)).toEqual(streams.map((_, i) => JSON.stringify({ notes: `${i}` })));
    expect(seen.at(-1)).toEqual({ processedStreams: 12, totalStreams: 12, eventsReplayed: 12 });
    // The second segment reads the same events, which do not count again.
    expect(seen.every((one) => (one as { eventsReplayed: number }).eventsReplayed <= 12)).toBe(true);
    expect(holders.size).toBe(0);
    expect(touched).toBeGreaterThan(2);
  });

  it('divides them for at most eight hosts', async () => {
    append('a');
    parts = { ...parts, helpers: () => ({ count: 20, lanes }) };
    await rebuilt();
    expect(perspectives.calls[0]).toBe('divide rebuilding into 8');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['there are no other hosts', () => ((parts = { ...parts, helpers: () => null }), rebuilt())],
    ['no other host can take part', () => ((parts = { ...parts, helpers: () => ({ count: 0, lanes }) }), rebuilt())],
    ['a limit slows it down', () => rebuilt({ eventsPerSecond: 1_000 })],
    ['the storage cannot divide', () => (Object.assign(perspectives, { segments: undefined }), rebuilt())],
  ])('leaves the tables whole if %s', async (_name, run) => {
    const streamId = append('a');
    await run();
    expect(perspectives.calls).toEqual([]);
    expect(await bodies([streamId])).toEqual(['{"notes":"a"}']);
  });

  it('leaves tables whole that have all events already', async () => {
    await rebuilt();
    expect(perspectives.calls).toEqual([]);
  });

  it('takes part in a rebuild that another host has divided at the same time', async () => {
    append('a');
    const { divide } = perspectives.segments;
    vi.spyOn(perspectives.segments, 'divide').mockImplementationOnce(async (tables, from, count) => {
      await divide(tables, from, count);
      throw new PerspectiveMovedError('Notes', 0, 1);
    });
    await rebuilt();
    expect(perspectives.calls.at(-1)).toBe('unite rebuilding');
    vi.spyOn(perspectives.segments, 'divide').mockRejectedValueOnce(new Error('away'));
    await expect(rebuilt()).rejects.toThrow('away');
  });

  it('waits for a segment that another host fills', async () => {
    const streams = Array.from({ length: 12 }, (_, i) => append(`${i}`));
    const { divide } = perspectives.segments;
    let tables: ModelTables | undefined;
    let lane = '';
    vi.spyOn(perspectives.segments, 'divide').mockImplementationOnce(async (...args) => {
      [tables] = args;
      lane = `perspectives/v1/fill/1 ${JSON.stringify({ tables, segments: 2, head: 11 })}`;
      holders.set(lane, 'other');
      return await divide(...args);
    });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const running = rebuilt();
      await vi.waitFor(async () => expect(await filled(tables!)).toEqual([11, -1]));
      expect(perspectives.calls).not.toContain('unite rebuilding');
      // The other host ends before it has filled the segment.
      holders.delete(lane);
      vi.advanceTimersByTime(200);
      await vi.waitFor(() => {
        vi.advanceTimersByTime(200);
        expect(perspectives.calls).toContain('unite rebuilding');
      });
      await running;
    } finally {
      vi.useRealTimers();
    }
    expect(await bodies(streams)).toHaveLength(12);
  });
});

describe('the lanes of segments that are filled', () => {
  const shared: SharedTables = { tables: newTables('Notes', 'rebuilding'), segments: 2, head: 7 };

  it('tell other hosts what to fill', async () => {
    expect(await lanes.hold(shared, 0)).toBe(true);
    expect(await lanes.hold(shared, 1)).toBe(true);
    const all = [...holders.keys()].map((lane) => lease(lane));
    expect(lanes.filledByOthers(all)).toEqual([shared]);
    expect(lanes.filledByOthers([...holders.keys()].map((lane) => lease(lane, true)))).toEqual([]);
    const foreign = ['perspectives/v1/of/Notes', 'perspectives/v1/fill/other', 'perspectives/v2/fill/0 {}'];
    expect(lanes.filledByOthers(foreign.map((lane) => lease(lane)))).toEqual([]);
    await lanes.release(shared, 0);
    expect(holders.size).toBe(1);
  });
});

describe('a host that helps', () => {
  let tables: ModelTables;
  let shared: SharedTables;
  let help: RebuildHelp;
  let stopping: AbortController;
  let errors: unknown[];

  beforeEach(() => {
    tables = newTables('Notes', 'rebuilding');
    shared = { tables, segments: 2, head: 11 };
    for (let i = 0; i < 12; i++) append(`${i}`);
    perspectives.divided.set(tables.name, 2);
    stopping = new AbortController();
    errors = [];
    const report = (error: unknown): void => void errors.push(error);
    help = new RebuildHelp([named], { ...parts, lanes, signal: stopping.signal, report });
  });
  const laneOf = (index: number): string => `perspectives/v1/fill/${index} ${JSON.stringify(shared)}`;

  it('fills the segments that are free, once', async () => {
    holders.set(laneOf(0), 'other');
    const reads = vi.spyOn(perspectives, 'readStopped');
    help.takePart([lease(laneOf(0))]);
    help.takePart([lease(laneOf(0))]);
    await help.idle();
    expect(await filled(tables)).toEqual([-1, 11]);
    expect(reads.mock.calls.filter(([name]) => name === 'Notes')).toHaveLength(1);
    expect([...holders.keys()]).toEqual([laneOf(0)]);
    expect(errors).toEqual([]);
    // It can take part again.
    holders.delete(laneOf(0));
    help.takePart([lease(laneOf(0))]);
    await help.idle();
    expect(await filled(tables)).toEqual([11, 11]);
  });

  it('ignores perspectives that it does not have, and what its own host fills', async () => {
    const foreign = { ...shared, tables: newTables('Foreign', 'rebuilding') };
    help.takePart([lease(`perspectives/v1/fill/0 ${JSON.stringify(foreign)}`), lease(laneOf(0), true)]);
    await help.idle();
    expect(perspectives.commits).toEqual([]);
  });

  it('does nothing once its host stops', async () => {
    stopping.abort(new Error('stopping'));
    help.takePart([lease(laneOf(0))]);
    await help.idle();
    expect([perspectives.commits, errors]).toEqual([[], []]);
    const readStopped = vi.spyOn(perspectives, 'readStopped');
    const later = new AbortController();
    const report = (error: unknown): void => void errors.push(error);
    const other = new RebuildHelp([named], { ...parts, lanes, signal: later.signal, report });
    readStopped.mockImplementation(() => {
      later.abort(new Error('stopping'));
      return Promise.reject(new Error('away'));
    });
    other.takePart([lease(laneOf(0))]);
    await other.idle();
    expect(errors).toEqual([]);
    readStopped.mockRejectedValue(new Error('away'));
    help = new RebuildHelp([named], { ...parts, lanes, signal: new AbortController().signal, report });
    help.takePart([lease(laneOf(0))]);
    await help.idle();
    expect(errors).toEqual([new Error('away')]);
  });

  it('stops to fill a segment whose lease it has lost, and continues with the next', async () => {
    const batches: number[] = [];
    const onBatch = (): Promise<void> => Promise.resolve(void batches.push(1));
    const hold = vi.spyOn(leases, 'hold');
    let calls = 0;
    // The first segment is lost with its first batch.
    hold.mockImplementation(() => Promise.resolve(++calls !== 2));
    await fillFreeSegments(named, shared, lanes, { signal: undefined, onBatch }, parts);
    expect(await filled(tables)).toEqual([-1, 11]);
    expect(batches).toHaveLength(1);
    expect(holders.size).toBe(0);
  });

  it('leaves tables that do not exist any more, and reports other errors', async () => {
    const readProgress = vi.spyOn(perspectives, 'readProgress');
    readProgress.mockRejectedValue(new PerspectiveDefinedOtherwiseError('Notes'));
    await fillFreeSegments(named, shared, lanes, { signal: undefined }, parts);
    expect(readProgress).toHaveBeenCalledTimes(1);
    readProgress.mockRejectedValue(new Error('away'));
    await expect(fillFreeSegments(named, shared, lanes, { signal: undefined }, parts)).rejects.toThrow('away');
    readProgress.mockResolvedValue({ sequence: behindEverything, revision: 0 });
    const hold = vi.spyOn(leases, 'hold');
    await fillFreeSegments(named, shared, lanes, { signal: undefined }, parts);
    readProgress.mockResolvedValue({ sequence: 11, revision: 0 });
    await fillFreeSegments(named, shared, lanes, { signal: undefined }, parts);
    expect(hold).not.toHaveBeenCalled();
  });
});
