import { expect, it } from 'vitest';
import { withoutPermissions } from './without-permissions.js';

it('removes the permissions, and nothing else', () => {
  const scope = { tenantId: 'acme', userId: 'ann', permissions: 'orders:read,orders:write' };
  expect(withoutPermissions(scope)).toStrictEqual({ tenantId: 'acme', userId: 'ann' });
  expect(scope).toHaveProperty('permissions');
});

it.each([[null], [{ userId: 'ann' }]])('returns %j as it is', (scope) => {
  expect(withoutPermissions(scope)).toBe(scope);
});

it('returns one object for all messages that share a scope, also for a long one', () => {
  const scope = { userId: 'ann', note: 'x'.repeat(5_000), permissions: 'orders:read' };
  expect(withoutPermissions(scope)).toBe(withoutPermissions(scope));
});
