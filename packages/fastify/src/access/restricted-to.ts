import { permission, type Permission, type ScopeFilters, type SecurityContext, type Service } from '@svc/core';
import { failureByCode, commandFailures, grantWithoutPermission, type Gate } from '@svc/core/hosting';
import { callerOf, rejectCaller } from '@svc/http/hosting';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gateHooks, type RestrictingHooks } from '../service-routes.js';

/** Restricts who may use a route. */
export interface RouteAccess {
  /** The permission that callers need. Default: none; callers only have to authenticate. */
  readonly requires?: Permission | `${string}:${string}` | null;
  /** Allows callers without a credential. Default: false. */
  readonly allowAnonymous?: boolean;
  /** The values that the scope of a caller must have: `ScopeFilters.Tenant`. Default: none. */
  readonly scope?: ScopeFilters;
  /** The resource type in `AccessDenied` and `AccessGranted`. */
  readonly resourceType: string;
  readonly resourceId?: string | ((request: FastifyRequest) => string);
  /** The filters that the route applies, for `AccessGranted`. Default: none. */
  readonly filter?: ScopeFilters;
  /** Emits `AccessGranted` for authorized callers; needs `requires`. Default: false. */
  readonly recordGrant?: boolean;
}

/** Returns the caller of a request once its route has authorized it; null before that, and on routes without access control. */
export function securityContextOf(request: FastifyRequest): SecurityContext | null {
  return callerOf(request);
}

/** The route options that `restrictedTo` returns. */
export interface RestrictingOptions extends RestrictingHooks {
  errorHandler?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * Restricts one of your own routes: `app.get('/report', restrictedTo(service, { … }), handler)`. svc rejects a caller before the body is read.
 * The handler runs as the caller and can reject it as well (`service.access.deny`). An error for the caller, such as a `NotFoundError`, becomes
 * a problem. In a service without authentication every caller may use the route.
 */
export function restrictedTo<TServices extends object>(
  service: Service<TServices>,
  route: RouteAccess,
): RestrictingOptions {
  const { access } = service;
  return {
    ...restrictingHooks(service, route),
    errorHandler(error, request, reply) {
      // Rethrow, so that the host's own error handler gets it.
      if (failureByCode(error, commandFailures) === undefined) throw error;
      rejectCaller(request, reply, access, error);
    },
  };
}

/** The hooks alone, for routes whose errors others answer. */
export function restrictingHooks<TServices extends object>(
  { access }: Service<TServices>,
  { requires = null, allowAnonymous = false, resourceId, ...rest }: RouteAccess,
): RestrictingHooks {
  if (rest.recordGrant === true && requires === null) throw grantWithoutPermission('A route');
  const gate: Gate = { ...rest, allowAnonymous, requires: requires === null ? null : permission(requires) };
  return gateHooks(access, (request) => {
    if (resourceId === undefined) return gate;
    return { ...gate, resourceId: typeof resourceId === 'string' ? resourceId : resourceId(request) };
  });
}
