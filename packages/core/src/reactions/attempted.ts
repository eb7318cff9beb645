import { ServiceError } from '../errors/index.js';
import { observeId } from '../messages/index.js';
import { MessageSettledError, ReactionTakenOverError, StorageUnavailableError } from '../storage/index.js';
import type { AnyRecord, ReactionAttempt } from './reaction-parts.js';

/** The error of a reaction. */
export interface FailedAttempt {
  readonly error: unknown;
}

/** Runs an attempt. Null: the event is processed. Throws errors that are not the reaction's own. */
export async function attempted(
  { id }: AnyRecord,
  { signal }: ReactionAttempt,
  run: () => Promise<void>,
): Promise<FailedAttempt | null> {
  // Ids that the reaction creates are greater than that of its event.
  observeId(id);
  try {
    await run();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MessageSettledError && error.messageId === id) return null;
    const isOfHost =
      error instanceof ReactionTakenOverError ||
      error instanceof StorageUnavailableError ||
      (error instanceof ServiceError && error.code === 'SVC_STORAGE_CLOSED');
    if (isOfHost) throw error;
    return { error };
  }
}
