/** What a failure of the client means for us. Its messages name hosts and entities, never keys or tokens. */
import { ServiceError } from '@svc/core';
import type { Entity } from './entities.js';

export function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_TRANSPORT_UNAVAILABLE',
    `The Service Bus ${what}. What is for other hosts waits in the outbox; it is tried again.`,
    { cause },
  );
}

/** The topic or queue takes nothing more until some of it is taken out. */
export function fullOf(error: unknown, { name }: Entity): ServiceError | null {
  if (codeOf(error) !== 'QuotaExceeded') return null;
  return new ServiceError(
    'SVC_DESTINATION_UNAVAILABLE',
    `The ${name} of the Service Bus is full. What is for it waits in the outbox; it is tried again.`,
    { cause: error },
  );
}

export function closed(): ServiceError {
  return new ServiceError('SVC_TRANSPORT_CLOSED', 'The Service Bus transport is closed. Make a new one.');
}

/** It is throttled: there, and asked too much. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 'ServiceBusy';
}

/** The answer when no stream had messages for a while: the Service Bus is there. Its own words tell it from a client that gave up. */
export function isNoSession(error: unknown): boolean {
  return (
    codeOf(error) === 'ServiceTimeout' && !/timed out|operation timeout|within allocated time/i.test(textOf(error))
  );
}

/** Somebody else has the session: the entity is there. */
export function isSessionTaken(error: unknown): boolean {
  return codeOf(error) === 'SessionCannotBeLocked';
}

/** Whether the Service Bus has said so itself: it is there. */
export function isAnswer(error: unknown): boolean {
  const code = codeOf(error);
  return (
    isNoSession(error) ||
    ['MessagingEntityNotFound', 'MessagingEntityDisabled', 'UnauthorizedAccess'].includes(String(code)) ||
    ['ServiceBusy', 'SessionCannotBeLocked', 'MessageSizeExceeded', 'QuotaExceeded'].includes(String(code))
  );
}

/** There is no entity of the name. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'MessagingEntityNotFound';
}

export function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'MessageSizeExceeded';
}

/** A failure that somebody has to mend, and how; null when trying again may help. */
export function mendOf(error: unknown, { name, create, needsSessions }: Entity): ServiceError | null {
  switch (codeOf(error)) {
    case 'MessagingEntityNotFound':
      return misconfigured(`The Service Bus has no ${name}. ${create}; the transport does not create it.`, error);
    case 'MessagingEntityDisabled':
      return misconfigured(`The ${name} of the Service Bus is disabled. Enable it.`, error);
    case 'UnauthorizedAccess':
      return misconfigured(
        `The Service Bus does not let this host use the ${name}. Check the key or the credential: it needs the rights Send and Listen.`,
        error,
      );
    default:
      return /^(?:InvalidOperationError|NotAllowedError)\b/.test(textOf(error)) && needsSessions
        ? misconfigured(
            `The ${name} of the Service Bus has no sessions, and order depends on them. Create it anew, with sessions (requires-session).`,
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
