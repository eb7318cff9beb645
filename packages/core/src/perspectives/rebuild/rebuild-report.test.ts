import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { durationOf, parseJson } from '../../json/index.js';
import { MessageRegistry } from '../../messages/index.js';
import { registry } from '../../generated/registry.js';
import {
  NoOpSystemEventEmitter,
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  RebuildMode,
  type EmitOptions,
  type SystemEventEmitter,
} from '../../system-events/index.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { batchSize } from './catch-up.js';
import { RebuildReport, type RebuildProgress } from './rebuild-report.js';

const hour = 3_600_000;
afterEach(() => void vi.useRealTimers());

it('reports durations and progress that do not depend on the clock, which may be set back during a rebuild', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const events: object[] = [];
  const report = new RebuildReport(emitterTo(events), 'Orders', RebuildMode.InPlace);
  await report.started(1);
  vi.advanceTimersByTime(1_500);
  vi.setSystemTime(Date.now() - hour);
  await report.progress(0, 10);
  await report.completed();
  await report.failed(new Error('x'));
  const told = (type: new () => object) => events.filter((event) => event instanceof type);
  expect(told(PerspectiveRebuildProgress), 'the last one with the end').toHaveLength(2);
  const messages = new MessageRegistry(registry.messages);
  for (const event of [...told(PerspectiveRebuildCompleted), ...told(PerspectiveRebuildFailed)]) {
    expect(event).toMatchObject({ duration: 'PT1.5S' });
    const { type, write } = messages.of(event);
    expect(messages.readStoredMessage(type, parseJson(write(event)), {})).toEqual(event);
  }
});

it('reports the start of a rebuild that fails before it has started', async () => {
  const types: string[] = [];
  const emitter: SystemEventEmitter = Object.assign(new NoOpSystemEventEmitter(), {
    emit: (event: object) => Promise.resolve(void types.push(event.constructor.name)),
  });
  await new RebuildReport(emitter, 'Orders', RebuildMode.BlueGreen).failed(new Error('no streams could be counted'));
  expect(types).toEqual(['PerspectiveRebuildStarted', 'PerspectiveRebuildFailed']);
});

it('reports a start once if the response to its first report is lost', async () => {
  const started: (string | undefined)[] = [];
  const emitter: SystemEventEmitter = Object.assign(new NoOpSystemEventEmitter(), {
    emit: async (event: object, options?: EmitOptions) => {
      if (!(event instanceof PerspectiveRebuildStarted)) return;
      started.push(options?.id);
      if (started.length === 1) throw new Error('the connection was lost');
    },
  });
  const report = new RebuildReport(emitter, 'Orders', RebuildMode.BlueGreen);
  const lost = report.started(2);
  await expect(lost).rejects.toThrow('the connection was lost');
  await report.failed(await lost.catch((error: unknown) => error));
  expect(started).toEqual([started[0], started[0]]);
  expect(started[0], 'the storage recognizes it').toBeDefined();
});

it('durationOf returns no negative duration, which ISO 8601 does not have', () => {
  expect(durationOf(-hour)).toBe('PT0S');
});

describe('the progress of a rebuild', () => {
  let events: object[];
  let seen: RebuildProgress[];
  let report: RebuildReport;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    vi.advanceTimersByTime(10 * hour);
    [events, seen] = [[], []];
    report = new RebuildReport(
      emitterTo(events),
      'Orders',
      RebuildMode.BlueGreen,
      (progress) => void seen.push(progress),
    );
  });
  const told = (): number[] =>
    events.filter((event) => event instanceof PerspectiveRebuildProgress).map((event) => event.processedStreams);

  it('is emitted before another batch could exceed a thousand streams since the last time', async () => {
    await report.started(3_000);
    await report.progress(1_000 - batchSize, 1);
    expect(told()).toEqual([]);
    await report.progress(1_001 - batchSize, 2);
    expect(told()).toEqual([501]);
    await report.progress(1_001, 3);
    expect(told()).toEqual([501]);
    await report.progress(1_002, 4);
    expect(told()).toEqual([501, 1_002]);
    expect(seen.map(({ processedStreams }) => processedStreams)).toEqual([0, 500, 501, 1_001, 1_002]);
  });

  it('is emitted a second after the last time', async () => {
    await report.started(10);
    vi.advanceTimersByTime(999);
    await report.progress(1, 1);
    expect(told()).toEqual([]);
    vi.advanceTimersByTime(1);
    await report.progress(2, 2);
    expect(told()).toEqual([2]);
    vi.advanceTimersByTime(999);
    await report.progress(3, 3);
    expect(told()).toEqual([2]);
    vi.advanceTimersByTime(1);
    await report.progress(4, 4);
    expect(told()).toEqual([2, 4]);
  });

  it('has the same stream, name and mode in all events, and the totals at the end', async () => {
    const startedAt = new Date();
    await report.started(2);
    await report.progress(2, 7);
    vi.advanceTimersByTime(2_500);
    await report.completed();
    const [started] = events as PerspectiveRebuildStarted[];
    const common = { streamId: started!.streamId, perspectiveName: 'Orders', mode: RebuildMode.BlueGreen };
    expect(events).toMatchObject([
      { ...common, totalStreams: 2, startedAt },
      { ...common, processedStreams: 2, totalStreams: 2, eventsReplayed: 7, startedAt },
      { ...common, streamsProcessed: 2, eventsReplayed: 7, duration: 'PT2.5S' },
    ]);
    expect(report.result).toEqual({ streamsProcessed: 2, eventsReplayed: 7 });
  });

  it('is in the report of a failure', async () => {
    await report.started(2);
    await report.progress(1, 3);
    vi.advanceTimersByTime(1_000);
    await report.failed(new TypeError('no'));
    expect(events.map((event) => event.constructor.name)).toEqual([
      'PerspectiveRebuildStarted',
      'PerspectiveRebuildFailed',
    ]);
    expect(events[1]).toMatchObject({
      perspectiveName: 'Orders',
      error: 'TypeError: no',
      streamsProcessedBeforeFailure: 1,
      duration: 'PT1S',
    });
  });
});
