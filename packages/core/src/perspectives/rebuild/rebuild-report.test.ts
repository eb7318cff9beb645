import { afterEach, expect, it, vi } from 'vitest';
import { durationOf, parseJson } from '../../json/index.js';
import { MessageRegistry } from '../../messages/index.js';
import { registry } from '../../generated/registry.js';
import {
  NoOpSystemEventEmitter,
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  RebuildMode,
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

it('durationOf returns no negative duration, which ISO 8601 does not have', () => {
  expect(durationOf(-hour)).toBe('PT0S');
});
