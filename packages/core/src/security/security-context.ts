import { AsyncLocalStorage } from 'node:async_hooks';
import type { EnvelopeScope } from '../messages/index.js';
import type { Permission } from './permission.js';
import { scopeValues, type PerspectiveScope } from './perspective-scope.js';

/** Who acts: established by a transport, valid for everything that the request sets in motion. */
export interface SecurityContext {
  readonly scope: PerspectiveScope;
  readonly roles: ReadonlySet<string>;
  readonly permissions: ReadonlySet<Permission>;
  /** Where the context comes from, such as `jwt` or `api-key`. */
  readonly source: string;
  /** A name to show, when there is one. */
  readonly userName?: string;
  /** The caller's own tenant while the caller acts for another one; '' for a caller of no tenant. Absent: the caller acts for its own. */
  readonly homeTenantId?: string;
}

/** A caller who has not authenticated, where that is allowed. An anonymous caller is not the host, and has no permission. */
export const anonymous: SecurityContext = Object.freeze({
  scope: Object.freeze({}),
  roles: new Set<string>(),
  permissions: new Set<Permission>(),
  source: 'anonymous',
});

/** A caller, or null for the host itself. Nothing at all where no code has said who acts. */
const ambient = new AsyncLocalStorage<SecurityContext | null>();

/** Runs `action`, and everything it starts, as the caller of a context. */
export function runAs<T>(context: SecurityContext, action: () => T): T {
  return ambient.run(context, action);
}

/**
 * Runs `action`, and everything it starts, as the host itself: no permission is asked for, and the streams and models of every tenant
 * can be reached. For work that belongs to no caller, such as a scheduled job.
 */
export function runAsHost<T>(action: () => T): T {
  return actsAsHost() ? action() : ambient.run(null, action);
}

/**
 * Runs `action`, and everything it starts, as no caller. It is not `runAsHost`: where no code has said who acts, that stays so, because
 * to enter a context makes every promise of the process slower.
 */
export function runWithoutCaller<T>(action: () => T): T {
  return currentSecurityContext() === null ? action() : ambient.run(null, action);
}

/** The caller that acts now; null when the host does, or when no code has said who acts. */
export function currentSecurityContext(): SecurityContext | null {
  return ambient.getStore() ?? null;
}

/** Whether `runAsHost` was called: to have no caller is not enough. */
export function actsAsHost(): boolean {
  return ambient.getStore() === null;
}

const values = new WeakMap<SecurityContext, EnvelopeScope>();

/**
 * The values that envelopes and audit records carry for a context: those of its scope, the name to show, the roles, the permissions, its
 * source. Sets are joined by commas. They are a record of the caller, and give nobody a permission.
 */
export function scopeOf(context: SecurityContext | null): EnvelopeScope | null {
  if (context === null) return null;
  let known = values.get(context);
  if (known === undefined) {
    const { scope, roles, permissions, source, userName, homeTenantId } = context;
    known = Object.freeze({
      ...scopeValues(scope),
      ...(userName !== undefined && { userName }),
      ...(roles.size > 0 && { roles: [...roles].join(',') }),
      ...(permissions.size > 0 && { permissions: [...permissions].join(',') }),
      ...(homeTenantId !== undefined && { homeTenantId }),
      source,
    });
    values.set(context, known);
  }
  return known;
}
