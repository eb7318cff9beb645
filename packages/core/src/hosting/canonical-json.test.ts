import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

it('is the same for equal requests', () => {
  class Address {
    city = 'Ulm';
    street: string | undefined = undefined;
  }
  const one = { when: new Date(0), list: [{ b: 1, a: 2n }], address: new Address(), tags: new Set(['a', 'b']) };
  const other = {
    address: { city: 'Ulm' },
    list: [{ a: '2', b: 1 }],
    when: '1970-01-01T00:00:00.000Z',
    tags: new Set(['b', 'a']),
  };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
});

it.each([
  [{ a: 1 }, { a: '1' }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: null }, {}],
  [{ a: new Set(['x']) }, { a: new Set(['y']) }],
  [{ a: { b: 1 } }, { a: { c: 1 } }],
])('differs for different requests: %j, %j', (one, other) => {
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});
