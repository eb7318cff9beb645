import { expect, it } from 'vitest';
import { scopeValues } from './perspective-scope.js';
import { scopeCondition, ScopeFilters } from './scope-filters.js';

const { None, Tenant, Organization, Customer, User, Principal } = ScopeFilters;
const caller = { tenantId: 't', organizationId: 'o', customerId: 'c', userId: 'u', allowedPrincipals: ['g1', 'g2'] };

it('has the flags of the specification, in its order', () => {
  expect([None, Tenant, Organization, Customer, User, Principal]).toEqual([0, 1, 2, 4, 8, 16]);
});

it.each([
  ['None', None, {}, null],
  ['Tenant', Tenant, { tenantId: 't' }, null],
  [
    'Tenant, Organization and Customer',
    Tenant | Organization | Customer,
    { tenantId: 't', organizationId: 'o', customerId: 'c' },
    null,
  ],
  ['User', User, { userId: 'u' }, null],
  ['Principal', Principal, {}, { principals: ['g1', 'g2'] }],
  [
    'Tenant, and User or Principal',
    Tenant | User | Principal,
    { tenantId: 't' },
    { userId: 'u', principals: ['g1', 'g2'] },
  ],
])('builds the condition for %s', (_name, filters, equal, anyOf) => {
  expect(scopeCondition(filters, caller)).toEqual({ equal, anyOf });
});

it.each([
  ['tenantId', Tenant],
  ['organizationId', Organization],
  ['customerId', Customer],
  ['userId', User],
  ['userId', User | Principal],
  ['allowedPrincipals', Principal],
])('throws if the caller has no %s, and does not drop the filter', (name, filters) => {
  const { [name as keyof typeof caller]: _left, ...rest } = caller;
  expect(() => scopeCondition(filters, rest)).toThrow(expect.objectContaining({ code: 'SVC_SCOPE_VALUE_MISSING' }));
  expect(() => scopeCondition(filters, { ...rest, [name]: name === 'allowedPrincipals' ? [] : '' })).toThrow(name);
});

it('flattens a scope to the values of an envelope', () => {
  expect(scopeValues({ ...caller, extensions: { region: 'eu' } })).toEqual({
    tenantId: 't',
    organizationId: 'o',
    customerId: 'c',
    userId: 'u',
    allowedPrincipals: 'g1,g2',
    region: 'eu',
  });
});
