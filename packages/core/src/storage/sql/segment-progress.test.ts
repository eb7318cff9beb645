import { describe, expect, it } from 'vitest';
import { behindEverything } from '../log/event-log.js';
import { progressOf, recordedProgress } from './segment-progress.js';

type Part = readonly [sequence: number, revision: number, transaction: string | null];
const divided = (revision: number, ...parts: readonly Part[]) =>
  progressOf({ sequence: 1, revision }, JSON.stringify(parts));

describe('the progress of tables', () => {
  it('that are whole is the recorded one', () => {
    expect(progressOf({ sequence: 5, revision: 3 }, null)).toEqual({ sequence: 5, revision: 3, segments: [] });
  });

  it('that are divided is that of the segment furthest behind, wherever it is', () => {
    const parts: Part[] = [
      [7, 3, null],
      [5, 3, null],
      [9, 3, null],
    ];
    for (const order of [parts, parts.toReversed(), [parts[1]!, parts[0]!, parts[2]!]]) {
      expect(divided(3, ...order).sequence).toBe(5);
      expect(divided(3, ...order).segments.map(({ sequence }) => sequence)).toEqual(
        order.map(([sequence]) => sequence),
      );
    }
  });

  it('that are divided follows the order of transactions, where sequence numbers do not ascend', () => {
    expect(divided(0, [9, 0, '100'], [4, 0, '200']).sequence).toBe(9);
    expect(divided(0, [4, 0, '200'], [9, 0, '100']).sequence).toBe(9);
    // Transactions are numbers: the text '99' is greater than '100'.
    expect(divided(0, [9, 0, '99'], [4, 0, '100']).sequence).toBe(9);
  });

  it('is at the beginning while one segment has processed nothing, even if another one has a transaction of zero', () => {
    expect(divided(0, [3, 0, '0'], [-1, 0, null]).sequence).toBe(-1);
    expect(divided(0, [-1, 0, '500'], [3, 0, '0']).sequence).toBe(-1);
    expect(divided(0, [0, 0, null], [2, 0, null]).sequence).toBe(0);
  });

  it('has a revision that each commit to a segment increases by one', () => {
    expect(divided(10, [1, 10, null], [1, 10, null]).revision).toBe(10);
    expect(divided(10, [1, 12, null], [1, 11, null], [1, 10, null])).toMatchObject({
      revision: 13,
      segments: [{ revision: 12 }, { revision: 11 }, { revision: 10 }],
    });
  });
});

describe('what a reader learns of recorded progress', () => {
  const whole = { sequence: 5, revision: 3, segments: [], generation: 'g', changed: 2 };
  const segments = [
    { sequence: 5, revision: 4 },
    { sequence: 8, revision: 6 },
  ];
  const parted = { ...whole, segments };

  it('of whole tables is the revision that last changed a model', () => {
    expect(recordedProgress(whole, undefined)).toEqual({ sequence: 5, revision: 3, generation: 'g', changed: 2 });
  });

  it('of divided tables is the progress of their segments', () => {
    expect(recordedProgress(parted, undefined)).toEqual({ sequence: 5, revision: 3, generation: 'g', segments });
  });

  it('of a segment is its own progress', () => {
    expect(recordedProgress(parted, { index: 1, of: 2 })).toEqual({ sequence: 8, revision: 6 });
  });

  it.each([
    ['whole tables', whole, { index: 0, of: 2 }],
    ['another division', parted, { index: 1, of: 4 }],
  ])('of a segment of %s is that it has no events to process', (_what, progress, segment) => {
    expect(recordedProgress(progress, segment)).toEqual({ sequence: behindEverything, revision: 0 });
  });
});
