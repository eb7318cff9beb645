import { expect, it } from 'vitest';
import { mostSegments, segmentsFor } from './divisions.js';
import { nameOfWork, partsOf, workOfName } from './perspective-work.js';

it('has a power of two of segments, at most one for each host, with a limit', () => {
  expect([1, 2, 3, 6, 7].map(segmentsFor)).toEqual([2, 2, 4, 4, 8]);
  expect(segmentsFor(1_000)).toBe(mostSegments);
});

it('recognizes work by the name of its lease, whatever the name of the perspective', () => {
  const all = [...partsOf('Orders', 1), ...partsOf('Orders', 4), ...partsOf('a#1/2 b', 2), ...partsOf('x/y', 1)];
  expect(all.map((work) => workOfName(nameOfWork(work)))).toEqual(all);
  expect(nameOfWork(all[2]!)).toBe('Orders#1/4');
});
