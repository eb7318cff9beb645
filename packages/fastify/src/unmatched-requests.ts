/**
 * Requests without a matching route. They reach no plugin's scope, and Fastify's only handler for them belongs to the user. Hooks at the root
 * therefore answer them, and ignore every path that is not of this service.
 */
import { methodNotAllowed, pathOf, reportProblem, routeNotFound, sendProblem, type Route } from '@svc/http/hosting';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rootOf } from './root.js';

/** Answers 405 for other methods on routes, which have whole paths. */
export function answerOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const root = rootOf(app);
  const routeAt = routeMatcher(routes);

  // After every onRequest hook, so that CORS and security headers are set, and before the body is read.
  root.addHook('preParsing', (request, reply, _payload, done) => {
    const route = request.is404 ? routeAt(pathOf(request)) : undefined;
    if (route === undefined) return done();
    const methods = methodsOf(root, request);
    if (methods.length === 0) return done();
    reply.header('allow', methods.join(', '));
    if (route.rejectMethod === undefined) sendProblem(request, reply, methodNotAllowed(request.method, methods));
    else route.rejectMethod(request, reply);
  });
}

/** Answers 404 below the prefix of `app`, unless the user has set a handler. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const { prefix } = app;
  rootOf(app).addHook('preSerialization', (request, reply, payload, done) => {
    if (!request.is404 || !isBelow(prefix, pathOf(request)) || !isFastifysOwn(request, reply, payload)) {
      return done(null, payload);
    }
    done(null, reportProblem(request, reply, routeNotFound(pathOf(request))));
  });
}

const knownMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;

/** The methods that have a route at the path of a request. */
function methodsOf(root: FastifyInstance, request: FastifyRequest): string[] {
  const url = request.raw.url ?? '';
  return knownMethods.filter((method) => root.findRoute({ method, url }) !== null);
}

/**
 * Compares paths as loosely as a router can be configured to (case, trailing or doubled slashes); `findRoute` then decides. A parameter or
 * wildcard in a route stands for any one segment.
 */
function routeMatcher(routes: readonly Route[]): (path: string) => Route | undefined {
  const known = routes.map((route) => ({ route, parts: segmentsOf(route.path) }));
  return (path) => {
    const segments = segmentsOf(path);
    return known.find(
      ({ parts }) => parts.length === segments.length && parts.every((part, i) => matches(part, segments[i]!)),
    )?.route;
  };
}

function matches(part: string, segment: string): boolean {
  return part === segment || part.includes(':') || part.includes('*');
}

function segmentsOf(path: string): string[] {
  return decoded(path)
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isBelow(prefix: string, path: string): boolean {
  return (
    prefix === '' || prefix === '/' || path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
  );
}

/** Whether a response is Fastify's default 404, which means that the user has set no handler. */
function isFastifysOwn(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  return (
    reply.statusCode === 404 &&
    typeof payload === 'object' &&
    payload !== null &&
    'message' in payload &&
    payload.message === `Route ${request.raw.method}:${request.raw.url} not found`
  );
}
