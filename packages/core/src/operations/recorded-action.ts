import { ServiceError } from '../errors/index.js';
import { newId } from '../messages/index.js';
import { OperationState, type OperationRequest } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { errorText } from './error-text.js';
import { OperationEvents } from './operation-events.js';
import type { OperationKind } from './operation-kind.js';

/** The actions that are done at once, by the svc command or a host: `kind` of their records in the system stream. */
export const OperatorActionKind = {
  /** The target is the key of the migration. */
  RollBackMigration: 'migrate.rollback',
  /** The argument `request` is the cancelled request. */
  CancelRequest: 'perspectives.cancel',
  /** The target is the perspective whose models were removed. */
  RemovePerspective: 'perspectives.remove',
  /** The argument `deadLetter` is the shown dead letter. The record does not contain its content. */
  ShowDeadLetter: 'dead-letters.show',
  /** The argument `deadLetter` is the dead letter that was replayed with another body. */
  EditDeadLetter: 'dead-letters.edit',
  /** The target is the type of the scheduled command, the argument `command` its id. */
  CancelScheduled: 'schedule.cancel',
  RunScheduled: 'schedule.run',
  /** The target is the reaction; the argument `stream` is absent for all failed streams. */
  RetryReaction: 'reactions.retry',
  /** The target is the reaction, the argument `stream` the stream whose event is skipped. */
  SkipReaction: 'reactions.skip',
  /** The target is the reaction. */
  PauseReaction: 'reactions.pause',
  /** The target is the reaction. */
  ResumeReaction: 'reactions.resume',
  /** The arguments are `before`, a time, and `to`, the archive. */
  ArchiveEvents: 'archive',
  /** The target is the subject whose personal data were exported. */
  ExportSubject: 'subjects.export',
  /** The argument `to` is the folder. */
  ExportEvents: 'audit.export',
  /** The target is the id of the event. */
  ProveEvent: 'audit.prove',
  /** The arguments are the conditions of the query. */
  QueryAudit: 'audit.query',
  FollowAudit: 'audit.tail',
  /** The target is the id of the event. The record does not contain its content. */
  ShowEvent: 'audit.show',
} as const;
export type OperatorActionKind = (typeof OperatorActionKind)[keyof typeof OperatorActionKind];

/** An action of an operator, to record with `recordedAction`. */
export interface OperatorAction extends Omit<OperationRequest, 'id'> {
  readonly kind: OperatorActionKind | OperationKind;
}

/**
 * Runs `work` between `OperationStarted` and `OperationEnded` in the system stream. `work` does not run if the first cannot be recorded; its
 * result is withheld if the second cannot.
 */
export async function recordedAction<T>(
  emitter: Pick<SystemEventEmitter, 'emit'>,
  action: OperatorAction,
  work: () => Promise<T>,
): Promise<T> {
  const events = new OperationEvents(emitter, { id: newId(), ...action });
  await events.started(action.arguments, 1).catch((cause: unknown) => {
    throw notRecorded(
      'Nothing was done',
      action,
      cause,
      'Grant write access to svc_outbox, then run the command again.',
    );
  });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // A second error would hide why the work failed.
    await events.ended({ state: OperationState.Failed, error: errorText(error) }).catch(() => {});
    throw error;
  }
  await events.ended({ state: OperationState.Done, error: null }).catch((cause: unknown) => {
    throw notRecorded('The action was done', action, cause, 'The system stream contains its start.');
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
