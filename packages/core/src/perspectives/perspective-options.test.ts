import { describe, expect, it } from 'vitest';
import { Permission, ScopeFilters } from '../security/index.js';
import {
  isServed,
  ownerFilters,
  perspective,
  perspectiveAccessOf,
  type PerspectiveAccess,
  type PerspectiveOptions,
} from './perspective-options.js';

class Undecorated {}

const nothing: PerspectiveAccess = {
  route: null,
  graphQLQuery: null,
  graphQLListQuery: null,
  requires: null,
  allowAnonymous: false,
  scope: ScopeFilters.None,
  isShared: false,
  recordGrant: false,
  version: 1,
};

/** The access of a class that is decorated with some options. */
function accessOf(options: PerspectiveOptions<never>): PerspectiveAccess {
  class Orders {
    apply(): { readonly status: string } {
      return { status: 'new' };
    }
  }
  perspective(options)(Orders);
  return perspectiveAccessOf(Orders);
}

function failureOf(options: PerspectiveOptions<never>): { readonly code: string; readonly message: string } {
  try {
    accessOf(options);
  } catch (error) {
    return error as { readonly code: string; readonly message: string };
  }
  throw new Error('The options were accepted.');
}

describe('a perspective', () => {
  it('without options is not served, and its models belong to their tenants', () => {
    expect(perspectiveAccessOf(Undecorated)).toEqual(nothing);
    expect(accessOf({})).toEqual(nothing);
  });

  it('has the options of its decorator', () => {
    @perspective({ route: '/orders', graphQLQuery: 'order', graphQLListQuery: 'orders', indexed: ['status'] })
    class Orders {
      apply(): { readonly status: string } {
        return { status: 'new' };
      }
    }
    expect(perspectiveAccessOf(Orders)).toEqual({
      ...nothing,
      route: '/orders',
      graphQLQuery: 'order',
      graphQLListQuery: 'orders',
    });
    const given = { requires: 'orders:read', scope: ScopeFilters.User, recordGrant: true, version: 2 } as const;
    expect(accessOf(given)).toEqual({ ...nothing, ...given, requires: Permission.read('orders') });
    expect(accessOf({ allowAnonymous: true }).allowAnonymous).toBe(true);
  });

  it('has the options of its decorator when an outer decorator replaces the class', () => {
    const replace = <T extends new () => object>(target: T): T => class extends (target as new () => object) {} as T;
    @replace
    @perspective({ version: 3 })
    class Orders {
      apply(): object {
        return {};
      }
    }
    expect(perspectiveAccessOf(Orders).version).toBe(3);
  });

  it('is served if it has a route or a query', () => {
    expect(isServed(nothing)).toBe(false);
    expect(isServed({ ...nothing, route: '/orders' })).toBe(true);
    expect(isServed({ ...nothing, graphQLQuery: 'order' })).toBe(true);
    expect(isServed({ ...nothing, graphQLListQuery: 'orders' })).toBe(true);
  });

  it.each([null, undefined, ''])('has no route and no queries when they are %j', (text) => {
    expect(accessOf({ route: text, graphQLQuery: text, graphQLListQuery: text } as PerspectiveOptions<never>)).toEqual(
      nothing,
    );
  });

  it.each(['/orders', '/my/orders', '/v1.0/_orders~-'])('can have the route %s', (route) => {
    expect(accessOf({ route }).route).toBe(route);
  });

  it.each(['orders', '/', '/orders/', '//orders', '/orders/{id}', '/ord ers', ' /orders', '/orders\n'])(
    'cannot have the route %j',
    (route) => {
      expect(failureOf({ route })).toMatchObject({
        code: 'SVC_INVALID_VALUE',
        message: expect.stringContaining('route') as string,
      });
    },
  );

  it.each([0, -1, 1.5, NaN, 2 ** 53])('cannot have the version %d', (version) => {
    expect(failureOf({ version })).toMatchObject({
      code: 'SVC_INVALID_VALUE',
      message: expect.stringContaining('version') as string,
    });
  });

  it('can have any whole version from 1', () => {
    expect([1, 2, 2 ** 53 - 1].map((version) => accessOf({ version }).version)).toEqual([1, 2, 2 ** 53 - 1]);
  });

  it('cannot allow anonymous callers if it requires a permission or filters by scope', () => {
    const anonymous = { code: 'SVC_INVALID_VALUE', message: expect.stringContaining('anonymous') as string };
    expect(failureOf({ allowAnonymous: true, requires: 'orders:read' })).toMatchObject(anonymous);
    expect(failureOf({ allowAnonymous: true, scope: ScopeFilters.User })).toMatchObject(anonymous);
    expect(accessOf({ allowAnonymous: true, scope: ScopeFilters.None }).allowAnonymous).toBe(true);
  });

  it('can record only grants of a permission', () => {
    expect(failureOf({ recordGrant: true }).message).toContain('A perspective');
    expect(accessOf({ recordGrant: false }).recordGrant).toBe(false);
  });
});

describe('the owners of models', () => {
  const filters = (options: PerspectiveOptions<never>, isolatesTenants: boolean): ScopeFilters =>
    ownerFilters(accessOf(options), isolatesTenants);

  it('are tenants by default, where tenants are isolated', () => {
    expect(filters({}, true)).toBe(ScopeFilters.Tenant);
    expect(filters({}, false)).toBe(ScopeFilters.None);
  });

  it('also differ by the scope values that the perspective filters by', () => {
    const scope = ScopeFilters.User;
    expect(filters({ scope }, true)).toBe(ScopeFilters.User | ScopeFilters.Tenant);
    expect(filters({ scope }, false)).toBe(ScopeFilters.User);
    expect(filters({ scope: ScopeFilters.Tenant }, true)).toBe(ScopeFilters.Tenant);
  });

  it('are none if all tenants share the models', () => {
    expect(accessOf({ scope: ScopeFilters.None }).isShared).toBe(true);
    expect(accessOf({ scope: ScopeFilters.User }).isShared).toBe(false);
    expect(filters({ scope: ScopeFilters.None }, true)).toBe(ScopeFilters.None);
  });
});
