/**
 * Every `extensions.code` a caller can meet. Those of commands are the problems of REST in GraphQL's spelling.
 * `docs/reference/graphql.md` lists the same codes; a test holds the two together.
 */
export const graphQLErrorCodes = {
  INVALID_REQUEST: 'An argument is not what is declared; `extensions.errors` names everything wrong with it.',
  NOT_FOUND: 'What the command speaks of does not exist.',
  CONCURRENCY_CONFLICT: 'Somebody else changed the same thing first; read it again and retry.',
  IDEMPOTENCY_KEY_IN_USE: 'A request with the same `Idempotency-Key` is under way; send this one again in a moment.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used before, for another request.',
  COMMAND_REJECTED: 'The command is valid and the business says no; `message` says why.',
  EVENT_NOT_TAKEN: 'The models do not have the effects of `afterEvent` in the time the caller would wait; ask again.',
  BAD_REQUEST: 'The request itself is broken; `message` says how.',
  UNAUTHENTICATED: 'The caller has not shown who they are.',
  FORBIDDEN: 'The caller is known and may not do this.',
  TOO_MANY_REQUESTS: 'The caller is over a limit.',
  UNAVAILABLE: 'The service cannot answer at the moment; try again later.',
  INTERNAL_ERROR: 'The service failed. The cause is in its log, under `extensions.traceId`.',
  MALFORMED_JSON: 'The body is empty, not JSON, or not UTF-8.',
  CONTENT_TOO_LARGE: 'The body is larger than the service accepts.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not declared as `application/json` in UTF-8.',
  METHOD_NOT_ALLOWED: 'Operations are sent by POST.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document or its variables do not fit the schema.',
  LIMIT_EXCEEDED: 'The document, its variables or the batch is over a limit of the service; `message` names it.',
  PERSISTED_OPERATION_NOT_FOUND: 'There is no persisted operation with this id.',
  PERSISTED_OPERATION_REQUIRED: 'Only persisted operations are served here, and the request does not name one.',
} as const;

export type GraphQLErrorCode = keyof typeof graphQLErrorCodes;

/** What an error that carries only an HTTP status is called. */
export const codesOfStatuses: Readonly<Record<number, GraphQLErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
};
