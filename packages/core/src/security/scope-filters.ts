import { ServiceError } from '../errors/index.js';
import type { PerspectiveScope } from './perspective-scope.js';

/** Flags that select which values of a caller's scope restrict what the caller sees; combine them with `|`. */
export const ScopeFilters = { None: 0, Tenant: 1, Organization: 2, Customer: 4, User: 8, Principal: 16 } as const;

/** Any combination of the `ScopeFilters` flags. */
export type ScopeFilters = number;

/** A condition on the scope of a row: all of `equal`, and any of `anyOf` unless it is null. */
export interface ScopeCondition {
  readonly equal: Readonly<Partial<Record<'tenantId' | 'organizationId' | 'customerId' | 'userId', string>>>;
  /** The row belongs to this user, or one of these principals is allowed to see it. */
  readonly anyOf: { readonly userId?: string; readonly principals: readonly string[] } | null;
}

/**
 * The condition that a row must meet for a caller. Filters are combined with AND; User and Principal together with OR.
 * Throws if the caller's scope lacks a value: that never means "no filter".
 */
export function scopeCondition(filters: ScopeFilters, caller: PerspectiveScope): ScopeCondition {
  const has = (flag: number): boolean => (filters & flag) !== 0;
  const value = (name: 'tenantId' | 'organizationId' | 'customerId' | 'userId'): string => {
    const found = caller[name];
    if (found === undefined || found === '') throw missing(name);
    return found;
  };
  const principals = (): readonly string[] => {
    if (caller.allowedPrincipals === undefined || caller.allowedPrincipals.length === 0)
      throw missing('allowedPrincipals');
    return caller.allowedPrincipals;
  };
  const together = has(ScopeFilters.User) && has(ScopeFilters.Principal);
  return {
    equal: {
      ...(has(ScopeFilters.Tenant) && { tenantId: value('tenantId') }),
      ...(has(ScopeFilters.Organization) && { organizationId: value('organizationId') }),
      ...(has(ScopeFilters.Customer) && { customerId: value('customerId') }),
      ...(has(ScopeFilters.User) && !together && { userId: value('userId') }),
    },
    anyOf: has(ScopeFilters.Principal)
      ? { ...(together && { userId: value('userId') }), principals: principals() }
      : null,
  };
}

function missing(name: string): ServiceError {
  return new ServiceError(
    'SVC_SCOPE_VALUE_MISSING',
    `The caller's scope has no ${name}, which the filter needs. Set it in the scope of the caller, or remove the filter.`,
  );
}
