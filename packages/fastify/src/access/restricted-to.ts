import { permission, runAs, type Permission, type ScopeFilters, type SecurityContext, type Service } from '@svc/core';
import {
  failureByCode,
  failuresOfCommands,
  grantWithoutPermission,
  type AccessControl,
  type Gate,
} from '@svc/core/hosting';
import { callerOf, headersOfRequest, requestOf } from '@svc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemOfRequest, sendProblem } from '../problems/index.js';
import { challenge } from './challenge.js';

/** Who may use a route. */
export interface RouteAccess {
  /** The permission that callers need. Default: none in particular; they have to be known. */
  readonly requires?: Permission | `${string}:${string}` | null;
  /** Lets callers in without a credential. Default: false. */
  readonly allowAnonymous?: boolean;
  /** The values that the scope of a caller must have: `ScopeFilters.Tenant`. Default: none. */
  readonly scope?: ScopeFilters;
  /** What is reached, as `AccessDenied` and `AccessGranted` tell it. */
  readonly resourceType: string;
  readonly resourceId?: string | ((request: FastifyRequest) => string);
  /** The filters that the route applies, as `AccessGranted` tells them. Default: none. */
  readonly filter?: ScopeFilters;
  /** Emits `AccessGranted` for callers who are let in; needs `requires`. Default: false. */
  readonly recordGrant?: boolean;
}

/** Hooks for the options of a route. */
export interface RestrictingHooks {
  preParsing?: (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: () => void) => void;
  preHandler?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
}

/** Who sent a request, once its route has let them in; null before that, and on routes that do not ask. */
export function securityContextOf(request: FastifyRequest): SecurityContext | null {
  return callerOf(request);
}

/** What `restrictedTo` adds to a route. */
export interface RestrictingOptions extends RestrictingHooks {
  errorHandler?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * Options for a route of the host's own that not every caller may use: `app.get('/report', restrictedTo(service, { … }), handler)`. Callers
 * are rejected before the body is read; the handler runs as the caller, and may reject it as well (`service.access.deny`). What it throws for
 * a caller, such as a `NotFoundError`, becomes a problem. Where callers cannot authenticate, every caller may use the route.
 */
export function restrictedTo<TServices extends object>(
  service: Service<TServices>,
  route: RouteAccess,
): RestrictingOptions {
  const { access } = service;
  return {
    ...restrictingHooks(service, route),
    errorHandler(error, request, reply) {
      // Thrown again, it reaches the error handler that the host has set.
      if (failureByCode(error, failuresOfCommands) === undefined) throw error;
      refuse(request, reply, access, error);
    },
  };
}

/** The same for the routes of the plugin, which has an error handler of its own. */
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
      return refuse(request, reply, access, error);
    }
    done();
  };
  return {
    // After every onRequest hook, whoever added it: a limit on the rate of requests must count those that are turned away.
    preParsing(request, reply, _payload, done) {
      void admit(request, reply, done);
    },
    // In a hook of its own and not in the first one: reading the body continues in the socket's context, which is nobody's.
    preHandler: (request, _reply, done) => runAs(callerOf(request)!, done),
  };
}

/** Answers here and not in an error handler, which on the host's own routes is the host's and knows nothing of problems. */
function refuse(request: FastifyRequest, reply: FastifyReply, access: AccessControl, error: unknown): void {
  challenge(reply, error, access.authenticators);
  sendProblem(request, reply, problemOfRequest(error), error);
}
