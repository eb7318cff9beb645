import { expect, it } from 'vitest';
import { issuesIn, type FlawOf } from './issues-in.js';

const isX: FlawOf = (value) => (value === 'x' ? 'must not be x' : null);
const nested = (levels: number, inner: unknown): unknown => {
  let value = inner;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};

it('reports each flawed value with its pointer, in the order of the text', () => {
  const value = { a: 'x', b: ['y', 'x', { 'c/d~e': 'x' }], c: null, d: 1 };
  expect(issuesIn(value, isX).map(({ pointer }) => pointer)).toEqual(['/a', '/b/1', '/b/2/c~1d~0e']);
  expect(issuesIn('x', isX)).toEqual([{ pointer: '', detail: 'must not be x' }]);
  expect(issuesIn(null, isX)).toEqual([]);
});

it('passes the keys of objects, and null for the whole value and for items', () => {
  const keys: (string | null)[] = [];
  const record: FlawOf = (_value, key) => {
    keys.push(key);
    return null;
  };
  issuesIn({ a: [1], 0: 2 }, record);
  expect(keys).toEqual([null, '0', 'a', null]);
  keys.length = 0;
  issuesIn(nested(102, { deep: 1 }), record);
  expect(keys.filter((key) => key !== null)).toEqual(['deep']);
});

it('does not look into a flawed value', () => {
  expect(issuesIn({ bad: ['x'] }, (value, key) => (key === 'bad' ? 'is bad' : isX(value, key)))).toEqual([
    { pointer: '/bad', detail: 'is bad' },
  ]);
});

it('stops after 100 issues', () => {
  expect(issuesIn(Array(1_000).fill('x'), isX)).toHaveLength(100);
});

it('reports the first flaw below 100 levels at the value that contains it there', () => {
  const pointers = (levels: number): readonly string[] =>
    issuesIn([nested(levels, ['x', { a: 'x' }]), 'x'], isX).map(({ pointer }) => pointer);
  const path = (length: number): string => '/0'.repeat(length);
  expect(pointers(98)).toEqual([`${path(99)}/0`, path(99) + '/1', '/1']);
  expect(pointers(99)).toEqual([path(100), '/1']);
  expect(pointers(5_000)).toEqual([path(100), '/1']);
});

it('truncates long keys and long pointers, and leaves no half of a surrogate pair in them', () => {
  const [{ pointer: key } = { pointer: '' }] = issuesIn({ ['k'.repeat(99) + '😀' + 'k'.repeat(1_000)]: 'x' }, isX);
  expect(key).toBe(`/${'k'.repeat(99)}\ufffd…`);
  let value: unknown = 'x';
  for (let i = 0; i < 50; i++) value = { ['k'.repeat(1_000)]: value };
  const [{ pointer } = { pointer: '' }] = issuesIn(value, isX);
  expect(pointer.length).toBe(1_001);
  expect(pointer).toMatch(/^(?:\/k{100}…){9}\/k+…$/);
});

it('builds no pointer longer than the limit, however deep a value is', () => {
  const levels = 500_000;
  const text = `${'['.repeat(levels)}${Array(100).fill('"x"').join(',')}${']'.repeat(levels)}`;
  const value: unknown = JSON.parse(text);
  const issues = issuesIn(value, isX);
  expect(JSON.stringify(issues).length).toBeLessThan(1_000);
});
