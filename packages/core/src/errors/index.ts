export {
  boundedIssues,
  boundedText,
  failureByCode,
  commandFailures,
  isRejection,
  type CommandFailure,
  type CommandFailureName,
} from './command-failure.js';
export { errorCodes, type ErrorCode } from './error-codes.js';
export { hideSecrets } from './hide-secrets.js';
export { loggedError, type LoggedError } from './logged-error.js';
export { recordedByCode, recordedError, recordedText, type RecordedError } from './recorded-error.js';
export { reportToConsole } from './report-to-console.js';
export { scrubbedText } from './scrubbed-text.js';
export { ServiceError } from './service-error.js';
export { noteTraceOf, traceOfError } from './trace-of-error.js';
export { requireWholeNumbers } from './whole-numbers.js';
export { ValidationError, type Issue } from './validation-error.js';
export { withoutStack } from './without-stack.js';
