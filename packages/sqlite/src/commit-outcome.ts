import { ServiceError } from '@svc/core';
import type { CommitOutcome } from '@svc/core/storage';

/** A rejection concerns one record. Any other error ends the transaction. */
export function outcomeOf(commit: () => void): CommitOutcome {
  try {
    commit();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
