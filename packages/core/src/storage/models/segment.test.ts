import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { isOfSegment, segmentsOf } from './segment.js';

const indexOf = (id: string, of: number): number => segmentsOf(of).findIndex((segment) => isOfSegment(id, segment));

it('assigns each id to one segment, the same on hosts of all versions', () => {
  const ids = ['', 'a', 'customer 1', 'ключ', '01912d68-783e-7a03-8467-5661c1243ad4'];
  expect(ids.map((id) => indexOf(id, 8))).toEqual([4, 4, 1, 4, 2]);
  for (const id of ids) expect(segmentsOf(8).filter((segment) => isOfSegment(id, segment))).toHaveLength(1);
});

it('divides ids evenly, also those that differ only in a few places', () => {
  for (const ids of [
    Array.from({ length: 8_000 }, () => newId()),
    Array.from({ length: 8_000 }, (_, i) => `key ${i}`),
  ]) {
    const counts = Array.from({ length: 8 }, () => 0);
    for (const id of ids) counts[indexOf(id, 8)]!++;
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  }
});
