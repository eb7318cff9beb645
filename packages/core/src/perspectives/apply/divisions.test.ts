import { expect, it } from 'vitest';
import { mostSegments, segmentsFor } from './divisions.js';
import { nameOfWork, partsOf, workOfName } from './perspective-work.js';

it('has two segments or more for each host, as a power of two with a limit', () => {
  expect(segmentsFor(2, 1)).toBe(4);
  expect(segmentsFor(3, 1)).toBe(8);
  expect(segmentsFor(3, 2)).toBe(4);
  expect(segmentsFor(4, 3)).toBe(4);
  expect(segmentsFor(1_000, 1)).toBe(mostSegments);
});

it('recognizes work by the name of its lease, whatever the name of the perspective', () => {
  const all = [...partsOf('Orders', 1), ...partsOf('Orders', 4), ...partsOf('a#1/2 b', 2), ...partsOf('x/y', 1)];
  expect(all.map((work) => workOfName(nameOfWork(work)))).toEqual(all);
  expect(nameOfWork(all[2]!)).toBe('Orders#1/4');
});
