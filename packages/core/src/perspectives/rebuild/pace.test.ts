import { describe, expect, it } from 'vitest';
import { newId, MessageRegistry, wrap } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import { EventLog, InMemoryPerspectives, InMemoryStorage } from '../../storage/index.js';
import { NoOpSystemEventEmitter, RebuildMode } from '../../system-events/index.js';
import { ModelOwners } from '../model-owner.js';
import { Pace, type Clock } from './pace.js';
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

class Counted {}

describe('a rebuild', () => {
  const total = 130;
  const streams = Array.from({ length: 5 }, () => newId());

  /** When each event was applied. */
  async function applied(options: RebuildOptions): Promise<number[]> {
    const clock = new StandingClock();
    const times: number[] = [];
    const messages = new MessageRegistry([
      { type: 'Counted', kind: 'event', class: Counted, read: () => new Counted(), write: () => '{}' },
    ]);
    const log = new EventLog(new InMemoryStorage(), messages);
    for (let i = 0; i < total; i++) {
      const streamId = streams[i % streams.length]!;
      const events = [log.eventRecord(streamId, wrap('Counted', new Counted(), { streamId }))];
      await log.commit({ events, outgoing: [], delivered: null, received: [] });
    }
    const named = {
      name: 'Counts',
      events: [Counted],
      columns: [],
      owners: new ModelOwners(ScopeFilters.None),
      perspective: {
        apply: (model: object | null) => {
          times.push(clock.ms);
          return model ?? {};
        },
      },
      readModel: (value: unknown) => value as object,
      writeModel: JSON.stringify,
    };
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
