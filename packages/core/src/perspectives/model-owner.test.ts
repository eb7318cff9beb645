import { describe, expect, it } from 'vitest';
import { streamTenantKey } from '../messages/index.js';
import { ScopeFilters } from '../security/index.js';
import { keyOfModelId } from '../storage/index.js';
import { longestOwnerBytes, ModelOwners } from './model-owner.js';

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

describe('the owner of a model without some scope values', () => {
  it('is empty if the event has none of them', () => {
    const userless = new ModelOwners(User);
    expect(userless.ofEvent({ scope: null, metadata: {} })).toBe('');
    expect(userless.ofEvent(eventBy({ tenantId: 't' }))).toBe('');
    expect(userless.ofScope({})).toBe('');
    const both = new ModelOwners(Tenant | User);
    expect(both.ofScope({})).toBe('');
    expect(both.ofEvent({ scope: null, metadata: {} })).toBe('');
  });

  it('names the values that there are at their places', () => {
    const owners = new ModelOwners(Tenant | User);
    expect(owners.ofScope({ tenantId: 't' })).toBe('["t",""]');
    expect(owners.ofScope({ userId: 'u' })).toBe('["","u"]');
    expect(owners.ofEvent(eventBy({ userId: 'u' }))).toBe('["","u"]');
  });
});

describe('an owner of at most 64 bytes', () => {
  const owners = new ModelOwners(Tenant);
  const ownerOf = (tenantId: string): string => owners.ofScope({ tenantId });
  const hash = /^sha256:[\w-]{43}$/;

  it('is the name itself, and a hash of it beyond that', () => {
    for (const name of ['x'.repeat(21), 'x'.repeat(22), 'x'.repeat(longestOwnerBytes)])
      expect(ownerOf(name)).toBe(name);
    expect(ownerOf('x'.repeat(longestOwnerBytes + 1))).toMatch(hash);
    expect(longestOwnerBytes).toBe(64);
  });

  it('is measured in bytes, not in characters', () => {
    expect(ownerOf('€'.repeat(21))).toBe('€'.repeat(21));
    expect(ownerOf('€'.repeat(22))).toMatch(hash);
    expect(ownerOf('é'.repeat(32))).toBe('é'.repeat(32));
    expect(ownerOf('é'.repeat(33))).toMatch(hash);
  });

  it('never contains the separator of ids, nor looks like a hash', () => {
    expect(ownerOf('a\u001fb')).toMatch(hash);
    expect(ownerOf('sha256:x')).toMatch(hash);
    expect(ownerOf('xsha256:')).toBe('xsha256:');
  });
});

describe('the condition for visible models', () => {
  it('has the owner and each value that distinguishes models', () => {
    const owners = new ModelOwners(Tenant | Customer);
    expect(owners.condition(scope)).toEqual({ owner: '["t","c"]', values: { tenantId: 't', customerId: 'c' } });
    expect(owners.condition({ tenantId: 't' })).toEqual({
      owner: '["t",""]',
      values: { tenantId: 't', customerId: null },
    });
    expect(new ModelOwners(None).condition(scope)).toEqual({ owner: '', values: {} });
  });

  it('separates tenants only if the perspective filters by them', () => {
    expect(new ModelOwners(Tenant | User).separateTenants).toBe(true);
    expect(new ModelOwners(User).separateTenants).toBe(false);
    expect(new ModelOwners(None).separateTenants).toBe(false);
  });

  it('of a stored model follows from its scope', () => {
    const owners = new ModelOwners(Tenant | User);
    expect(owners.ofModel({ scope: { tenantId: 't', userId: 'u', source: 'jwt' } })).toBe('["t","u"]');
    expect(owners.ofModel({ scope: null })).toBe('');
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
