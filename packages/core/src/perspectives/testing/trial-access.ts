import type { Authenticator } from '../../access/index.js';
import { permission, type PerspectiveScope, type SecurityContext } from '../../security/index.js';
import { perspectiveAccessOf, type PerspectiveAccess } from '../perspective-options.js';

/** An authenticator for a service whose callers a test names itself. */
export const authenticator: Authenticator = {
  scheme: 'Test',
  credentialIn: () => null,
  authenticate: () => Promise.reject(),
};

export function caller(scope: PerspectiveScope, ...permissions: readonly string[]): SecurityContext {
  return {
    scope,
    roles: new Set(),
    permissions: new Set(permissions.map((one) => permission(one as 'orders:read'))),
    source: 'test',
  };
}

/** The access to a perspective that every authenticated caller may read, with overrides. */
export function accessWith(fields: Partial<PerspectiveAccess> = {}): PerspectiveAccess {
  return { ...perspectiveAccessOf(class {}), route: '/orders', ...fields };
}
