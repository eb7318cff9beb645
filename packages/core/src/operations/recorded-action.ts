import { ServiceError } from '../errors/index.js';
import { newId } from '../messages/index.js';
import { OperationState, type OperationRequest } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { errorText } from './error-text.js';
import { OperationEvents } from './operation-events.js';

/** What operators do by a command itself, without a running service, as `kind` of its records in the system stream. */
export const OperatorActionKind = {
  /** The key of the migration is the target. */
  RollBackMigration: 'migrate.rollback',
  /** `request` of the arguments is what was cancelled. */
  CancelRequest: 'perspectives.cancel',
  /** `deadLetter` of the arguments is what was shown. The record has nothing of its content. */
  ShowDeadLetter: 'dead-letters.show',
} as const;
export type OperatorActionKind = (typeof OperatorActionKind)[keyof typeof OperatorActionKind];

export interface OperatorAction extends Omit<OperationRequest, 'id'> {
  readonly kind: OperatorActionKind;
}

/**
 * Runs `work` between `OperationStarted` and `OperationEnded` in the system stream. `work` does not run when the first cannot be recorded, and its
 * result is withheld when the second cannot.
 */
export async function recordedAction<T>(
  emitter: Pick<SystemEventEmitter, 'emit'>,
  action: OperatorAction,
  work: () => Promise<T>,
): Promise<T> {
  const events = new OperationEvents(emitter, { id: newId(), ...action });
  await events.started(action.arguments, 1).catch((cause: unknown) => {
    throw notRecorded('Nothing was done', action, cause, 'Let the command write to svc_outbox, then run it again.');
  });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // That the end is not recorded either would only hide why the work failed.
    await events.ended({ state: OperationState.Failed, error: errorText(error) }).catch(() => {});
    throw error;
  }
  await events.ended({ state: OperationState.Done, error: null }).catch((cause: unknown) => {
    throw notRecorded('It was done', action, cause, 'The system stream has its start.');
  });
  return result;
}

function notRecorded(what: string, { kind, requestedBy }: OperatorAction, cause: unknown, hint: string): ServiceError {
  return new ServiceError(
    'SVC_OPERATION_NOT_RECORDED',
    `${what}: ${kind} by ${requestedBy} could not be recorded in the system stream. ${errorText(cause)} ${hint}`,
    { cause },
  );
}
