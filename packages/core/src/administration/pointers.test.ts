import { expect, it } from 'vitest';
import { pointersOf } from './pointers.js';

const isX = (value: string): boolean => value === 'x';

it('finds texts by their JSON Pointers, in the order of the document', () => {
  const json = JSON.stringify({ a: 'x', b: ['y', 'x', { 'c/d~e': 'x' }], x: 1 });
  expect([...pointersOf(json, isX).keys()]).toEqual(['/a', '/b/1', '/b/2/c~1d~0e']);
  expect([...pointersOf('"x"', isX)]).toEqual([['', 'x']]);
  expect(pointersOf('null', isX).size).toBe(0);
});

it('stops after 1,000 texts, and reads documents of any depth', () => {
  expect(pointersOf(JSON.stringify(Array.from({ length: 2_000 }, () => 'x')), isX).size).toBe(1_000);
  const deep = `${'['.repeat(5_000)}"x"${']'.repeat(5_000)}`;
  expect(pointersOf(deep, isX).size).toBe(1);
});

it('stops before all pointers together have a million characters', () => {
  const depth = 100_000;
  const texts = Array.from({ length: 1_000 }, () => '"x"').join(',');
  const found = pointersOf(`${'['.repeat(depth)}${texts}${']'.repeat(depth)}`, isX);
  expect([...found.keys()].join('').length).toBeLessThanOrEqual(1_000_000);
  expect(found.size).toBe(5);
});
