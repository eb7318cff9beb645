import { describe, expect, it } from 'vitest';
import type { SecurityContext } from '../security/index.js';
import { contextOfScope, scopeFor } from './acting-scope.js';

const caller = (tenantId?: string): SecurityContext => ({
  scope: tenantId === undefined ? {} : { tenantId },
  roles: new Set(),
  permissions: new Set(),
  source: 'test',
});

describe('the scope of a command', () => {
  it('is that of the caller if none is given', () => {
    expect(scopeFor({ actor: caller('acme'), isolatesTenants: true })).toEqual({ tenantId: 'acme', source: 'test' });
    expect(scopeFor({ actor: null, isolatesTenants: true })).toBeNull();
  });

  it('is the given one for the host, and without isolated tenants', () => {
    const given = { tenantId: 'other' };
    expect(scopeFor({ actor: null, isolatesTenants: true }, given)).toBe(given);
    expect(scopeFor({ actor: caller('acme'), isolatesTenants: false }, given)).toBe(given);
    expect(scopeFor({ actor: caller('acme'), isolatesTenants: false }, null)).toBeNull();
  });

  it.each([
    ['acme', { tenantId: 'acme', userId: 'ann' }],
    [undefined, { userId: 'ann' }],
    [undefined, { tenantId: null }],
    [undefined, null],
  ])('can be given by a caller of the tenant %s as %j', (tenantId, given) => {
    expect(scopeFor({ actor: caller(tenantId), isolatesTenants: true }, given)).toBe(given);
  });

  it.each([
    ['acme', { tenantId: 'other' }],
    ['acme', { userId: 'ann' }],
    ['acme', null],
    [undefined, { tenantId: 'acme' }],
  ])('cannot be given by a caller of the tenant %s as %j, which is of another tenant', (tenantId, given) => {
    expect(() => scopeFor({ actor: caller(tenantId), isolatesTenants: true }, given)).toThrow(
      expect.objectContaining({ code: 'SVC_TENANT_MISMATCH' }),
    );
  });
});

describe('the context in which the host acts for a scope', () => {
  it('has the values of the scope, and no permissions', () => {
    const scope = {
      tenantId: 'acme',
      userName: 'Ann',
      source: 'jwt',
      roles: 'admin',
      permissions: 'orders.read',
      svcReactions: 'Charge,Notify',
    };
    expect(contextOfScope(scope)).toStrictEqual({
      scope: { tenantId: 'acme' },
      roles: new Set(),
      permissions: new Set(),
      source: 'jwt',
      userName: 'Ann',
      reactions: ['Charge', 'Notify'],
    });
  });

  it('is that of the host if the scope names neither a source nor a user', () => {
    expect(contextOfScope({ userName: null })).toStrictEqual({
      scope: {},
      roles: new Set(),
      permissions: new Set(),
      source: 'host',
    });
  });
});
