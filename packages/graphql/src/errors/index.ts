export { codesOfStatuses, graphQLErrorCodes, type GraphQLErrorCode } from './error-codes.js';
export { callerFailure, FieldError, internalFailure, LimitExceededError, type CallerFailure } from './field-error.js';
export { documentError, requestError, RequestError, type CallerError } from './request-error.js';
