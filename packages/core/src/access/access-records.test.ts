/** The records of access control, through its public interface. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { permission, ScopeFilters, type SecurityContext } from '../security/index.js';
import {
  AccessDenialReason,
  AccessDenied,
  type AccessGranted,
  AuthenticationFailed,
  NoOpSystemEventEmitter,
} from '../system-events/index.js';
import { AccessControl } from './access-control.js';
import { UnauthenticatedError } from './access-errors.js';
import type { AccessRequest } from './access-request.js';

const caller = (userId: string): SecurityContext => ({
  scope: { tenantId: 'acme', userId },
  roles: new Set(['clerk']),
  permissions: new Set([permission('orders:read'), permission('tenants:act')]),
  source: 'test',
});
const [ann, bob] = [caller('ann'), caller('bob')];
const read: AccessRequest = { requires: permission('orders:read'), resourceType: 'order' };
const { InsufficientPermission, ScopeViolation } = AccessDenialReason;

let emitted: object[];
let control: AccessControl;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-31T12:00:00Z') });
  emitted = [];
  const emitter = Object.assign(new NoOpSystemEventEmitter(), {
    emit: (event: object) => Promise.resolve(void emitted.push(event)),
  });
  const rejecting = {
    scheme: 'Bearer',
    credentialIn: () => 'x',
    authenticate: () => Promise.reject(new UnauthenticatedError()),
  };
  control = new AccessControl([rejecting], emitter, { report: (error) => expect.fail(String(error)) });
});
afterEach(() => vi.useRealTimers());

async function deny(
  who: SecurityContext,
  request: Partial<AccessRequest> = {},
  reason: AccessDenialReason = InsufficientPermission,
): Promise<void> {
  await expect(control.deny(who, { ...read, ...request }, reason)).rejects.toMatchObject({ reason });
}

/** What was emitted since the last call, in a short form. */
function news(): unknown[] {
  const summary = emitted.map((event) => {
    if (event instanceof AuthenticationFailed) return [event.scheme, event.count];
    const { resourceType, resourceId, count, scope } = event as AccessGranted | AccessDenied;
    return [scope.userId, resourceType, resourceId, count];
  });
  emitted.length = 0;
  return summary;
}

describe('a denied access', () => {
  it('is recorded with the caller, the resource and the reason', async () => {
    await deny(ann, { resourceId: '1' });
    expect(emitted).toEqual([
      Object.assign(new AccessDenied(), {
        id: (emitted[0] as AccessDenied).id,
        resourceType: 'order',
        resourceId: '1',
        requiredPermission: 'orders:read',
        callerPermissions: ann.permissions,
        callerRoles: ann.roles,
        scope: ann.scope,
        reason: 'InsufficientPermission',
        timestamp: new Date(),
      }),
    ]);
  });

  it.each<[string, SecurityContext, Partial<AccessRequest>, AccessDenialReason]>([
    ['caller', bob, {}, InsufficientPermission],
    ['type of resource', ann, { resourceType: 'invoice' }, InsufficientPermission],
    ['resource', ann, { resourceId: '1' }, InsufficientPermission],
    ['permission', ann, { requires: permission('orders:write') }, InsufficientPermission],
    ['reason', ann, {}, ScopeViolation],
  ])('is recorded of its own if it has another %s than an earlier one', async (_what, who, request, reason) => {
    await deny(ann);
    await deny(who, request, reason);
    expect(emitted).toHaveLength(2);
  });

  it('is counted if it repeats an earlier one, and the count is emitted after a minute', async () => {
    for (let i = 0; i < 3; i++) await deny(ann);
    expect(news()).toEqual([['ann', 'order', undefined, undefined]]);
    vi.advanceTimersByTime(60_000);
    expect(news()).toEqual([['ann', 'order', undefined, 2]]);
  });

  it('shares a record of several resources after twenty others', async () => {
    for (let i = 0; i < 23; i++) await deny(ann, { resourceId: `${i}` });
    expect(news().slice(19)).toEqual([
      ['ann', 'order', '19', undefined],
      ['ann', 'several', undefined, undefined],
    ]);
    await control.close();
    expect(emitted).toMatchObject([{ resourceType: 'several', requiredPermission: 'orders:read', count: 2 }]);
  });
});

describe('a granted access', () => {
  it.each<[string, SecurityContext, Partial<AccessRequest>]>([
    ['caller', bob, {}],
    ['type of resource', ann, { resourceType: 'invoice' }],
    ['resource', ann, { resourceId: '1' }],
    ['permission', ann, { requires: permission('orders:write') }],
    ['filter', ann, { filter: ScopeFilters.User }],
  ])('is recorded of its own if it has another %s than an earlier one', async (_what, who, request) => {
    await control.recordGrant(ann, read);
    await control.recordGrant(who, { ...read, ...request });
    expect(emitted).toHaveLength(2);
  });

  it.each<[string, Partial<AccessRequest>]>([
    ['type of resource', { resourceType: 'invoice' }],
    ['resource', { resourceId: '1' }],
    ['permission', { requires: permission('orders:write') }],
    ['filter', { filter: ScopeFilters.User }],
  ])('is recorded of its own within a request if it has another %s', async (_what, other) => {
    const within = {};
    await control.recordGrant(ann, { ...read, within });
    await control.recordGrant(ann, { ...read, ...other, within });
    expect(emitted).toHaveLength(2);
  });

  it('is neither recorded nor counted again within the same request', async () => {
    const [first, second] = [{}, {}];
    for (let i = 0; i < 3; i++) await control.recordGrant(ann, { ...read, within: first });
    await control.recordGrant(ann, { ...read, within: second });
    await control.close();
    expect(news()).toEqual([
      ['ann', 'order', undefined, undefined],
      ['ann', 'order', undefined, undefined],
    ]);
  });

  it('is emitted with its count when the host stops', async () => {
    for (let i = 0; i < 4; i++) await control.recordGrant(ann, { ...read, resourceId: '1' });
    await control.close();
    expect(news()).toEqual([
      ['ann', 'order', '1', undefined],
      ['ann', 'order', '1', 3],
    ]);
  });

  it('to other tenants is recorded once for each tenant, and repetitions are counted', async () => {
    for (const tenant of ['evil', 'other', 'evil', 'evil']) await control.actFor(ann, tenant);
    await control.close();
    expect(news()).toEqual([
      ['ann', 'tenant', 'evil', undefined],
      ['ann', 'tenant', 'other', undefined],
      ['ann', 'tenant', 'evil', 2],
    ]);
  });
});

it('records rejected credentials by their scheme, with a count', async () => {
  for (let i = 0; i < 3; i++) await expect(control.establish(() => undefined)).rejects.toThrow(UnauthenticatedError);
  expect(emitted).toMatchObject([{ scheme: 'Bearer', timestamp: new Date() }]);
  expect(news()).toEqual([['Bearer', undefined]]);
  await control.close();
  expect(news()).toEqual([['Bearer', 2]]);
});
