import type { Service } from '@svc/core';
import { loggedError, runAs } from '@svc/core/hosting';
import { longestIndexedText } from '@svc/core/storage';
import findMyWay, { type Instance } from 'find-my-way';
import { admit } from './access/index.js';
import { answerError } from './answer-error.js';
import { pathOf, type HostReply } from './host.js';
import { callerOf } from './http-request.js';
import { readJsonBody, type SentBody } from './json-body.js';
import type { HostOptions } from './host-options.js';
import { checkedBodyLimit } from './options.js';
import type { PlainRequest } from './plain-request.js';
import { invalidPath, methodNotAllowed, routeNotFound, sendProblem, tooLongPath } from './problems/index.js';
import {
  healthRoutes,
  metricsRoute,
  resourceMetadataRoutes,
  RouteOwners,
  serviceRoutes,
  type Route,
  type RouteBody,
} from './routes/index.js';

/** A route with its whole path, and the parameters of a request for it. */
export interface MatchedRoute {
  readonly kind: 'route';
  readonly route: Route;
  readonly path: string;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** What a path leads to. */
export type Match =
  | MatchedRoute
  | { readonly kind: 'other methods'; readonly allowed: readonly string[]; readonly route: Route }
  | { readonly kind: 'invalid path' | 'too long path' | 'unknown' };

const methods = ['GET', 'POST'] as const;

/** The routes of a service on a host without a framework, or within a framework that svc has no plugin for. */
export class HostApi<TServices extends object> {
  readonly #service: Service<TServices>;
  readonly #bodyLimit: number;
  readonly #owners = new RouteOwners();
  readonly #router: Instance<findMyWay.HTTPVersion.V1>;

  private constructor(service: Service<TServices>, options: HostOptions) {
    const { prefix = '', health = {}, metrics } = options;
    this.#service = service;
    this.#bodyLimit = checkedBodyLimit(options);
    // The router of Fastify, so that all hosts understand paths in the same way.
    this.#router = findMyWay({ maxParamLength: longestIndexedText, ignoreTrailingSlash: false });
    const routes = [
      ...serviceRoutes(service, prefix, options),
      ...(health === false ? [] : healthRoutes(service, health)),
      ...(metrics === undefined ? [] : [metricsRoute(metrics.source, metrics)]),
    ];
    for (const route of routes) this.#add(prefix + route.path, route);
    for (const route of resourceMetadataRoutes(service.access.authenticators)) this.#add(route.path, route);
  }

  /** Starts the service, so that configuration errors occur before the host listens. */
  static async start<TServices extends object>(
    service: Service<TServices>,
    options: HostOptions,
  ): Promise<HostApi<TServices>> {
    checkedBodyLimit(options);
    checkPrefix(options);
    service.start();
    await service.ready();
    return new HostApi(service, options);
  }

  #add(path: string, route: Route): void {
    this.#owners.add(path, route);
    this.#router.on(route.method, path, () => {}, { route, path });
  }

  match(method: string, path: string): Match {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = isKnown(wanted) ? this.#router.find(wanted, path) : null;
    if (found !== null) {
      const { route, path: whole } = found.store as Pick<MatchedRoute, 'route' | 'path'>;
      return { kind: 'route', route, path: whole, params: found.params };
    }
    return this.#unmatched(path);
  }

  #unmatched(path: string): Match {
    if (!isDecodable(path)) return { kind: 'invalid path' };
    const others = methods.flatMap((method) => this.#router.find(method, path) ?? []);
    if (others.length > 0) {
      const routes = others.map(({ store }) => (store as Pick<MatchedRoute, 'route'>).route);
      const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      return { kind: 'other methods', allowed, route: routes[0]! };
    }
    const hasLongPart = path.split('/').some((part) => part.length > longestIndexedText);
    return { kind: hasLongPart ? 'too long path' : 'unknown' };
  }

  /**
   * Answers a request for a route: access first, then the body, then the handler. Callbacks instead of `await`: in a process that uses
   * `AsyncLocalStorage`, every promise costs.
   */
  answer({ route, path }: MatchedRoute, request: PlainRequest, reply: HostReply, body: () => SentBody): void {
    const { access, telemetry } = this.#service;
    const { gate, establish, readBody, handle, bodyLimit = this.#bodyLimit } = route;
    const isGated = gate !== null && !access.isOpen;
    telemetry?.routed?.(path);
    if (isGated) admit(request, access, gate).then(receive, fail);
    else if (establish !== undefined && !access.isOpen) establish(request, reply).then(receive, fail);
    else receive();

    function fail(error: unknown): void {
      try {
        if (route.answerError === undefined) answerError(request, reply, error, access.authenticators);
        else route.answerError(request, reply, error);
      } catch (failure) {
        // Nothing else handles it, and an exception here would end the process.
        reply.hijack();
        request.log.error({ err: loggedError(failure) }, 'the response could not be sent');
      }
    }
    function send(content: RouteBody): void {
      try {
        reply.send(content);
      } catch (error) {
        fail(error);
      }
    }
    function receive(): void {
      if (readBody === null) return run();
      try {
        readJsonBody(request, body(), bodyLimit, read);
      } catch (error) {
        fail(error);
      }
    }
    function read(error: Error | null, value?: unknown): void {
      if (error !== null) return fail(error);
      try {
        request.body = readBody!(value, request.params);
      } catch (invalid) {
        return fail(invalid);
      }
      run();
    }
    function run(): void {
      const answered = isGated ? runAs(callerOf(request)!, () => handle(request, reply)) : handle(request, reply);
      answered.then(send, fail);
    }
  }

  /** Answers a request that no route matches. */
  reject(match: Exclude<Match, { kind: 'route' }>, request: PlainRequest, reply: HostReply): void {
    if (match.kind === 'other methods') {
      const { allowed, route } = match;
      reply.header('allow', allowed.join(', '));
      if (route.rejectMethod === undefined) sendProblem(request, reply, methodNotAllowed(request.method, allowed));
      else route.rejectMethod(request, reply);
    } else if (match.kind === 'invalid path') {
      sendProblem(request, reply, invalidPath());
    } else if (match.kind === 'too long path') {
      sendProblem(request, reply, tooLongPath());
    } else {
      sendProblem(request, reply, routeNotFound(pathOf(request)));
    }
  }
}

function isKnown(method: string): method is (typeof methods)[number] {
  return method === 'GET' || method === 'POST';
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const plainPrefix = /^(?:\/[\w.~-]+)*$/;

function checkPrefix({ prefix = '' }: HostOptions): void {
  if (plainPrefix.test(prefix)) return;
  throw new RangeError(`prefix must be a path such as "/api", without a slash at its end, not "${prefix}".`);
}
