import type { Authenticator, Service } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { AccessControl, Gate } from '@svc/core/hosting';
import {
  admit,
  answerError,
  callerOf,
  duplicateRoute,
  rejectCaller,
  requestProperty,
  RouteOwners,
  type Route,
} from '@svc/http/hosting';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rootOf } from './root.js';
import { routeReporter } from './route-reporter.js';

/** Adds routes of a service and returns them with their whole paths. */
export function addRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { access, telemetry }: Pick<Service, 'access' | 'telemetry'>,
): readonly Route[] {
  const reportRoute = routeReporter(telemetry);
  if (!app.hasRequestDecorator(requestProperty)) app.decorateRequest(requestProperty, null);
  requireFreeRoutes(app, routes);
  for (const { method, path, gate, establish, readBody, bodyLimit, handle, ...route } of routes) {
    const { answerError: answer, isQuiet = false, isProbe: probes = false, readsPath = false } = route;
    app.route({
      method,
      url: path,
      ...(reportRoute !== null && { onRequest: reportRoute }),
      ...(gate === null ? {} : gateHooks(access, () => gate)),
      // After every onRequest hook: a rate limiter must count rejected requests as well.
      ...(establish !== undefined &&
        !access.isOpen && {
          preParsing: async (request: FastifyRequest, reply: FastifyReply) => await establish(request, reply),
        }),
      // Fastify calls a validator only for a schema; ours reads what the endpoint declares.
      ...(readBody !== null && { schema: { body: {} }, validatorCompiler: () => validatorOf(readBody, readsPath) }),
      ...(readsPath && { preValidation: addParameters }),
      ...(isQuiet && { logLevel: 'warn' as const }),
      ...(probes && { config: probeConfig }),
      ...(bodyLimit !== undefined && { config: { [bodyLimitKey]: bodyLimit } }),
      ...(answer !== undefined && { errorHandler: answeringWith(answer) }),
      handler: handle,
    });
  }
  return routes.map((route) => ({ ...route, path: app.prefix + route.path }));
}

/** The routes of svc on each host, whose plugins share them. */
const ownersOf = new WeakMap<FastifyInstance, RouteOwners>();

function requireFreeRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  const root = rootOf(app);
  const owners = ownersOf.get(root) ?? new RouteOwners();
  ownersOf.set(root, owners);
  for (const route of routes) {
    const { method, path, owner = 'an endpoint of svc' } = route;
    const url = app.prefix + path;
    owners.add(url, route);
    if (root.hasRoute({ method, url })) throw duplicateRoute(`${method} ${url}`, owner, 'the host');
  }
}

/** The limit of the bodies of a route that has its own, in the configuration of the route. */
export const bodyLimitKey = 'svcBodyLimit';

/** Marks the routes of probes. */
const probeConfig = Object.freeze({ svcProbe: true });

/** Whether a request comes from a probe: the host answers probes as long as it listens. */
export function isProbe({ routeOptions: { config } }: FastifyRequest): boolean {
  return 'svcProbe' in config;
}

/** The route hooks that check access. */
export interface RestrictingHooks {
  preParsing?: (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: () => void) => void;
  preHandler?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
}

/** Hooks that admit callers of a route; none in a service without authentication. */
export function gateHooks(access: AccessControl, gateOf: (request: FastifyRequest) => Gate): RestrictingHooks {
  if (access.isOpen) return {};
  const admitCaller = async (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> => {
    try {
      await admit(request, access, gateOf(request));
    } catch (error) {
      // Responds here: on the host's own routes the error handler is the host's, which does not know problems.
      return rejectCaller(request, reply, access, error);
    }
    done();
  };
  return {
    // After every onRequest hook: a rate limiter must count rejected requests as well.
    preParsing(request, reply, _payload, done) {
      void admitCaller(request, reply, done);
    },
    // A separate hook: reading the body continues in the socket's async context, which has no caller.
    preHandler: (request, _reply, done) => runAs(callerOf(request)!, done),
  };
}

/** A parsed body with the parameters of its path: Fastify gives a validator only the body. */
interface BodyAndPath {
  readonly body: unknown;
  readonly params: Readonly<Record<string, string | undefined>>;
}

function addParameters(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { body, params } = request;
  request.body = { body, params: params as BodyAndPath['params'] } satisfies BodyAndPath;
  done();
}

const noParameters = Object.freeze({});

function validatorOf(
  read: NonNullable<Route['readBody']>,
  readsPath: boolean,
): (value: unknown) => { value: unknown } | { error: Error } {
  const readValue = (value: unknown): unknown => {
    if (!readsPath) return read(value, noParameters);
    const { body, params } = value as BodyAndPath;
    return read(body, params);
  };
  return (value) => {
    try {
      return { value: readValue(value) };
    } catch (error) {
      return { error: error as Error };
    }
  };
}

/** Makes the routes of `app` answer errors with problems. */
export function answerWithProblems(app: FastifyInstance, authenticators: readonly Authenticator[]): void {
  app.setErrorHandler(answeringWith((request, reply, error) => answerError(request, reply, error, authenticators)));
}

function answeringWith(answer: NonNullable<Route['answerError']>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // Fastify sets Connection: close if a body could not be read; HTTP/2 has no such header.
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection');
    answer(request, reply, error);
  };
}
