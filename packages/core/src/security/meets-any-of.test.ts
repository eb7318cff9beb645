import { expect, it } from 'vitest';
import { meetsAnyOf } from './meets-any-of.js';

const userOrPrincipals = { userId: 'ann', principals: ['staff', 'sales'] };
const principalsOnly = { principals: ['staff', 'sales'] };

it.each([
  ['of the user', { userId: 'ann' }, true],
  ['of another user', { userId: 'bob' }, false],
  ['that one of the principals may see', { userId: 'bob', allowedPrincipals: 'guests,sales' }, true],
  ['that only others may see', { userId: 'bob', allowedPrincipals: 'guests,salesmen' }, false],
  ['without an owner', {}, false],
  ['without a scope', null, false],
])('shows a row %s to a user with principals (%j): %s', (_which, scope, isVisible) => {
  expect(meetsAnyOf(scope, userOrPrincipals)).toBe(isVisible);
});

it.each([
  ['that one of them may see', { allowedPrincipals: 'staff' }, true],
  ['of a user', { userId: 'ann' }, false],
  ['without an owner', {}, false],
  ['without a scope', null, false],
])('shows a row %s to principals without a user (%j): %s', (_which, scope, isVisible) => {
  expect(meetsAnyOf(scope, principalsOnly)).toBe(isVisible);
});

it('shows every row without a condition', () => {
  expect([meetsAnyOf({ userId: 'bob' }, null), meetsAnyOf(null, null)]).toEqual([true, true]);
});
