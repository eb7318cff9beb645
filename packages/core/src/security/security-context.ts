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
}

/** A caller who has not shown who they are, where that is allowed. Unlike nobody at all, they are not the host, and may do nothing. */
export const anonymous: SecurityContext = Object.freeze({
  scope: Object.freeze({}),
  roles: new Set<string>(),
  permissions: new Set<Permission>(),
  source: 'anonymous',
});

const ambient = new AsyncLocalStorage<SecurityContext | null>();

/** Runs `action`, and everything it starts, as whoever the context says. */
export function runAs<T>(context: SecurityContext, action: () => T): T {
  return ambient.run(context, action);
}

/** Runs `action`, and everything it starts, as the host itself: work that one request sets off, and that belongs to all. */
export function runAsHost<T>(action: () => T): T {
  return currentSecurityContext() === null ? action() : ambient.run(null, action);
}

/** Who acts now; null when nobody was established. */
export function currentSecurityContext(): SecurityContext | null {
  return ambient.getStore() ?? null;
}

const values = new WeakMap<SecurityContext, EnvelopeScope>();

/** What envelopes and audit records say of a context: the values of its scope, the name to show, the roles, and its source. */
export function scopeOf(context: SecurityContext | null): EnvelopeScope | null {
  if (context === null) return null;
  let known = values.get(context);
  if (known === undefined) {
    const { scope, roles, source, userName } = context;
    known = Object.freeze({
      ...scopeValues(scope),
      ...(userName !== undefined && { userName }),
      ...(roles.size > 0 && { roles: [...roles].join(',') }),
      source,
    });
    values.set(context, known);
  }
  return known;
}
