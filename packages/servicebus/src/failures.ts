/** Converts failures of the client. Its messages contain hosts and entities, never keys or tokens. */
import { ServiceError } from '@svc/core';
import type { Entity } from './entities.js';

export function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_TRANSPORT_UNAVAILABLE',
    `The Service Bus ${what}. Messages for other hosts wait in the outbox and are retried.`,
    { cause },
  );
}

/** The topic or queue is full until messages are removed. */
export function fullOf(error: unknown, { name }: Entity): ServiceError | null {
  if (codeOf(error) !== 'QuotaExceeded') return null;
  return new ServiceError(
    'SVC_DESTINATION_UNAVAILABLE',
    `The ${name} of the Service Bus is full. Messages for it wait in the outbox and are retried.`,
    { cause: error },
  );
}

export function closed(): ServiceError {
  return new ServiceError('SVC_TRANSPORT_CLOSED', 'The Service Bus transport is closed. Create a new one.');
}

/** The Service Bus is reachable but throttles requests. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 'ServiceBusy';
}

/** The answer if no session had messages for a while. Its text distinguishes it from a timeout of the client. */
export function isNoSession(error: unknown): boolean {
  return (
    codeOf(error) === 'ServiceTimeout' && !/timed out|operation timeout|within allocated time/i.test(textOf(error))
  );
}

/** Another receiver has locked the session, so the entity exists. */
export function isSessionLocked(error: unknown): boolean {
  return codeOf(error) === 'SessionCannotBeLocked';
}

/** Whether the error is an answer of the Service Bus, which is therefore reachable. */
export function isAnswer(error: unknown): boolean {
  const code = codeOf(error);
  return (
    isNoSession(error) ||
    ['MessagingEntityNotFound', 'MessagingEntityDisabled', 'UnauthorizedAccess'].includes(String(code)) ||
    ['ServiceBusy', 'SessionCannotBeLocked', 'MessageSizeExceeded', 'QuotaExceeded'].includes(String(code))
  );
}

/** No entity with this name exists. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'MessagingEntityNotFound';
}

export function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'MessageSizeExceeded';
}

/** The error for a failure that requires a change of configuration; null if retrying may help. */
export function configurationError(error: unknown, { name, create, needsSessions }: Entity): ServiceError | null {
  switch (codeOf(error)) {
    case 'MessagingEntityNotFound':
      return misconfigured(`The Service Bus has no ${name}. ${create}; the transport does not create it.`, error);
    case 'MessagingEntityDisabled':
      return misconfigured(`The ${name} of the Service Bus is disabled. Enable it.`, error);
    case 'UnauthorizedAccess':
      return misconfigured(
        `The Service Bus denies this host access to the ${name}. Check the key or the credential: it needs the rights Send and Listen.`,
        error,
      );
    default:
      return /^(?:InvalidOperationError|NotAllowedError)\b/.test(textOf(error)) && needsSessions
        ? misconfigured(
            `The ${name} of the Service Bus has no sessions, which ordering requires. Delete it and create it with sessions (requires-session).`,
            error,
          )
        : null;
  }
}

function misconfigured(message: string, cause: unknown): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', message, { cause });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
