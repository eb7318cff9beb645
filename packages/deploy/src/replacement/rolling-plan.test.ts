import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rollingStep } from './rolling-plan.js';

/** Plays an update through; instances that were started become ready before the next step. */
function play(
  wanted: number,
  limits: { maxUnavailable: number; maxSurge: number },
): { least: number; most: number; steps: number } {
  let old = wanted;
  let newReady = 0;
  let least = wanted;
  let most = wanted;
  let steps = 0;
  while (old > 0 || newReady < wanted) {
    const { start, stop } = rollingStep({ wanted, old, newReady, newStarting: 0 }, limits);
    if (start === 0 && stop === 0) throw new Error('stuck');
    // The worst of the moment: everything that leaves has left, nothing that comes is ready.
    least = Math.min(least, old - stop + newReady);
    most = Math.max(most, old + newReady + start);
    old -= stop;
    newReady += start;
    steps += 1;
  }
  return { least, most, steps };
}

describe('a rolling update', () => {
  it('of 10 with at most 1 unavailable and at most 2 extra keeps 9 ready and never has more than 12', () => {
    expect(play(10, { maxUnavailable: 1, maxSurge: 2 })).toMatchObject({ least: 9, most: 12 });
  });

  it('stays within its limits and comes to an end, whatever they are', () => {
    const count = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), count, count, (wanted, maxUnavailable, maxSurge) => {
        fc.pre(maxUnavailable + maxSurge > 0);
        const { least, most } = play(wanted, { maxUnavailable, maxSurge });
        expect(least).toBeGreaterThanOrEqual(Math.max(0, wanted - maxUnavailable));
        expect(most).toBeLessThanOrEqual(wanted + maxSurge);
      }),
    );
  });
});
