import { CommandRejectedError, NotFoundError, ServiceError, ValidationError, type Uuid } from '@svc/core';
import { commandFailures, isEditable } from '@svc/core/hosting';
import { DeadLetterCause, type DeadLetterRecord } from '@svc/core/storage';
import {
  ChangedDeadLetters,
  DatabaseQuery,
  DeadLetterDetails,
  DeadLetterList,
  DeadLettersQuery,
  DiscardBody,
  EditBody,
  EditedDeadLetter,
  IdPath,
  NoParameters,
  ReplayBody,
  type DeadLetterSummary,
} from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { pageOf } from './page.js';
import { shownOperation, time } from './shown-operation.js';

/** Longer bodies are truncated. */
const mostBody = 1_000_000;

const listDeadLetters = operation({
  method: 'GET',
  path: '/dead-letters',
  summary: 'A page of the dead letters, the oldest first, without their bodies',
  right: 'read',
  params: NoParameters,
  query: DeadLettersQuery,
  body: null,
  response: DeadLetterList,
  answer: async ({ service, query }) => {
    const page = { ...pageOf(query), ...filterOf(query) };
    const { items, next } = await service.administration.deadLetters.list(page);
    return { deadLetters: items.map(summaryOf), next };
  },
});

const showDeadLetter = operation({
  method: 'GET',
  path: '/dead-letters/:id',
  summary: 'A dead letter with its body. That you have seen it is recorded',
  right: 'read',
  params: IdPath,
  query: DatabaseQuery,
  body: null,
  response: DeadLetterDetails,
  answer: async ({ service, params }) => {
    const letter = await service.administration.deadLetters.show(params.id as Uuid);
    const { timestamp, causationId, scope, metadata, body } = letter.message;
    return {
      deadLetter: summaryOf(letter),
      errorMessage: letter.errorMessage,
      message: {
        timestamp: time(timestamp),
        causationId,
        scope,
        metadata: { ...metadata },
        body: body.slice(0, mostBody).toWellFormed(),
        isTruncated: body.length > mostBody,
      },
    };
  },
});

const replayDeadLetters = operation({
  method: 'POST',
  path: '/dead-letters/replay',
  summary: 'Replays dead letters: those with the ids, or in an operation all of a direction and a cause',
  right: 'write',
  params: NoParameters,
  query: DatabaseQuery,
  body: ReplayBody,
  response: ChangedDeadLetters,
  answer: async ({ service, body: { ids, reason, ...which } }) => {
    const { deadLetters } = service.administration;
    if (ids !== undefined) {
      requireAlone(which);
      return outcomeOf(await deadLetters.replay(ids as Uuid[], reason));
    }
    const requested = await deadLetters.replayAll(filterOf(which), reason);
    return { changed: 0, failed: [], operation: shownOperation(requested) };
  },
});

const discardDeadLetters = operation({
  method: 'POST',
  path: '/dead-letters/discard',
  summary: 'Discards dead letters: those with the ids, or in an operation all of a cause. Incoming messages are lost',
  right: 'write',
  params: NoParameters,
  query: DatabaseQuery,
  body: DiscardBody,
  response: ChangedDeadLetters,
  answer: async ({ service, body: { ids, reason, ...which } }) => {
    const { deadLetters } = service.administration;
    if (ids !== undefined) {
      requireAlone(which);
      return outcomeOf(await deadLetters.discard(ids as Uuid[], reason));
    }
    const { cause } = filterOf(which);
    if (cause === undefined) throw new ValidationError([{ pointer: '', detail: 'Give ids or a cause.' }]);
    const requested = await deadLetters.discardAll(cause, reason);
    return { changed: 0, failed: [], operation: shownOperation(requested) };
  },
});

const editDeadLetter = operation({
  method: 'POST',
  path: '/dead-letters/:id/edit',
  summary: 'Replays a dead letter with another body, as a new message. The replaced message takes no effect any more',
  right: 'write',
  params: IdPath,
  query: DatabaseQuery,
  body: EditBody,
  response: EditedDeadLetter,
  answer: async ({ service, params, body: { body, reason } }) => {
    try {
      return { messageId: await service.administration.deadLetters.edit(params.id as Uuid, body, reason) };
    } catch (error) {
      throw answerable(error);
    }
  },
});

export const deadLetterOperations: readonly Operation[] = [
  listDeadLetters,
  showDeadLetter,
  replayDeadLetters,
  discardDeadLetters,
  editDeadLetter,
];

function summaryOf(letter: DeadLetterRecord): DeadLetterSummary {
  const { id, direction, cause, destination, origin, provenOrigin = null, message, ...rest } = letter;
  return {
    id,
    direction,
    cause,
    destination,
    origin,
    provenOrigin,
    messageId: message.id,
    messageType: message.type,
    streamId: message.streamId,
    tenant: message.scope?.['tenantId'] ?? '',
    correlationId: message.correlationId,
    errorName: rest.errorName,
    attempts: rest.attempts,
    firstFailedAt: time(rest.firstFailedAt),
    lastFailedAt: time(rest.lastFailedAt),
    isEditable: isEditable(letter),
  };
}

function filterOf({ direction, cause }: { direction?: DeadLetterRecord['direction']; cause?: string }) {
  const known = Object.values(DeadLetterCause).find((one) => one === cause);
  if (cause !== undefined && known === undefined) {
    const detail = `Must be one of ${Object.values(DeadLetterCause).join(', ')}.`;
    throw new ValidationError([{ pointer: '/cause', detail }]);
  }
  return { ...(direction !== undefined && { direction }), ...(known !== undefined && { cause: known }) };
}

function requireAlone(which: { readonly direction?: string; readonly cause?: string }): void {
  if (which.direction === undefined && which.cause === undefined) return;
  throw new ValidationError([{ pointer: '', detail: 'Give either ids, or a direction and a cause.' }]);
}

function outcomeOf({ changed, failed }: { changed: number; failed: readonly { id: Uuid; error: string }[] }) {
  return { changed, failed: [...failed], operation: null };
}

/** An error that the operator can act on has its text in the response. Any other is an internal error. */
function answerable(error: unknown): unknown {
  if (!(error instanceof ServiceError) || Object.hasOwn(commandFailures, error.code)) return error;
  if (error.code === 'SVC_UNKNOWN_DEAD_LETTER') return new NotFoundError(error.message, { cause: error });
  return new CommandRejectedError(error.message, { cause: error });
}
