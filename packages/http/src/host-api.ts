import { runAs, type Service } from '@svc/core';
import { longestIndexedText } from '@svc/core/storage';
import findMyWay, { type Instance } from 'find-my-way';
import { admit } from './access/index.js';
import { answerError } from './answer-error.js';
import { pathOf, type HostReply } from './host.js';
import { callerOf } from './http-request.js';
import { readJsonBody, type SentBody } from './json-body.js';
import type { HostOptions } from './host-options.js';
import { defaultBodyLimit } from './options.js';
import type { PlainRequest } from './plain-request.js';
import { problem, sendProblem } from './problems/index.js';
import { healthRoutes, metricsRoute, resourceMetadataRoutes, restRoutes, type Route } from './routes/index.js';

/** What a path leads to. */
export type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string | undefined>> }
  | { readonly kind: 'other methods'; readonly allowed: readonly string[] }
  | { readonly kind: 'invalid path' | 'too long path' | 'unknown' };

const methods = ['GET', 'POST'] as const;

/** The routes of a service on a host without a framework, or within a framework that svc has no plugin for. */
export class HostApi<TServices extends object> {
  readonly #service: Service<TServices>;
  readonly #bodyLimit: number;
  readonly #prefix: string;
  readonly #router: Instance<findMyWay.HTTPVersion.V1>;

  private constructor(service: Service<TServices>, options: HostOptions) {
    const { bodyLimit = defaultBodyLimit, prefix = '', health = {}, metrics } = options;
    this.#service = service;
    this.#bodyLimit = bodyLimit;
    this.#prefix = prefix;
    // The router of Fastify, so that all hosts understand paths in the same way.
    this.#router = findMyWay({ maxParamLength: longestIndexedText, ignoreTrailingSlash: false });
    const routes = [
      ...restRoutes(service, prefix, options),
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
    checkOptions(options);
    service.start();
    await service.ready();
    return new HostApi(service, options);
  }

  #add(path: string, route: Route): void {
    this.#router.on(route.method, path, () => {}, route);
  }

  match(method: string, path: string): Match {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = isKnown(wanted) ? this.#router.find(wanted, path) : null;
    if (found !== null) return { kind: 'route', route: found.store as Route, params: found.params };
    return this.#unmatched(path);
  }

  #unmatched(path: string): Match {
    if (!isDecodable(path)) return { kind: 'invalid path' };
    const allowed = methods.filter((method) => this.#router.find(method, path) !== null);
    if (allowed.length > 0) {
      return { kind: 'other methods', allowed: allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])) };
    }
    const hasLongPart = path.split('/').some((part) => part.length > longestIndexedText);
    return { kind: hasLongPart ? 'too long path' : 'unknown' };
  }

  /**
   * Answers a request for a route: access first, then the body, then the handler. Callbacks instead of `await`: in a process that uses
   * `AsyncLocalStorage`, every promise costs.
   */
  answer(route: Route, request: PlainRequest, reply: HostReply, body: () => SentBody): void {
    const { access, telemetry } = this.#service;
    const { gate, readBody, handle, path } = route;
    const bodyLimit = this.#bodyLimit;
    const isGated = gate !== null && !access.isOpen;
    telemetry?.routed?.(this.#prefix + path);
    if (isGated) admit(request, access, gate).then(receive, fail);
    else receive();

    function fail(error: unknown): void {
      answerError(request, reply, error, access.authenticators);
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
        request.body = readBody!(value);
      } catch (invalid) {
        return fail(invalid);
      }
      run();
    }
    function run(): void {
      const answered = isGated ? runAs(callerOf(request)!, () => handle(request, reply)) : handle(request, reply);
      answered.then((text) => void reply.send(text), fail);
    }
  }

  /** Answers a request that no route matches. */
  reject(match: Exclude<Match, { kind: 'route' }>, request: PlainRequest, reply: HostReply): void {
    if (match.kind === 'other methods') {
      const { allowed } = match;
      reply.header('allow', allowed.join(', '));
      const named = allowed.filter((method) => method !== 'HEAD').join(' and ');
      sendProblem(request, reply, problem('method-not-allowed', `${request.method} is not allowed here; ${named} is.`));
    } else if (match.kind === 'invalid path') {
      const detail = 'The path has a "%" that no two hexadecimal digits follow, or is not UTF-8.';
      sendProblem(request, reply, problem('bad-request', detail));
    } else if (match.kind === 'too long path') {
      const detail = `A part of the path has more than ${longestIndexedText} characters.`;
      sendProblem(request, reply, problem('uri-too-long', detail));
    } else {
      sendProblem(request, reply, problem('route-not-found', `There is no route ${pathOf(request)}.`));
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

function checkOptions({ bodyLimit = defaultBodyLimit, prefix = '' }: HostOptions): void {
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit <= 0) {
    throw new RangeError(`bodyLimit must be a whole number of bytes above 0, not ${bodyLimit}.`);
  }
  if (!plainPrefix.test(prefix)) {
    throw new RangeError(`prefix must be a path such as "/api", without a slash at its end, not "${prefix}".`);
  }
}
