import { expect, it } from 'vitest';
import { streamTenantKey, wrap } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import type { StoredEvent } from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { applyEvents } from './apply-events.js';
import { modelIdOf, modelIdOrNull, modelIdsOf } from './model-identity.js';

const perspective = { keyOf: () => 'k', apply: (model: object | null) => ({ ...model }) };
const named = (filters: number): NamedPerspective =>
  namedPerspective({ perspective, owners: new ModelOwners(filters) });

function event(stream: number, tenant: string): StoredEvent {
  const envelope = { ...wrap('t', {}), id: idOf(stream), metadata: { [streamTenantKey]: tenant } };
  return { streamId: idOf(0xf0 + stream), position: 0, sequence: stream, envelope };
}

const invalid = {
  code: 'SVC_INVALID_VALUE',
  message: 'The scope and the tenant of an event must not contain a string with U+0000 or one that is not well-formed.',
};

it.each(['a\0b', '\ud800'])('has no model for an event whose tenant %j no database can store', (tenant) => {
  const keyed = named(ScopeFilters.Tenant);
  expect(() => modelIdOf(keyed, event(1, tenant))).toThrow(expect.objectContaining(invalid));
  expect(modelIdOrNull(keyed, event(1, tenant))).toBeNull();
  expect(modelIdsOf(keyed, [event(1, tenant)])).toBeNull();
  expect(modelIdOf(named(ScopeFilters.None), event(1, tenant)), 'its models have no owner').toBe('k');
});

it('stops the stream of that event, and no other', () => {
  const events = [event(1, 'a\0b'), event(2, 'acme'), event(3, '\udc00')];
  const { failures, changes } = applyEvents({
    named: named(ScopeFilters.Tenant),
    events,
    stored: new Map(),
    rewinds: [],
  });
  expect(failures.map(({ event: { sequence }, error }) => [sequence, error])).toEqual([
    [1, expect.objectContaining(invalid)],
    [3, expect.objectContaining(invalid)],
  ]);
  expect([...changes.models.values()].map(({ owner }) => owner)).toEqual(['acme']);
});
