import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../messages/index.js';
import { leasesOf, type EventLog, type StoppedStream } from '../../storage/index.js';
import { ResumingStreams, type ResumingParts } from './resuming-streams.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Streams at which a perspective has stopped. The first `unreadable` ones are at events that this host cannot read either. */
function stoppedAt(count: number, unreadable = 0, names = ['Orders']) {
  let stopped = Array.from({ length: count }, (): StoppedStream => {
    const error = { errorName: 'SVC_EVENT_VERSION_UNKNOWN', errorMessage: '', attempts: 1 };
    return { streamId: newId(), eventId: newId(), position: 0, ...error };
  });
  const alwaysStopped = stopped.slice(0, unreadable);
  const tooNew = new Set(alwaysStopped.map(({ eventId }) => eventId));
  const state = { reads: 0, rebuilds: 0, left: () => stopped.length };
  const log = {
    findRecord: (id: string) => Promise.resolve({ id }),
    toEvent({ id }: { id: string }) {
      state.reads++;
      if (tooNew.has(id as never)) throw new Error('It has version 3.');
    },
  } as unknown as EventLog;
  const perspectives: ResumingParts['perspectives'] = {
    names,
    canRebuild: () => Promise.resolve(true),
    readStopped: (name) => Promise.resolve(name === 'Orders' ? stopped : alwaysStopped),
    rebuild(_name, { streams = [] }) {
      state.rebuilds++;
      stopped = stopped.filter(({ streamId }) => !streams.includes(streamId));
      return Promise.resolve({ streamsProcessed: streams.length, eventsReplayed: 0 });
    },
  };
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  return { state, reported, resuming: new ResumingStreams({ perspectives, log, leases: leasesOf({}), report }) };
}

it('resumes any number of streams soon', async () => {
  const { state, reported, resuming } = stoppedAt(1_200);
  resuming.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([state.left(), state.rebuilds]).toEqual([0, 3]);
  expect(reported).toEqual([]);
  resuming.stop();
});

it('reads few events at a time that it cannot read, and resumes the others', async () => {
  const { state, resuming } = stoppedAt(2_000, 1_900);
  resuming.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.reads).toBeLessThanOrEqual(1_000);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(state.left()).toBe(1_900);
  const { reads } = state;
  resuming.stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(state.reads).toBe(reads);
});

it('looks at all streams of each perspective', async () => {
  const { state, resuming } = stoppedAt(620, 600, ['Orders', 'Customers']);
  resuming.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(state.left()).toBe(600);
  resuming.stop();
});
