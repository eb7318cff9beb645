import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, wrap } from '../../messages/index.js';
import { EventLog, InMemoryPerspectives, InMemoryStorage } from '../../storage/index.js';
import { NoOpSystemEventEmitter, RebuildMode } from '../../system-events/index.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { Pace, systemClock, type Clock } from './pace.js';
import { rebuild, type RebuildOptions } from './rebuild.js';

/** Time passes only during a wait. */
class StandingClock implements Clock {
  ms = 0;
  now(): number {
    return this.ms;
  }
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.ms += ms;
    return Promise.resolve();
  }
}

describe('a pace', () => {
  it('waits after each batch for as long as its events may take', async () => {
    const clock = new StandingClock();
    const pace = new Pace(50, clock);
    for (let i = 0; i < 10; i++) await pace.took(25);
    expect(clock.ms).toBe(5_000);
  });

  it('does not accumulate unused time', async () => {
    const clock = new StandingClock();
    const pace = new Pace(100, clock);
    clock.ms = 60_000;
    await pace.took(10);
    await pace.took(100);
    expect(clock.ms).toBe(61_000);
  });

  it('does not wait without a limit', async () => {
    const clock = new StandingClock();
    const pace = new Pace(undefined, clock);
    await pace.took(1_000_000);
    expect([clock.ms, pace.mostAtOnce]).toEqual([0, Infinity]);
  });

  it('stops waiting when its signal aborts', async () => {
    const controller = new AbortController();
    const waiting = new Pace(1).took(1_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(new Pace(1).took(1_000, controller.signal)).rejects.toThrow('enough');
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('rejects %s events per second', (eventsPerSecond) => {
    expect(() => new Pace(eventsPerSecond)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
  });
});

describe('the moment at which a batch may start', () => {
  /** A clock that only the test moves. */
  function standing() {
    const waits: number[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    const clock = {
      ms: 1_000,
      now: () => clock.ms,
      wait: (ms: number, signal?: AbortSignal) => {
        waits.push(ms);
        signals.push(signal);
        clock.ms += ms;
        return Promise.resolve();
      },
    };
    return { clock, waits, signals };
  }

  it('is now if exactly the time of the previous batch has passed', async () => {
    const { clock, waits } = standing();
    const pace = new Pace(10, clock);
    clock.ms += 500;
    await pace.took(5);
    expect(waits).toEqual([]);
    await pace.took(5);
    expect(waits).toEqual([500]);
  });

  it('is the rest of the time of the previous batch otherwise', async () => {
    const { clock, waits, signals } = standing();
    const pace = new Pace(10, clock);
    const { signal } = new AbortController();
    clock.ms += 200;
    await pace.took(5, signal);
    expect([waits, signals]).toEqual([[300], [signal]]);
    await pace.took(0);
    expect(waits).toEqual([300]);
    clock.ms += 700;
    await pace.took(1);
    await pace.took(1);
    expect(waits).toEqual([300, 100]);
  });

  it('limits a batch to the events of one second', () => {
    expect(new Pace(7).mostAtOnce).toBe(7);
    expect(() => new Pace(Number.MAX_SAFE_INTEGER + 1)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
    expect(new Pace(1).mostAtOnce).toBe(1);
  });
});

describe('the clock of this machine', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('counts milliseconds, and waits for that long', async () => {
    const start = systemClock.now();
    let isOver = false;
    const waiting = systemClock.wait(250).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(249);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(systemClock.now() - start).toBe(250);
  });

  it('leaves no listener at a signal after a wait', async () => {
    const { signal } = new AbortController();
    const waiting = systemClock.wait(250, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(250);
    await waiting;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves neither a timer nor a listener when its signal aborts', async () => {
    const cancel = new AbortController();
    const waiting = systemClock.wait(250, cancel.signal);
    cancel.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect([vi.getTimerCount(), getEventListeners(cancel.signal, 'abort')]).toEqual([0, []]);
    await expect(systemClock.wait(250, cancel.signal)).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a rebuild', () => {
  const total = 130;
  const streams = Array.from({ length: 5 }, () => newId());

  /** When each event was applied. */
  async function applied(options: RebuildOptions): Promise<number[]> {
    const clock = new StandingClock();
    const times: number[] = [];
    const log = new EventLog(new InMemoryStorage(), trialMessages);
    for (let i = 0; i < total; i++) {
      const streamId = streams[i % streams.length]!;
      const events = [log.eventRecord(streamId, wrap('test.Noted', new Noted(), { streamId }))];
      await log.commit({ events, outgoing: [], delivered: null, received: [] });
    }
    const named = namedPerspective({
      events: [Noted],
      perspective: {
        apply: (model: object | null) => {
          times.push(clock.ms);
          return model ?? {};
        },
      },
    });
    const storage = new InMemoryPerspectives();
    const emitter = new NoOpSystemEventEmitter();
    const parts = { log, storage, emitter, mayTouch: () => Promise.resolve(true), helpers: () => null, clock };
    await rebuild(named, { mode: RebuildMode.InPlace }, parts);
    times.length = 0;
    const { eventsReplayed } = await rebuild(named, options, parts);
    expect(eventsReplayed).toBe(total);
    return times;
  }

  // SelectedStreams rebuilds a stream without a pause, and waits after it.
  it.each([
    [RebuildMode.BlueGreen, 0],
    [RebuildMode.SelectedStreams, total / streams.length],
  ])(
    '%s replays no more events per second than the limit, except %i that are replayed without a pause',
    async (mode, atOnce) => {
      const eventsPerSecond = 40;
      const times = await applied({ mode, streams, eventsPerSecond });
      expect(times).toHaveLength(total);
      for (const [i, at] of times.entries()) {
        const later = times.filter((time, n) => n > i && time < at + 1_000);
        expect(later.length).toBeLessThan(eventsPerSecond + atOnce);
      }
      expect(times.at(-1)).toBeGreaterThan(((total - eventsPerSecond - atOnce) / eventsPerSecond) * 1_000 - 1);
      expect(times.at(-1)).toBeLessThanOrEqual((total / eventsPerSecond) * 1_000);
    },
  );

  it('rejects a limit in the mode InPlace', async () => {
    await expect(applied({ mode: RebuildMode.InPlace, eventsPerSecond: 40 })).rejects.toMatchObject({
      code: 'SVC_INVALID_VALUE',
    });
  });
});
