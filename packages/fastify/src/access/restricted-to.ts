import { permission, runAs, type Permission, type ScopeFilters, type SecurityContext, type Service } from '@svc/core';
import {
  failureByCode,
  commandFailures,
  grantWithoutPermission,
  type AccessControl,
  type Gate,
} from '@svc/core/hosting';
import { callerOf, headersOfRequest, requestOf } from '@svc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemOfRequest, sendProblem } from '../problems/index.js';
import { challenge } from './challenge.js';

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

/** The route hooks that check access. */
export interface RestrictingHooks {
  preParsing?: (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: () => void) => void;
  preHandler?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
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

/** The same for the routes of the plugin, which has its own error handler. */
export function restrictingHooks<TServices extends object>(
  { access }: Service<TServices>,
  { requires = null, allowAnonymous = false, resourceId, ...rest }: RouteAccess,
): RestrictingHooks {
  if (rest.recordGrant === true && requires === null) throw grantWithoutPermission('A route');
  if (access.isOpen) return {};
  const gate: Gate = { ...rest, allowAnonymous, requires: requires === null ? null : permission(requires) };
  const gateOf = (request: FastifyRequest): Gate => {
    if (resourceId === undefined) return gate;
    return { ...gate, resourceId: typeof resourceId === 'string' ? resourceId : resourceId(request) };
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> => {
    try {
      const context = await access.establish(headersOfRequest(request));
      requestOf(request).caller = await access.admit(context, gateOf(request));
    } catch (error) {
      return rejectCaller(request, reply, access, error);
    }
    done();
  };
  return {
    // After every onRequest hook: a rate limiter must count rejected requests as well.
    preParsing(request, reply, _payload, done) {
      void admit(request, reply, done);
    },
    // A separate hook: reading the body continues in the socket's async context, which has no caller.
    preHandler: (request, _reply, done) => runAs(callerOf(request)!, done),
  };
}

/** Responds here: on the host's own routes the error handler is the host's, which does not know problems. */
function rejectCaller(request: FastifyRequest, reply: FastifyReply, access: AccessControl, error: unknown): void {
  challenge(reply, error, access.authenticators);
  sendProblem(request, reply, problemOfRequest(error), error);
}
