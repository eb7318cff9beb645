import { describe, expect, it } from 'vitest';
import { reservedScopeNames, scopeOfValues, scopeValues } from './perspective-scope.js';

describe('the values of a scope', () => {
  it('convert back to the same scope', () => {
    const scope = { tenantId: 't', userId: 'u', allowedPrincipals: ['g1', 'g2'], extensions: { region: 'eu' } };
    expect(scopeOfValues(scopeValues(scope))).toEqual(scope);
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
