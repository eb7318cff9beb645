import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { asTables, InMemoryStorage, type InMemoryPerspectives, type PerspectiveCommit } from '../../storage/index.js';
import { RebuildMode } from '../../system-events/index.js';
import { observeCommits } from '../testing/trial-commits.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { appendEvent } from '../testing/trial-events.js';
import { Noted } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { rebuildParts } from '../testing/trial-rebuild.js';
import { batchSize, catchUp } from './catch-up.js';
import { rebuild, type RebuildOptions } from './rebuild.js';
import type { RebuildProgress } from './rebuild-report.js';
import type { RebuildParts } from './replay.js';

const named = namedPerspective({
  perspective: { apply: (model: { count: number } | null) => ({ count: (model?.count ?? 0) + 1 }) },
  events: [Noted],
});

let storage: InMemoryStorage;
let perspectives: InMemoryPerspectives;
let parts: RebuildParts;
let emitted: object[];
let commits: PerspectiveCommit[];
let reads: string[];

beforeEach(() => {
  storage = new InMemoryStorage();
  ({ perspectives } = storage);
  [emitted, reads] = [[], []];
  const readProgress = perspectives.readProgress.bind(perspectives);
  perspectives.readProgress = async (tables) => {
    // A rebuild that never ends fails a test instead of blocking it.
    if (reads.push(asTables(tables).role) > 100) throw new Error('It starts again without an end.');
    return await readProgress(tables);
  };
  commits = observeCommits(perspectives);
  parts = rebuildParts(storage, { emitter: emitterTo(emitted) });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const append = (streamId = newId()): Uuid => appendEvent(storage, { streamId }).streamId;

const rebuilt = (options: RebuildOptions = {}) => rebuild(named, options, parts);
const eventNames = (): string[] => emitted.map((event) => event.constructor.name);

/** Rebuilds the perspective, however long it waits for other hosts. Returns the events that it has replayed each time. */
async function waitedFor(mode: RebuildMode): Promise<number[]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const seen: number[] = [];
  const onProgress = ({ eventsReplayed }: RebuildProgress): void => void seen.push(eventsReplayed);
  let isOver = false;
  const running = rebuilt({ mode, onProgress }).finally(() => (isOver = true));
  await vi.waitFor(() => {
    vi.advanceTimersByTime(500);
    expect(isOver).toBe(true);
  });
  await running;
  return seen;
}

describe('a rebuild in place', () => {
  it('commits each batch at once', async () => {
    for (let i = 0; i < batchSize + 1; i++) append();
    await rebuilt({ mode: RebuildMode.InPlace });
    expect(commits.map(({ models }) => models.length)).toEqual([batchSize, 1]);
  });

  it('waits for hosts that have divided the perspective until all have reached its last event', async () => {
    for (let i = 0; i < 4; i++) append();
    const readProgress = perspectives.readProgress.bind(perspectives);
    let sequence = 0;
    perspectives.readProgress = async (tables) => {
      const progress = { ...(await readProgress(tables)), sequence: sequence++ };
      return { ...progress, segments: [progress, progress] };
    };
    expect(await waitedFor(RebuildMode.InPlace)).toEqual([0, 0, 0, 0, 4]);
    expect(commits).toEqual([]);
    expect(eventNames().at(-1)).toBe('PerspectiveRebuildCompleted');
  });
});

describe('a rebuild into new tables', () => {
  it('commits batches together', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    for (let i = 0; i < batchSize + 1; i++) append();
    await rebuilt();
    expect(commits.map(({ models, tables }) => [models.length, tables!.role])).toEqual([[batchSize + 1, 'rebuilding']]);
  });

  it('replaces the serving ones only once they are whole', async () => {
    const streamId = append();
    append(streamId);
    const readProgress = perspectives.readProgress.bind(perspectives);
    const replace = vi.spyOn(perspectives, 'replacePerspective');
    let left = 3;
    perspectives.readProgress = async (tables) => {
      const progress = await readProgress(tables);
      if (asTables(tables).role === 'serving' || left-- <= 0) return progress;
      expect(replace).not.toHaveBeenCalled();
      const ahead = { ...progress, sequence: 1 };
      return { ...ahead, segments: [ahead, ahead] };
    };
    await waitedFor(RebuildMode.BlueGreen);
    expect(left).toBeLessThanOrEqual(0);
    expect(replace).toHaveBeenCalledTimes(1);
    expect(await perspectives.readModels('Notes', [streamId])).toMatchObject([{ body: '{"count":2}' }]);
  });

  it('waits until they have passed each segment of the serving ones', async () => {
    append();
    await catchUp(named, { into: 'Notes', isShared: true, signal: undefined }, parts);
    const readProgress = perspectives.readProgress.bind(perspectives);
    const replace = vi.spyOn(perspectives, 'replacePerspective');
    let looks = 0;
    perspectives.readProgress = async (tables) => {
      const progress = await readProgress(tables);
      if (asTables(tables).role !== 'serving' || ++looks > 2) return progress;
      // One segment of the serving tables has processed an event that was appended during the rebuild.
      if (looks === 1) append();
      return { ...progress, segments: [progress, { ...progress, sequence: 1 }] };
    };
    await rebuilt();
    expect(replace.mock.calls.map(([, , , by]) => by.sequence)).toEqual([1]);
  });
});

describe('a rebuild that cannot start', () => {
  it('is reported as failed, with the streams that it could not count', async () => {
    append();
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(rebuilt({ signal })).rejects.toThrow('cancelled');
    expect(eventNames()).toEqual(['PerspectiveRebuildStarted', 'PerspectiveRebuildFailed']);
    expect(emitted[0]).toMatchObject({ mode: RebuildMode.BlueGreen, totalStreams: 0 });
    expect(reads).toEqual([]);
  });

  it('is not reported if its options are invalid', async () => {
    for (const options of [{ eventsPerSecond: 0 }, { eventsPerSecond: 1, mode: RebuildMode.InPlace }]) {
      await expect(rebuilt(options)).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
    }
    expect(emitted).toEqual([]);
  });
});

describe('a rebuild of selected streams', () => {
  it('reads nothing of the next stream once it is cancelled', async () => {
    const streams = [append(), append()];
    await catchUp(named, { into: 'Notes', isShared: true, signal: undefined }, parts);
    const cancel = new AbortController();
    const onProgress = ({ processedStreams }: RebuildProgress): void => {
      if (processedStreams === 0) return;
      cancel.abort(new Error('cancelled'));
      reads.length = 0;
    };
    await expect(rebuilt({ streams, signal: cancel.signal, onProgress })).rejects.toThrow('cancelled');
    expect(reads).toEqual([]);
    expect(emitted.at(-1)).toMatchObject({ streamsProcessedBeforeFailure: 1, error: 'Error: cancelled' });
  });

  it('ignores the streams that another mode does not need', async () => {
    const streams = [append()];
    append();
    expect(await rebuilt({ streams, mode: RebuildMode.BlueGreen })).toEqual({ streamsProcessed: 2, eventsReplayed: 2 });
    expect(await rebuilt({ streams })).toEqual({ streamsProcessed: 1, eventsReplayed: 1 });
  });

  it('does not wait after the last one', async () => {
    const streams = [append(), append(), append()];
    await catchUp(named, { into: 'Notes', isShared: true, signal: undefined }, parts);
    const waits: number[] = [];
    const clock = { now: () => 0, wait: (ms: number) => Promise.resolve(void waits.push(ms)) };
    await rebuild(named, { streams, eventsPerSecond: 1 }, { ...parts, clock });
    expect(waits).toEqual([1_000, 2_000]);
  });
});
