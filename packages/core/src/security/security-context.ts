import { AsyncLocalStorage } from 'node:async_hooks';
import type { EnvelopeScope } from '../messages/index.js';
import type { Permission } from './permission.js';
import { reactionsName, scopeValues, type PerspectiveScope } from './perspective-scope.js';

/** An authenticated caller: scope, roles and permissions. It applies to everything that the request causes. */
export interface SecurityContext {
  readonly scope: PerspectiveScope;
  readonly roles: ReadonlySet<string>;
  readonly permissions: ReadonlySet<Permission>;
  /** How the caller authenticated, such as `jwt` or `api-key`. */
  readonly source: string;
  /** The display name of the user, if there is one. */
  readonly userName?: string;
  /** The caller's own tenant while it acts for another one; '' if it has none. Absent: the caller acts for its own tenant. */
  readonly homeTenantId?: string;
  /** The names of the reactions that act, each caused by the previous one. Absent: none. */
  readonly reactions?: readonly string[];
}

/** The context of a caller that has not authenticated, where that is allowed. It has no permissions, and is not the host. */
export const anonymous: SecurityContext = Object.freeze({
  scope: Object.freeze({}),
  roles: new Set<string>(),
  permissions: new Set<Permission>(),
  source: 'anonymous',
});

/** Work of the host within a request: it stays in the database of the caller's tenant. */
export class HostWork {
  readonly tenantId: string;

  constructor(tenantId: string) {
    this.tenantId = tenantId;
  }
}

/** The current caller; null or `HostWork` for the host; undefined outside of every context. */
const ambient = new AsyncLocalStorage<SecurityContext | HostWork | null>();

/** Runs `action`, and everything it starts, as a caller. */
export function runAs<T>(context: SecurityContext, action: () => T): T {
  return ambient.run(context, action);
}

/**
 * Runs `action`, and everything it starts, as the host itself: without permission checks, with access to the streams and models of all
 * tenants. Use it for work that belongs to no caller, such as a scheduled job.
 */
export function runAsHost<T>(action: () => T): T {
  return actsAsHost() ? action() : ambient.run(hostWorkOf(currentSecurityContext()), action);
}

/**
 * Runs `action`, and everything it starts, without a caller. Unlike `runAsHost`, it enters a context only if there is a caller: each
 * context makes all promises of the process slower.
 */
export function runWithoutCaller<T>(action: () => T): T {
  const caller = currentSecurityContext();
  return caller === null ? action() : ambient.run(hostWorkOf(caller), action);
}

/** The current caller; null if the host acts, or outside of every context. */
export function currentSecurityContext(): SecurityContext | null {
  const store = ambient.getStore();
  return store === undefined || store instanceof HostWork ? null : store;
}

/** The work of the host within a request of a caller with a tenant; null: there is none. */
export function currentHostWork(): HostWork | null {
  const store = ambient.getStore();
  return store instanceof HostWork ? store : null;
}

/** Whether the code runs in `runAsHost`. The absence of a caller is not enough. */
export function actsAsHost(): boolean {
  const store = ambient.getStore();
  return store === null || store instanceof HostWork;
}

function hostWorkOf(caller: SecurityContext | null): HostWork | null {
  const tenantId = caller?.scope.tenantId;
  return tenantId === undefined ? null : new HostWork(tenantId);
}

const values = new WeakMap<SecurityContext, EnvelopeScope>();

/**
 * The values of a caller that envelopes and audit records contain: scope, display name, roles, permissions and source; sets are joined by
 * commas. They are a record only, and grant nothing.
 */
export function scopeOf(context: SecurityContext | null): EnvelopeScope | null {
  if (context === null) return null;
  let known = values.get(context);
  if (known === undefined) {
    const { scope, roles, permissions, source, userName, homeTenantId, reactions } = context;
    known = Object.freeze({
      ...scopeValues(scope),
      ...(userName !== undefined && { userName }),
      ...(roles.size > 0 && { roles: [...roles].join(',') }),
      ...(permissions.size > 0 && { permissions: [...permissions].join(',') }),
      ...(homeTenantId !== undefined && { homeTenantId }),
      ...(reactions !== undefined && { [reactionsName]: reactions.join(',') }),
      source,
    });
    values.set(context, known);
  }
  return known;
}
