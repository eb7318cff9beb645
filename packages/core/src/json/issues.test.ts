import { expect, it } from 'vitest';
import { Issues } from './issues.js';
import { readOrThrow } from './reader.js';
import { isObject, readJson } from './shapes.js';
import { readString } from './scalars.js';

it('prefixes keys from the inside out, escaped as JSON Pointers', () => {
  const issues = new Issues(null);
  issues.under('a/b', issues.count, issues.under(3, issues.count, issues.add('c~d', 'is wrong')));
  issues.add('other', 'is wrong, too');
  expect(issues.list).toEqual([
    { pointer: '/a~1b/3/c~0d', detail: 'is wrong' },
    { pointer: '/other', detail: 'is wrong, too' },
  ]);
});

it('distinguishes a missing value from a wrong one', () => {
  const issues = new Issues(null);
  issues.expected('a', undefined, 'a string');
  issues.expected('b', 1, 'a string');
  expect(issues.list.map(({ detail }) => detail)).toEqual(['is required', 'must be a string']);
});

it('limits the number of issues', () => {
  const issues = new Issues(null);
  for (let i = 0; i < 1000; i++) issues.add('k'.repeat(10_000), 'is wrong');
  expect(issues.list).toHaveLength(100);
  expect(issues.full).toBe(true);
  expect(issues.list[0]!.pointer.length).toBeLessThan(120);
});

it('throws one error with all issues', () => {
  const read = (value: unknown, issues: Issues): string => {
    if (!isObject(value)) return issues.reject(value, 'an object');
    return readString(value['a'], issues, 'a') + readString(value['b'], issues, 'b');
  };
  expect(readOrThrow(read, { a: 'x', b: 'y' })).toBe('xy');
  expect(() => readOrThrow(read, { b: 1 })).toThrow(
    expect.objectContaining({
      issues: [
        { pointer: '/a', detail: 'is required' },
        { pointer: '/b', detail: 'must be a string' },
      ],
      message: 'The message is not valid: /a is required (and 1 more).',
    }),
  );
});

it('reads any JSON unchanged, except prototype keys and too deep nesting', () => {
  const free = { a: [1, { b: null }], toString: 'x' };
  expect(readOrThrow(readJson, free)).toBe(free);
  const poisoned: unknown = JSON.parse('{"a": [{"__proto__": 1}], "constructor": 2}');
  expect(() => readOrThrow(readJson, poisoned)).toThrow(
    expect.objectContaining({
      issues: [
        { pointer: '/a/0/__proto__', detail: 'is not allowed as a key' },
        { pointer: '/constructor', detail: 'is not allowed as a key' },
      ],
    }),
  );
  const deep: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000));
  expect(() => readOrThrow(readJson, deep)).toThrow('must not be nested more than 100 levels deep');
});

it('truncates pointers that are longer than a thousand characters', () => {
  let deep: object = { bad: { constructor: 1 } };
  for (let i = 0; i < 90; i++) deep = { ['k'.repeat(1_000)]: deep };
  const issues = new Issues(deep);
  readJson(deep, issues);
  expect(issues.list[0]!.pointer).toMatch(/^\/k{100}….{898}…$/u);
});
