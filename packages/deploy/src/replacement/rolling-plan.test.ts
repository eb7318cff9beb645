import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rollingStep } from './rolling-plan.js';

/** Simulates an update. Started instances become ready before the next step. */
function play(
  wanted: number,
  limits: { maxUnavailable: number; maxSurge: number },
  unready = 0,
): { least: number; most: number } {
  let oldReady = wanted - unready;
  let oldUnready = unready;
  let newReady = 0;
  let least = wanted;
  let most = wanted;
  while (oldReady + oldUnready > 0 || newReady < wanted) {
    const state = { wanted, oldReady, oldUnready, newReady, newStarting: 0 };
    const { start, stopReady, stopUnready } = rollingStep(state, limits);
    if (start + stopReady + stopUnready === 0) throw new Error('stuck');
    // The worst case: all stopping instances are gone, no starting instance is ready.
    if (stopReady > 0) least = Math.min(least, oldReady - stopReady + newReady);
    most = Math.max(most, oldReady + oldUnready + newReady + start);
    oldReady -= stopReady;
    oldUnready -= stopUnready;
    newReady += start;
  }
  return { least, most };
}

describe('a rolling update', () => {
  it('of 10 instances with 1 unavailable and 2 extra always has 9 ready and never more than 12', () => {
    expect(play(10, { maxUnavailable: 1, maxSurge: 2 })).toMatchObject({ least: 9, most: 12 });
  });

  it('stays within any limits and ends, however many instances are not ready', () => {
    const count = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), count, count, count, (wanted, maxUnavailable, maxSurge, unready) => {
        fc.pre(maxUnavailable + maxSurge > 0 && unready <= wanted);
        const { least, most } = play(wanted, { maxUnavailable, maxSurge }, unready);
        expect(least).toBeGreaterThanOrEqual(Math.max(0, wanted - maxUnavailable));
        expect(most).toBeLessThanOrEqual(wanted + maxSurge);
      }),
    );
  });

  it('stops unready instances first, and ready ones only after their replacement', () => {
    const limits = { maxUnavailable: 1, maxSurge: 0 };
    const state = { wanted: 2, oldReady: 1, oldUnready: 1, newReady: 0, newStarting: 0 };
    expect(rollingStep(state, limits)).toEqual({ start: 0, stopReady: 0, stopUnready: 1 });
    expect(rollingStep({ ...state, oldUnready: 0, newStarting: 1 }, limits)).toEqual({
      start: 0,
      stopReady: 0,
      stopUnready: 0,
    });
  });

  it('stops only a few instances when none is ready, because that may be temporary', () => {
    const state = { wanted: 10, oldReady: 0, oldUnready: 10, newReady: 0, newStarting: 0 };
    expect(rollingStep(state, { maxUnavailable: 1, maxSurge: 2 })).toEqual({ start: 2, stopReady: 0, stopUnready: 1 });
  });
});
