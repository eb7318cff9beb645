/** The fields of the rebuild events: of a rebuild that completed, and of one that was given up half way. */
import {
  createService,
  newId,
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  RebuildMode,
  type RebuildProgress,
  type Service,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { expect } from 'vitest';
import { NoteTrace, OrderTrace, place, traces } from '../perspectives/perspective-shop.js';
import { records, shopRegistry } from '../system-events/shop.js';
import { anyUuid, describeRecords, isBetween, millisecondsOf, whileRunning, type Rows } from './recorded.js';

interface Recorded {
  /** Of the rebuild that completed, then of the one that was given up. */
  readonly started: readonly PerspectiveRebuildStarted[];
  /** Of the one that completed; how often it is told depends on the time. */
  readonly progress: readonly PerspectiveRebuildProgress[];
  readonly completed: readonly PerspectiveRebuildCompleted[];
  readonly failed: readonly PerspectiveRebuildFailed[];
  /** When each of them began and ended. */
  readonly between: readonly (readonly [Date, Date])[];
}

/** So that every rebuild takes a while. */
const leastMs = 20;
const block = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leastMs);

/** Whether a rebuild took as long as it says. */
function isDuration(duration: string, [began, ended]: readonly [Date, Date]): boolean {
  const took = millisecondsOf(duration);
  return took >= leastMs && took <= ended.getTime() - began.getTime() + 1;
}

async function recordOn(storage: Storage): Promise<Recorded> {
  const service = createService({ ...shopRegistry(), perspectives: traces })
    .useStorage(storage)
    .addSystemEvents((options) => options.enablePerspectiveEvents())
    .addServicePerspectives()
    .start();
  return await whileRunning(service, async () => {
    const streams = [newId(), newId()];
    for (const note of ['a', 'b', 'c']) for (const orderId of streams) await place(service, note, orderId);
    await service.idle();
    const began = new Date();
    await service.rebuildPerspective(OrderTrace, { mode: RebuildMode.InPlace, onProgress: block });
    const given = new Date();
    const enough = new AbortController();
    const onProgress = ({ processedStreams }: RebuildProgress): void => {
      block();
      if (processedStreams === 1) enough.abort(new Error('enough'));
    };
    const rebuilding = service.rebuildPerspective(NoteTrace, { streams, signal: enough.signal, onProgress });
    await expect(rebuilding).rejects.toThrow('enough');
    return {
      ...(await rebuildEvents(service)),
      between: [
        [began, given],
        [given, new Date()],
      ],
    };
  });
}

async function rebuildEvents(service: Service): Promise<Omit<Recorded, 'between'>> {
  const started = await records(service, PerspectiveRebuildStarted);
  const progress = await records(service, PerspectiveRebuildProgress);
  return {
    started,
    progress: progress.filter(({ streamId }) => streamId === started[0]!.streamId),
    completed: await records(service, PerspectiveRebuildCompleted),
    failed: await records(service, PerspectiveRebuildFailed),
  };
}

const rows: Rows<Recorded> = {
  'StreamId: one for all events of a rebuild': ({ started, progress, completed, failed }) => {
    const [first, second] = started.map(({ streamId }) => streamId);
    expect([first, second]).toEqual([expect.stringMatching(anyUuid), expect.stringMatching(anyUuid)]);
    expect(first).not.toBe(second);
    expect([...completed, ...failed].map(({ streamId }) => streamId)).toEqual([first, second]);
    expect(progress.length).toBeGreaterThan(0);
  },
  'PerspectiveName: the perspective that is rebuilt': ({ started, progress, completed, failed }) => {
    const names = ['OrderTrace', 'NoteTrace'];
    expect(started.map(({ perspectiveName }) => perspectiveName)).toEqual(names);
    expect([...completed, ...failed].map(({ perspectiveName }) => perspectiveName)).toEqual(names);
    expect(new Set(progress.map(({ perspectiveName }) => perspectiveName))).toEqual(new Set(['OrderTrace']));
  },
  'PerspectiveRebuildStarted.Mode: how it is rebuilt': ({ started }) =>
    expect(started.map(({ mode }) => mode)).toEqual(['InPlace', 'SelectedStreams']),
  'PerspectiveRebuildStarted.TotalStreams: streams to process': ({ started }) =>
    expect(started.map(({ totalStreams }) => totalStreams)).toEqual([2, 2]),
  'PerspectiveRebuildStarted.StartedAt: when it began': ({ started, between }) =>
    expect(started.map(({ startedAt }, i) => isBetween(startedAt, between[i]!))).toEqual([true, true]),
  'PerspectiveRebuildProgress.Mode: how it is rebuilt': ({ progress }) => expect(progress.at(-1)!.mode).toBe('InPlace'),
  'PerspectiveRebuildProgress.ProcessedStreams: streams processed so far': ({ progress }) =>
    expect(progress.at(-1)!.processedStreams).toBe(2),
  'PerspectiveRebuildProgress.TotalStreams: streams to process': ({ progress }) =>
    expect(progress.at(-1)!.totalStreams).toBe(2),
  'PerspectiveRebuildProgress.EventsReplayed: events replayed so far': ({ progress }) =>
    expect(progress.at(-1)!.eventsReplayed).toBe(6),
  'PerspectiveRebuildProgress.StartedAt: when it began': ({ progress, started: [first] }) =>
    expect(progress.at(-1)!.startedAt).toEqual(first!.startedAt),
  'PerspectiveRebuildCompleted.Mode: how it was rebuilt': ({ completed }) =>
    expect(completed.map(({ mode }) => mode)).toEqual(['InPlace']),
  'PerspectiveRebuildCompleted.StreamsProcessed: streams in all': ({ completed: [only] }) =>
    expect(only!.streamsProcessed).toBe(2),
  'PerspectiveRebuildCompleted.EventsReplayed: events in all': ({ completed: [only] }) =>
    expect(only!.eventsReplayed).toBe(6),
  'PerspectiveRebuildCompleted.Duration: how long it took': ({ completed: [only], between }) =>
    expect(isDuration(only!.duration, between[0]!)).toBe(true),
  'PerspectiveRebuildFailed.Mode: how it was rebuilt': ({ failed }) =>
    expect(failed.map(({ mode }) => mode)).toEqual(['SelectedStreams']),
  'PerspectiveRebuildFailed.Error: what failed': ({ failed: [only] }) => expect(only!.error).toBe('Error: enough'),
  'PerspectiveRebuildFailed.StreamsProcessedBeforeFailure: streams processed by then': ({ failed: [only] }) =>
    expect(only!.streamsProcessedBeforeFailure).toBe(1),
  'PerspectiveRebuildFailed.Duration: how long it took': ({ failed: [only], between }) =>
    expect(isDuration(only!.duration, between[1]!)).toBe(true),
};

describeRecords(recordOn, rows);
