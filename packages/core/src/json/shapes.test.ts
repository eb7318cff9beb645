import { expect, it } from 'vitest';
import { removeUnknown } from './shapes.js';

it('removes unknown properties, also those with the names of a prototype', () => {
  const value = JSON.parse('{"a":1,"b":2,"__proto__":{"c":3},"constructor":4}') as Record<string, unknown>;
  removeUnknown(value, ['a', 'missing']);
  expect(Object.getOwnPropertyNames(value)).toEqual(['a']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
