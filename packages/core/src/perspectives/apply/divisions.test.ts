import { describe, expect, it, vi } from 'vitest';
import {
  behindEverything,
  InMemoryPerspectives,
  PerspectiveMovedError,
  type HeldLease,
  type PerspectiveStorage,
} from '../../storage/index.js';
import { Divisions, furthestBehind, mostSegments, segmentsFor } from './divisions.js';
import { nameOfWork, partsOf, workOfName } from './perspective-work.js';
import { perspectiveHolders } from './work-share.js';

it('has a power of two of segments, at most one for each host, with a limit', () => {
  expect([1, 2, 3, 6, 7].map(segmentsFor)).toEqual([2, 2, 4, 4, 8]);
  expect(segmentsFor(1_000)).toBe(mostSegments);
});

it('finds the whole perspective that is furthest behind', () => {
  const [near, far, divided] = [
    { perspective: 'A', segments: 1, sequence: 9 },
    { perspective: 'B', segments: 1, sequence: 4 },
    { perspective: 'C', segments: 2, sequence: 1 },
  ] as const;
  expect(furthestBehind([near, far, divided])).toBe('B');
  expect(furthestBehind([divided])).toBeUndefined();
});

it('recognizes work by the name of its lease, whatever the name of the perspective', () => {
  const all = [...partsOf('Orders', 1), ...partsOf('Orders', 4), ...partsOf('a#1/2 b', 2), ...partsOf('x/y', 1)];
  expect(all.map((work) => workOfName(nameOfWork(work)))).toEqual(all);
  expect(nameOfWork(all[2]!)).toBe('Orders#1/4');
});

/** Perspectives of a database that can divide them. Nothing else of it counts here. */
function dividing(divideAfterMs: number) {
  const segments: NonNullable<PerspectiveStorage['segments']> = {
    divideAfterMs,
    divide: () => Promise.resolve(true),
    unite: () => Promise.resolve(true),
    readStandings: () => Promise.resolve([]),
  };
  return Object.assign(new InMemoryPerspectives(), { segments });
}

describe('divisions', () => {
  const whole = { sequence: 5, revision: 1 };

  it('are not possible without segments in the storage', async () => {
    const divisions = new Divisions(new InMemoryPerspectives());
    expect(divisions.arePossible).toBe(false);
    expect(divisions.afterMs).toBe(Infinity);
    expect(await divisions.read('A')).toMatchObject({ perspective: 'A', segments: 1 });
  });

  it('report how many segments a perspective has, and where it is', async () => {
    const storage = dividing(7);
    const divisions = new Divisions(storage);
    expect([divisions.arePossible, divisions.afterMs]).toEqual([true, 7]);
    const read = vi.spyOn(storage, 'readProgress').mockResolvedValueOnce(whole);
    expect(await divisions.read('A')).toEqual({ perspective: 'A', segments: 1, sequence: 5 });
    read.mockResolvedValueOnce({ ...whole, segments: [whole, whole, whole, whole] });
    expect(await divisions.read('A')).toEqual({ perspective: 'A', segments: 4, sequence: 5 });
  });

  it('leave alone a perspective that is divided, replaced, or changed by another host', async () => {
    const storage = dividing(0);
    const divisions = new Divisions(storage);
    const divide = vi.spyOn(storage.segments, 'divide');
    const progress = vi.spyOn(storage, 'readProgress');
    progress.mockResolvedValueOnce({ ...whole, segments: [whole, whole] });
    expect(await divisions.divide('A', 4)).toBe(false);
    progress.mockResolvedValueOnce({ ...whole, sequence: behindEverything });
    expect(await divisions.divide('A', 4)).toBe(false);
    expect(divide).not.toHaveBeenCalled();
    divide.mockRejectedValueOnce(new PerspectiveMovedError('A', 1, 2));
    expect(await divisions.divide('A', 4)).toBe(false);
    divide.mockRejectedValueOnce(new Error('The database is away.'));
    await expect(divisions.divide('A', 4)).rejects.toThrow('away');
    expect(await divisions.divide('A', 4)).toBe(true);
    expect(await divisions.unite('A')).toBe(true);
  });
});

describe('the hosts of perspectives', () => {
  const lease = (lane: string): HeldLease => ({ lane, holder: 'h', process: 'p', isOwn: false, expiresInMs: 1 });

  it('are found by the lanes of all versions, with the segments', () => {
    const lanes = [
      'perspectives/v1/of/A',
      'perspectives/v2/of/B#1/4',
      'perspectives/v1/host/1',
      'perspectives/v1/fill/0 {}',
      'other/perspectives/v1/of/A',
    ];
    expect(perspectiveHolders(lanes.map(lease))).toEqual([
      { perspective: 'A', process: 'p' },
      { perspective: 'B', segment: { index: 1, of: 4 }, process: 'p' },
    ]);
  });
});
