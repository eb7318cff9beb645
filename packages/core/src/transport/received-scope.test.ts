import { expect, it } from 'vitest';
import { scopeOfText, scopeText } from '../messages/index.js';
import { commandScope, eventScope } from './received-scope.js';

const claimed = {
  tenantId: 'acme',
  userId: 'ann',
  userName: 'Ann',
  region: 'eu',
  roles: 'admin',
  permissions: '*:*',
  source: 'jwt',
  origin: 'mars',
};
const vouched = { tenantId: 'acme', userId: 'ann', userName: 'Ann', region: 'eu' };

it('keeps what a host vouches for, and says where it comes from', () => {
  expect(eventScope(claimed)).toEqual({ ...vouched, source: 'transport' });
  expect(commandScope(claimed, 'billing')).toEqual({ ...vouched, source: 'inbox', origin: 'billing' });
  expect(commandScope(claimed, null)).toEqual({ ...vouched, source: 'inbox', origin: null });
});

it('says so also where a message has no scope: without one it would act for this host itself', () => {
  expect(eventScope(null)).toEqual({ source: 'transport' });
  expect(commandScope(null, 'billing')).toEqual({ source: 'inbox', origin: 'billing' });
});

it('is worked out once for a scope that many messages share, together with its text', () => {
  const shared = scopeOfText(JSON.stringify(claimed));
  const scope = eventScope(shared);
  expect(eventScope(shared)).toBe(scope);
  expect(eventScope(null)).toBe(eventScope(null));
  expect(scopeText(scope)).toBe(scopeText(eventScope(shared)));
  expect(Object.isFrozen(scope)).toBe(true);
  expect(commandScope(shared, 'billing')).toBe(commandScope(shared, 'billing'));
  expect(commandScope(shared, 'orders')).not.toEqual(commandScope(shared, 'billing'));
});
