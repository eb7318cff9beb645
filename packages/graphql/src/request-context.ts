import { type SecurityContext } from '@svc/core';
import { idempotencyKeyOf, requestOf, traceIdOf, type HttpRequest } from '@svc/http';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { Denials } from './denials.js';

/** What belongs to one HTTP request; the operations of a batch share it. */
export interface RequestContext {
  /** Cancels every command of the request when the client disconnects. */
  readonly http: HttpRequest;
  /** The parsed body: its text tells whether the numbers in it are exact. */
  readonly body: unknown;
  readonly log: FastifyBaseLogger;
  /** What its log lines are known by. */
  readonly id: string;
  /** The trace of an error that came up in it; without one, its own. */
  traceIdOf(error?: unknown): string;
  /** Who sent it; null when they have not shown who they are. */
  readonly caller: SecurityContext | null;
  /** Under it the first result of the mutation is kept; undefined: the request has none. */
  readonly idempotencyKey: string | undefined;
  /** What the caller was denied in it. */
  readonly denials: Denials;
}

/** The one place where the context of a request is made: what is established about its caller is established here. */
export function createRequestContext(request: FastifyRequest, caller: SecurityContext | null): RequestContext {
  return new HttpRequestContext(request, caller);
}

class HttpRequestContext implements RequestContext {
  readonly http: HttpRequest;
  readonly body: unknown;
  readonly caller: SecurityContext | null;
  readonly idempotencyKey: string | undefined;
  readonly denials = new Denials();
  readonly #request: FastifyRequest;
  #traceId: string | undefined;

  constructor(request: FastifyRequest, caller: SecurityContext | null) {
    this.#request = request;
    this.caller = caller;
    this.body = request.body;
    this.idempotencyKey = idempotencyKeyOf(request);
    this.http = requestOf(request);
    this.http.begin();
  }

  get id(): string {
    return this.#request.id;
  }

  get log(): FastifyBaseLogger {
    return this.#request.log;
  }

  traceIdOf(error?: unknown): string {
    // Made when it is first needed, since only failures have one, and the same for all failures of the request.
    const id = (this.#traceId ??= traceIdOf(this.#request));
    return traceIdOf({ id, headers: {} }, error);
  }
}

/** What belongs to one operation of a request. */
export interface OperationContext {
  readonly request: RequestContext;
  /** A mutation failed that has no null to answer with, so the operation has no result, and what follows is not executed. */
  failed: boolean;
  /** The result of the mutation comes from under an idempotency key: it is JSON already. */
  resultIsJson: boolean;
}
