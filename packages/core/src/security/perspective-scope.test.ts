import { describe, expect, it } from 'vitest';
import { reactionsIn, reservedScopeNames, scopeForLater, scopeOfValues, scopeValues } from './perspective-scope.js';

const aboutCaller = {
  userName: 'Ann',
  roles: 'clerk',
  permissions: 'orders:read',
  source: 'jwt',
  homeTenantId: 'home',
  origin: 'shop',
  svcReactions: 'ShipOrder',
};

describe('the values of a scope', () => {
  it.each([
    ['no value', {}],
    ['only a tenant', { tenantId: 't' }],
    [
      'all values',
      {
        tenantId: 't',
        userId: 'u',
        organizationId: 'o',
        customerId: 'c',
        allowedPrincipals: ['g1', 'g2'],
        extensions: { region: 'eu' },
      },
    ],
  ])('convert back to the same scope, with %s', (_which, scope) => {
    expect(scopeOfValues(scopeValues(scope))).toStrictEqual(scope);
  });

  it('convert back without those about the caller, and without those that are null', () => {
    expect(scopeOfValues({ userId: 'u', tenantId: null, region: null, ...aboutCaller })).toStrictEqual({ userId: 'u' });
  });

  it('have reserved names: those of the scope and those about the caller', () => {
    const ofScope = ['tenantId', 'userId', 'organizationId', 'customerId', 'allowedPrincipals'];
    expect([...reservedScopeNames].toSorted()).toEqual([...ofScope, ...Object.keys(aboutCaller)].toSorted());
  });

  it.each([...reservedScopeNames])('reject an extension with the reserved name %s', (name) => {
    const scope = { userId: 'mallory', extensions: { [name]: 'acme' } };
    expect(() => scopeValues(scope)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_SCOPE' }));
  });

  it('reject a principal with a comma, which would be read as two', () => {
    expect(() => scopeValues({ allowedPrincipals: ['staff,admins'] })).toThrow(
      expect.objectContaining({ code: 'SVC_INVALID_SCOPE' }),
    );
  });
});

describe('the reactions that caused a message', () => {
  it('are named in its scope, each caused by the previous one', () => {
    expect(reactionsIn({ userId: 'ann', svcReactions: 'ShipOrder,SendInvoice' })).toEqual(['ShipOrder', 'SendInvoice']);
    expect([reactionsIn(null), reactionsIn({ userId: 'ann' }), reactionsIn({ svcReactions: null })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('are named once in the scope of a command that runs later', () => {
    const scope = { userId: 'ann', svcReactions: 'Remind,Escalate,Remind' };
    expect(scopeForLater(scope)).toEqual({ userId: 'ann', svcReactions: 'Remind,Escalate' });
  });

  it('do not change the scope of a command that runs later if each is named once', () => {
    const scope = { userId: 'ann', svcReactions: 'Remind,Escalate' };
    expect(scopeForLater(scope)).toBe(scope);
    expect(scopeForLater(null)).toBeNull();
  });
});
