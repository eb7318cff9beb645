import { afterEach, expect, it, vi } from 'vitest';
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
import { RebuildReport } from './rebuild-report.js';

const hour = 3_600_000;
afterEach(() => void vi.useRealTimers());

it('reports durations and progress that do not depend on the clock, which may be set back during a rebuild', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const events: object[] = [];
  const emitter: SystemEventEmitter = Object.assign(new NoOpSystemEventEmitter(), {
    emit: (event: object) => Promise.resolve(void events.push(event)),
  });
  const report = new RebuildReport(emitter, 'Orders', RebuildMode.InPlace);
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
