/** The problems that the service answers with. */
export type ProblemType =
  | 'urn:svc:problem:malformed-json'
  | 'urn:svc:problem:invalid-request'
  | 'urn:svc:problem:bad-request'
  | 'urn:svc:problem:unauthenticated'
  | 'urn:svc:problem:forbidden'
  | 'urn:svc:problem:not-found'
  | 'urn:svc:problem:route-not-found'
  | 'urn:svc:problem:method-not-allowed'
  | 'urn:svc:problem:concurrency-conflict'
  | 'urn:svc:problem:idempotency-key-in-use'
  | 'urn:svc:problem:content-too-large'
  | 'urn:svc:problem:uri-too-long'
  | 'urn:svc:problem:unsupported-media-type'
  | 'urn:svc:problem:command-rejected'
  | 'urn:svc:problem:idempotency-key-reused'
  | 'urn:svc:problem:too-many-requests'
  | 'urn:svc:problem:internal-error'
  | 'urn:svc:problem:event-not-taken'
  | 'urn:svc:problem:unavailable';

/** One validation error. `pointer` is the JSON Pointer of the value: `/lineItems/0/quantity`. */
export interface Issue {
  readonly pointer: string;
  readonly detail: string;
}

/** What a `RequestError` is made of. */
export interface Failure {
  /** `about:blank`: a response that is not a problem of svc, such as one of a proxy. `no-response`: the connection failed. */
  readonly type: ProblemType | 'about:blank' | 'no-response';
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  readonly detail: string;
  /** The validation errors of an `invalid-request`; otherwise empty. */
  readonly errors: readonly Issue[];
  /** The business rule that rejected a command, such as `room-taken`; null: the service names none. */
  readonly reason: string | null;
  /** The id under which the log of the service has the request. */
  readonly traceId: string | null;
  /** How long the service asks to wait before a retry, in milliseconds. */
  readonly retryAfterMs: number | null;
}

/** A request that the service rejected, or that received no response. */
export class RequestError extends Error implements Failure {
  readonly type: Failure['type'];
  readonly status: number | null;
  readonly detail: string;
  readonly errors: readonly Issue[];
  readonly reason: string | null;
  readonly traceId: string | null;
  readonly retryAfterMs: number | null;

  constructor(request: string, failure: Failure, cause?: unknown) {
    super(`${request} failed (${failure.status ?? failure.type}): ${failure.detail}`, { cause });
    this.name = 'RequestError';
    this.type = failure.type;
    this.status = failure.status;
    this.detail = failure.detail;
    this.errors = failure.errors;
    this.reason = failure.reason;
    this.traceId = failure.traceId;
    this.retryAfterMs = failure.retryAfterMs;
  }

  /** The validation error of a value: `error.detailAt('/lineItems/0/quantity')`. */
  detailAt(pointer: string): string | undefined {
    return this.errors.find((issue) => issue.pointer === pointer)?.detail;
  }
}

/** The outcome of a request as a value. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: RequestError };

/** Returns a `RequestError` instead of throwing it. Other errors, such as the reason of an aborted signal, are thrown. */
export async function resultOf<T>(request: Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await request };
  } catch (error) {
    if (error instanceof RequestError) return { ok: false, error };
    throw error;
  }
}

/** The failure that a response with a status from 400 reports. */
export function failureOf(response: Response, text: string): Failure {
  const problem = jsonIn(text);
  return {
    type: (problem['type'] ?? 'about:blank') as ProblemType,
    status: response.status,
    detail: (problem['detail'] ?? problem['title'] ?? response.statusText) as string,
    errors: Array.isArray(problem['errors']) ? (problem['errors'] as Issue[]) : [],
    reason: (problem['reason'] ?? null) as string | null,
    traceId: (problem['traceId'] ?? null) as string | null,
    retryAfterMs: retryAfterIn(response.headers.get('retry-after')),
  };
}

/** The object that a text is; an empty one if it is none. */
export function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** `Retry-After` is a number of seconds, or a date. */
export function retryAfterIn(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^[0-9]+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
