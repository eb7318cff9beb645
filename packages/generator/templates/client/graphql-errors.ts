import type { GraphQLDocument } from './document-types.js';
import { RequestError, retryAfterIn, type Issue, type ProblemType } from './errors.js';
import { nameOf, type Outgoing } from './send.js';

/** The problems that GraphQL names by a code, and their status. An operation that ran has the status 200, even if it failed. */
const statusesOfCodes: Readonly<Record<string, number>> = {
  MALFORMED_JSON: 400,
  INVALID_REQUEST: 400,
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONCURRENCY_CONFLICT: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  CONTENT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  COMMAND_REJECTED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  EVENT_NOT_TAKEN: 503,
  UNAVAILABLE: 503,
};

/** The body of a response. */
export interface GraphQLAnswer {
  readonly data?: unknown;
  readonly errors?: unknown;
}

/** One error of a GraphQL operation. */
export interface GraphQLFailure {
  /** Why, for people. */
  readonly detail: string;
  /** The field that failed: `['orders']`; null if the whole operation was rejected. */
  readonly path: readonly (string | number)[] | null;
  /** The `extensions.code`, such as `COMMAND_REJECTED`. */
  readonly code: string;
  readonly type: ProblemType;
  /** The validation errors of an `invalid-request`; otherwise empty. */
  readonly errors: readonly Issue[];
  /** The business rule that rejected a mutation; null: the service names none. */
  readonly reason: string | null;
  readonly traceId: string | null;
}

/** A GraphQL operation that failed, wholly or in part. The properties of `RequestError` are those of its first failure. */
export class GraphQLRequestError extends RequestError {
  /** Every error of the operation; at least one. */
  readonly failures: readonly GraphQLFailure[];
  readonly #document: unknown;
  readonly #result: unknown;

  constructor(
    request: Outgoing,
    status: number,
    headers: Headers,
    failures: readonly GraphQLFailure[],
    part: PartOfAnswer,
  ) {
    const [first] = failures as readonly [GraphQLFailure];
    const retryAfterMs = retryAfterIn(headers.get('retry-after'));
    super(nameOf(request), { ...first, status: statusesOfCodes[first.code] ?? status, retryAfterMs });
    this.name = 'GraphQLRequestError';
    this.failures = failures;
    this.#document = part.document;
    this.#result = part.result;
  }

  /** The result without the queries that failed, which are null in it; null if the document has none, or is another one. */
  partialResult<TResult>(document: GraphQLDocument<TResult, never>): TResult | null {
    return this.#document === document ? (this.#result as TResult | null) : null;
  }
}

/** What an operation returned although it failed. */
interface PartOfAnswer {
  readonly document: unknown;
  readonly result: unknown;
}

/** The error that a body reports; undefined if it reports none. */
export function failureIn(
  request: Outgoing,
  document: GraphQLDocument<unknown, never>,
  answer: GraphQLAnswer,
  status: number,
  headers: Headers,
): GraphQLRequestError | undefined {
  if (!Array.isArray(answer.errors) || answer.errors.length === 0) return undefined;
  const failures = (answer.errors as readonly SentGraphQLError[]).map(failureOfError);
  const result = (answer.data ?? null) === null ? null : resultOfDocument(document, answer);
  return new GraphQLRequestError(request, status, headers, failures, { document, result });
}

export function resultOfDocument<TResult>({ read }: GraphQLDocument<TResult, never>, { data }: GraphQLAnswer): TResult {
  return read === null ? (data as TResult) : read(data as never);
}

/** An error as the service sends it. */
interface SentGraphQLError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | null;
  readonly extensions?: {
    readonly code?: string;
    readonly traceId?: string;
    readonly errors?: readonly Issue[];
    readonly reason?: string;
  };
}

function failureOfError({ message, path = null, extensions = {} }: SentGraphQLError): GraphQLFailure {
  const { code = 'BAD_REQUEST', traceId = null, errors = [], reason = null } = extensions;
  // Codes about documents exist over GraphQL only.
  const problem = (Object.hasOwn(statusesOfCodes, code) ? code : 'BAD_REQUEST').toLowerCase().replaceAll('_', '-');
  const type = `urn:svc:problem:${problem}` as ProblemType;
  return { detail: message, path, code, type, errors, reason, traceId };
}
