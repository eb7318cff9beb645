/** Every code a `ServiceError` can carry, with what it means. `docs/reference/errors.md` lists the same codes; a test holds the two together. */
export const errorCodes = {
  SVC_MALFORMED_JSON: 'The text is not JSON.',
  SVC_INVALID_MESSAGE: 'A message does not have the shape its type declares.',
  SVC_INVALID_VALUE: 'A text is not the UUID or decimal number it was taken for.',
  SVC_UNWRITABLE_VALUE: 'A value cannot be written as JSON of its declared type.',
  SVC_COMMAND_REJECTED: 'A receptor or hook refused a command for a reason of the business.',
  SVC_NOT_FOUND: 'What the command speaks of does not exist.',
  SVC_CONCURRENCY_CONFLICT: 'The stream has moved on since it was read.',
  SVC_COMMAND_WITHOUT_RECEPTOR: 'A registered command has no receptor.',
  SVC_DUPLICATE_RECEPTOR: 'A command has two receptors.',
  SVC_DUPLICATE_MESSAGE: 'Two message classes share one type name, or one class is registered twice.',
  SVC_UNKNOWN_MESSAGE: 'A message is of a class that is not in the registry.',
  SVC_REQUEST_NOT_MAPPED: 'An endpoint with a request type does not override mapRequestToCommand.',
  SVC_NO_GRAPHQL_SCHEMA: 'A service is to be served over GraphQL and has no schema, or another one than its endpoints.',
  SVC_SERVICE_STARTED: 'The service was changed after it had started.',
  SVC_SERVICE_NOT_STARTED: 'The service was used before it had started.',
  SVC_SCOPE_VALUE_MISSING: 'A filter needs a value that the scope of the caller does not have.',
  SVC_UNIT_OF_WORK_CLOSED: 'A unit of work was written to after its command had ended.',
} as const;

export type ErrorCode = keyof typeof errorCodes;
