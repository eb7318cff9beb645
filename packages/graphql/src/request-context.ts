import { type SecurityContext } from '@svc/core';
import type { RequestLog } from '@svc/http';
import { idempotencyKeyOf, requestOf, traceIdOf, type HostRequest, type HttpRequest } from '@svc/http/hosting';
import { Denials } from './denials.js';
import { LimitExceededError } from './errors/index.js';

/** The context of one HTTP request; the operations of a batch share it. */
export interface RequestContext {
  /** Cancels every command of the request if the client disconnects. */
  readonly http: HttpRequest;
  /** The parsed body: its text shows whether its numbers are exact. */
  readonly body: unknown;
  readonly log: RequestLog;
  /** The id in its log lines. */
  readonly id: string;
  /** The trace of an error in it; without an error, its own. */
  traceIdOf(error?: unknown): string;
  /** The caller; null if it is not authenticated. */
  readonly caller: SecurityContext | null;
  /** The key under which the first result of the mutation is stored; undefined if the request has none. */
  readonly idempotencyKey: string | undefined;
  /** The denials of the request. */
  readonly denials: Denials;
  /** Counts the models that a list may return. Throws if the lists of the request ask for too many. */
  countModels(count: number): void;
}

/** Creates the context of a request. `mostModels`: how many models its lists may return. */
export function createRequestContext(
  request: HostRequest,
  caller: SecurityContext | null,
  mostModels: number,
): RequestContext {
  return new HttpRequestContext(request, caller, mostModels);
}

class HttpRequestContext implements RequestContext {
  readonly http: HttpRequest;
  readonly caller: SecurityContext | null;
  readonly idempotencyKey: string | undefined;
  readonly denials = new Denials();
  readonly #request: HostRequest;
  readonly #mostModels: number;
  #models = 0;
  #traceId: string | undefined;

  constructor(request: HostRequest, caller: SecurityContext | null, mostModels: number) {
    this.#mostModels = mostModels;
    this.#request = request;
    this.caller = caller;
    this.idempotencyKey = idempotencyKeyOf(request);
    this.http = requestOf(request);
    this.http.begin();
  }

  get id(): string {
    return this.#request.id;
  }

  get body(): unknown {
    return this.#request.body;
  }

  get log(): RequestLog {
    return this.#request.log;
  }

  countModels(count: number): void {
    this.#models += count;
    if (this.#models <= this.#mostModels) return;
    throw new LimitExceededError(
      `The lists of the request ask for more than ${this.#mostModels} models. Send smaller pages, or several requests.`,
    );
  }

  traceIdOf(error?: unknown): string {
    // Created on first use, because only failures need it, and shared by all failures of the request.
    const id = (this.#traceId ??= traceIdOf(this.#request));
    return traceIdOf({ id, headers: {} }, error);
  }
}

/** The context of one operation of a request. */
export interface OperationContext {
  readonly request: RequestContext;
  /** Whether a mutation with a non-null result failed: the operation then has no result, and the next mutations are not executed. */
  failed: boolean;
  /** Whether the result of the mutation was stored under an idempotency key: it is already JSON. */
  resultIsJson: boolean;
}
