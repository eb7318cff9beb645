import { describe, expect, it } from 'vitest';
import { streamTenantKey } from '../messages/index.js';
import { ScopeFilters } from '../security/index.js';
import { keyOfModelId } from '../storage/index.js';
import { ModelOwners } from './model-owner.js';

const { None, Tenant, Organization, Customer, User, Principal } = ScopeFilters;
const scope = { tenantId: 't', organizationId: 'o', customerId: 'c', userId: 'u', allowedPrincipals: ['g'] };
const eventBy = (values: Record<string, string>, metadata = {}) => ({ scope: values, metadata });

describe('the owner of a model', () => {
  it.each([
    ['empty without a filter', None, ''],
    ['the tenant', Tenant, 't'],
    ['tenant, organization and customer', Tenant | Organization | Customer, '["t","o","c"]'],
    ['the user of a tenant', Tenant | User, '["t","u"]'],
    ['the tenant where users and principals share models', Tenant | User | Principal, 't'],
  ])('is %s', (_name, filters, owner) => {
    expect(new ModelOwners(filters).ofScope(scope)).toBe(owner);
  });

  it('is the same for an event and for a caller with the same scope', () => {
    const owners = new ModelOwners(Tenant | User);
    expect(owners.ofEvent(eventBy({ tenantId: 't', userId: 'u', source: 'jwt' }))).toBe(owners.ofScope(scope));
  });

  it('is the tenant of the stream, not that of the host or operator that appended to it', () => {
    const owners = new ModelOwners(Tenant);
    expect(owners.ofEvent(eventBy({ tenantId: 'platform' }, { [streamTenantKey]: 'acme' }))).toBe('acme');
    expect(owners.ofEvent(eventBy({ tenantId: 'platform' }, { [streamTenantKey]: '' }))).toBe('');
    expect(owners.ofEvent({ scope: null, metadata: {} })).toBe('');
  });

  it('fits in every index, and long names remain distinct', () => {
    const owners = new ModelOwners(Tenant);
    const long = ['a', 'b'].map((end) => owners.ofScope({ tenantId: 'x'.repeat(500) + end }));
    expect(new Set(long).size).toBe(2);
    for (const owner of long) expect(Buffer.byteLength(owner)).toBeLessThanOrEqual(64);
    // No tenant can choose the hash of a long name as its name.
    expect(owners.ofScope({ tenantId: long[0]! })).not.toBe(long[0]);
    expect(owners.ofScope({ tenantId: '\u001f' })).not.toContain('\u001f');
  });
});

describe('the id of a model', () => {
  it('differs for the same key of two owners, however keys and owners are chosen', () => {
    const owners = new ModelOwners(Tenant);
    const ids = [
      ['k', 'a'],
      ['k', 'b'],
      ['k\u001fa', ''],
      ['k', ''],
      ['k\u001fa', 'a'],
    ].map(([key, tenantId]) => owners.idOf(key!, owners.ofScope({ tenantId: tenantId! })));
    expect(new Set(ids).size).toBe(ids.length);
    expect(keyOfModelId(ids[0]!)).toBe('k');
    expect(keyOfModelId(ids[4]!)).toBe('k\u001fa');
  });

  it('is the key alone where all tenants share the models', () => {
    expect(new ModelOwners(None).idOf('k', '')).toBe('k');
  });
});
