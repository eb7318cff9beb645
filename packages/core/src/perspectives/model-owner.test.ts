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
    ['nobody', None, ''],
    ['the tenant', Tenant, 't'],
    ['tenant, organization and customer', Tenant | Organization | Customer, '["t","o","c"]'],
    ['the user of a tenant', Tenant | User, '["t","u"]'],
    ['the tenant where users and principals share models', Tenant | User | Principal, 't'],
  ])('is %s', (_name, filters, owner) => {
    expect(new ModelOwners(filters).ofScope(scope)).toBe(owner);
  });

  it('is the same by the scope of an event and by that of a caller', () => {
    const owners = new ModelOwners(Tenant | User);
    expect(owners.ofEvent(eventBy({ tenantId: 't', userId: 'u', source: 'jwt' }))).toBe(owners.ofScope(scope));
  });

  it('is the tenant of the stream, not that of the host or operator who appended to it', () => {
    const owners = new ModelOwners(Tenant);
    expect(owners.ofEvent(eventBy({ tenantId: 'platform' }, { [streamTenantKey]: 'acme' }))).toBe('acme');
    expect(owners.ofEvent(eventBy({ tenantId: 'platform' }, { [streamTenantKey]: '' }))).toBe('');
    expect(owners.ofEvent({ scope: null, metadata: {} })).toBe('');
  });

  it('fits every index, and long names stay different', () => {
    const owners = new ModelOwners(Tenant);
    const long = ['a', 'b'].map((end) => owners.ofScope({ tenantId: 'x'.repeat(500) + end }));
    expect(new Set(long).size).toBe(2);
    for (const owner of long) expect(Buffer.byteLength(owner)).toBeLessThanOrEqual(64);
    // No tenant can call itself what a long name becomes.
    expect(owners.ofScope({ tenantId: long[0]! })).not.toBe(long[0]);
    expect(owners.ofScope({ tenantId: '\u001f' })).not.toContain('\u001f');
  });
});

describe('the id of a model', () => {
  it('tells the same key of two owners apart, however keys and owners are chosen', () => {
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
