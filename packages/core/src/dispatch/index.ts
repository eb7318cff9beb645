export type { CommandObserver } from './command-observer.js';
export { DeferredSignal, LinkedSignal, signalOf, type Cancellation } from './cancellation.js';
export {
  LocalDispatcher,
  type Dispatcher,
  type DispatcherParts,
  type FailureObserver,
  type InvokeOptions,
  type ReceivedCommand,
} from './dispatcher.js';
export { defaultConflictRetries } from './conflict-retries.js';
export { CommandRequest, offerClaim, type ReceivedRequest } from './command-request.js';
export type { Duration } from './duration.js';
export { IdempotencyClaim } from './idempotency-claim.js';
export type { Invocation } from './invocation.js';
export { done, isPromise } from './promises.js';
export type { Reaction, ReactionContext } from './reaction.js';
export {
  ReactionInvocation,
  startReaction,
  type ReactionRun,
  type ReactionRunParts,
  type RunReaction,
  type StartReaction,
} from './reaction-invocation.js';
export type { PipelineBehavior } from './pipeline-behavior.js';
export type { MessageMetadata } from './message-metadata.js';
export type { MessageContext, NamedReceptor, Receptor, ReceptorContext, SendOptions } from './receptor.js';
export { CommandRejectedError, NotFoundError } from './rejections.js';
export {
  dueTimeOf,
  isRecurringKey,
  recurringKeyPrefix,
  reservedKeyPrefix,
  type ScheduleOptions,
  type ScheduleTime,
} from './schedule-options.js';
export { secretInStoredCommand } from './sent-command.js';
export { StreamBusyError } from './stream-busy-error.js';
export { UnitOfWork, type CommittedAlong } from './unit-of-work.js';
