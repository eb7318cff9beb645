import { commandFailures } from '@svc/core/hosting';

/**
 * Every problem that a caller can receive, by the last part of its type URN. `docs/reference/problems.md` lists the same problems; a test
 * compares the two.
 */
export const problemTypes = {
  'malformed-json': { status: 400, title: 'Malformed JSON', meaning: 'The body is empty, not JSON, or not UTF-8.' },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    meaning: 'The body is JSON but does not match the command; `errors` lists every error.',
  },
  'bad-request': { status: 400, title: 'Bad request', meaning: 'The request is malformed; `detail` says why.' },
  unauthenticated: { status: 401, title: 'Unauthenticated', meaning: 'The caller is not authenticated.' },
  forbidden: { status: 403, title: 'Forbidden', meaning: 'The caller is authenticated but not authorized.' },
  'not-found': { status: 404, title: 'Not found', meaning: 'Something that the request refers to does not exist.' },
  'route-not-found': { status: 404, title: 'Route not found', meaning: 'There is no route with this path.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method; the `Allow` header lists its methods.',
  },
  'concurrency-conflict': {
    status: 409,
    title: 'Concurrency conflict',
    meaning: 'Another command changed the stream first; read it again and retry.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'Idempotency key in use',
    meaning: 'A request with the same `Idempotency-Key` is in progress; repeat this one in a moment.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content too large',
    meaning: 'The body is larger than the service accepts.',
  },
  'uri-too-long': { status: 414, title: 'URI too long', meaning: 'A part of the path is longer than a key can be.' },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not declared as `application/json` in UTF-8, or has an unknown `Content-Encoding`.',
  },
  'command-rejected': {
    status: 422,
    title: 'Command rejected',
    meaning: 'The command is valid, but a business rule rejected it; `detail` says why.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'The `Idempotency-Key` was used before, for another request.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The caller exceeded a limit; the `Retry-After` header says when to retry.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed. Its log has the cause under the `traceId` of the response.',
  },
  'event-not-taken': {
    status: 503,
    title: 'Event not processed yet',
    meaning: 'The models do not include the effects of `afterEvent` within the wait time; repeat the request.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service cannot respond at the moment; the `Retry-After` header says when to retry.',
  },
} as const satisfies Record<string, ProblemType>;

/** The status, title and meaning of a problem. */
export interface ProblemType {
  readonly status: number;
  readonly title: string;
  /** The meaning for the caller, as on the reference page. */
  readonly meaning: string;
}

/** The last part of the type URN of a problem. */
export type ProblemName = keyof typeof problemTypes;

/** Returns the type URN of a problem. */
export function problemUrn(name: ProblemName): string {
  return `urn:svc:problem:${name}`;
}

/** The problems of errors that a command throws, by error code. Every other error is an `internal-error`. */
export const problemsOfCommands: Readonly<Record<string, ProblemName>> = commandFailures;

/** The problems of errors before the command runs, by error code. The same code thrown by a command is not the caller's fault. */
export const problemsOfRequests: Readonly<Record<string, ProblemName>> = {
  ...problemsOfCommands,
  SVC_AUTHENTICATION_UNAVAILABLE: 'unavailable',
  SVC_SERVICE_STOPPING: 'unavailable',
  SVC_MALFORMED_JSON: 'malformed-json',
  SVC_UNAUTHENTICATED: 'unauthenticated',
  SVC_ACCESS_DENIED: 'forbidden',
  FST_ERR_CTP_BODY_TOO_LARGE: 'content-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
};

/** The problems of errors that have only an HTTP status. */
export const problemsOfStatuses: Readonly<Record<number, ProblemName>> = {
  400: 'bad-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  413: 'content-too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  503: 'unavailable',
};
