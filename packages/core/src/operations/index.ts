export { deadLetterOperations } from './dead-letter-operations.js';
export {
  OperationKind,
  type DiscardArguments,
  type DiscardResult,
  type EraseArguments,
  type EraseResult,
  type OperationProgress,
  type RebuildArguments,
  type ReplayArguments,
  type ReplayResult,
  type RetryArguments,
  type RetryResult,
} from './operation-kind.js';
export { errorText } from './error-text.js';
export { eraseArguments } from './arguments.js';
export type { OperationHandler } from './operation-handler.js';
export { OperationWorker } from './operation-worker.js';
export { perspectiveOperations, type OperatedPerspectives } from './perspective-operations.js';
export { OperatorActionKind, recordedAction, type OperatorAction } from './recorded-action.js';
