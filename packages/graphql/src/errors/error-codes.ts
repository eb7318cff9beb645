/**
 * Every `extensions.code` that a caller can receive. Those of commands are the problems of REST in GraphQL's spelling.
 * `docs/reference/graphql.md` lists the same codes; a test compares the two.
 */
export const graphQLErrorCodes = {
  INVALID_REQUEST: 'An argument does not match its declared type; `extensions.errors` lists every error.',
  NOT_FOUND: 'Something that the request refers to does not exist.',
  CONCURRENCY_CONFLICT: 'Another command changed the stream first; read it again and retry.',
  IDEMPOTENCY_KEY_IN_USE: 'A request with the same `Idempotency-Key` is in progress; repeat this one in a moment.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used before, for another request.',
  COMMAND_REJECTED: 'The command is valid, but a business rule rejected it; `message` says why.',
  EVENT_NOT_TAKEN: 'The models do not include the effects of `afterEvent` within the wait time; repeat the request.',
  BAD_REQUEST: 'The request is malformed; `message` says why.',
  UNAUTHENTICATED: 'The caller is not authenticated.',
  FORBIDDEN: 'The caller is authenticated but not authorized.',
  TOO_MANY_REQUESTS: 'The caller exceeded a limit.',
  UNAVAILABLE: 'The service cannot respond at the moment; retry later.',
  INTERNAL_ERROR: 'The service failed. Its log has the cause under `extensions.traceId`.',
  MALFORMED_JSON: 'The body is empty, not JSON, or not UTF-8.',
  CONTENT_TOO_LARGE: 'The body is larger than the service accepts.',
  UNSUPPORTED_MEDIA_TYPE:
    'The body is not declared as `application/json` in UTF-8, or has an unknown `Content-Encoding`.',
  METHOD_NOT_ALLOWED: 'Send mutations with POST, and queries and subscriptions with GET or POST.',
  NOT_ACCEPTABLE: 'A subscription needs `Accept: text/event-stream`.',
  CROSS_SITE_REQUEST:
    'A browser sent the query for a page, an image or a form, and not for a script that may read the response.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document or its variables do not match the schema.',
  LIMIT_EXCEEDED:
    'The document, its variables, the batch or the lists in it exceed a limit of the service; `message` names it.',
  PERSISTED_OPERATION_NOT_FOUND: 'There is no persisted operation with this id.',
  PERSISTED_QUERY_NOT_FOUND: 'The service does not know the hash; send the query with it.',
  PERSISTED_OPERATION_REQUIRED: 'The service accepts only persisted operations, and the request does not name one.',
} as const;

/** A value of `extensions.code`. */
export type GraphQLErrorCode = keyof typeof graphQLErrorCodes;

/** The codes of errors that have only an HTTP status. */
export const codesOfStatuses: Readonly<Record<number, GraphQLErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
};
