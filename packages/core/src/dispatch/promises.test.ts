import { expect, it } from 'vitest';
import { isPromise } from './promises.js';

it('recognizes promises, also those of other libraries', () => {
  expect(isPromise(Promise.resolve())).toBe(true);
  // oxlint-disable-next-line unicorn/no-thenable -- a promise of another library
  expect(isPromise({ then: () => {} })).toBe(true);
});

// oxlint-disable-next-line unicorn/no-thenable -- a result with a property of that name
it.each([undefined, null, 5, 'then', {}, { then: 'later' }, () => {}])('takes %s for a plain value', (value) => {
  expect(isPromise(value)).toBe(false);
});
