import { expect, it } from 'vitest';
import { differencesBetween } from './differences.js';

it('finds added, removed and changed values by their JSON Pointer', () => {
  const before = { status: 'open', 'a/b': 1, items: [1, 2], same: { deep: true } };
  const after = { status: 'paid', items: [1], paidAt: 'now', same: { deep: true } };
  expect(differencesBetween(before, after, 10)).toEqual({
    items: [
      { pointer: '/status', kind: 'changed', before: 'open', after: 'paid' },
      { pointer: '/a~1b', kind: 'removed', before: 1, after: undefined },
      { pointer: '/items/1', kind: 'removed', before: 2, after: undefined },
      { pointer: '/paidAt', kind: 'added', before: undefined, after: 'now' },
    ],
    isCut: false,
  });
});

it('shows a model that did not exist before as added', () => {
  expect(differencesBetween(null, { status: 'open' }, 10).items).toEqual([
    { pointer: '', kind: 'added', before: null, after: { status: 'open' } },
  ]);
});

it('ends at the limit, and says so', () => {
  const { items, isCut } = differencesBetween({}, { a: 1, b: 2, c: 3 }, 2);
  expect([items.length, isCut]).toEqual([2, true]);
});

it('distinguishes an object from an array with the same entries', () => {
  expect(differencesBetween({ value: [] }, { value: {} }, 10).items).toHaveLength(1);
});
