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

it('contains the values that a host vouches for, and its source', () => {
  expect(eventScope(claimed)).toEqual({ ...vouched, source: 'transport' });
  expect(commandScope(claimed, 'billing')).toEqual({ ...vouched, source: 'inbox', origin: 'billing' });
  expect(commandScope(claimed, null)).toEqual({ ...vouched, source: 'inbox', origin: null });
});

it('is not null for a message without a scope, which would act as this host', () => {
  expect(eventScope(null)).toEqual({ source: 'transport' });
  expect(commandScope(null, 'billing')).toEqual({ source: 'inbox', origin: 'billing' });
});

it('is cached with its text for messages that share a scope', () => {
  const shared = scopeOfText(JSON.stringify(claimed));
  const scope = eventScope(shared);
  expect(eventScope(shared)).toBe(scope);
  expect(eventScope(null)).toBe(eventScope(null));
  expect(scopeText(scope)).toBe(scopeText(eventScope(shared)));
  expect(Object.isFrozen(scope)).toBe(true);
  expect(commandScope(shared, 'billing')).toBe(commandScope(shared, 'billing'));
  expect(commandScope(shared, 'orders')).not.toEqual(commandScope(shared, 'billing'));
});
