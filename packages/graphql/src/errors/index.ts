export { callerFailure, CommandError, internalFailure, type CallerFailure } from './command-error.js';
export { codesOfStatuses, graphQLErrorCodes, type GraphQLErrorCode } from './error-codes.js';
export { documentRefusal, refusal, RequestError, type CallerError } from './request-error.js';
