import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { MessageSettledError, ReactionTakenOverError, StorageUnavailableError } from '../storage/index.js';

/** The error of a reaction. */
export interface FailedAttempt {
  readonly error: unknown;
}

/** What an error means for the event. Null: the event is processed. Throws errors that are not the reaction's own. */
export function failedAttempt(error: unknown, eventId: Uuid): FailedAttempt | null {
  if (error instanceof MessageSettledError && error.messageId === eventId) return null;
  const isOfHost =
    error instanceof ReactionTakenOverError ||
    error instanceof StorageUnavailableError ||
    (error instanceof ServiceError && error.code === 'SVC_STORAGE_CLOSED');
  if (isOfHost) throw error;
  return { error };
}
