import { ServiceError } from '../errors/index.js';
import type { MigrationFailureReason } from '../system-events/index.js';
import { errorText } from './failure.js';

/** The service cannot start because a part of the schema that it needs was not migrated. The next start retries it. */
export class MigrationFailedError extends ServiceError {
  readonly key: string;
  readonly reason: MigrationFailureReason;

  constructor(key: string, reason: MigrationFailureReason, reasonName: string, cause: unknown) {
    const what = errorText(cause).replace(/\.$/, '');
    super(
      'SVC_MIGRATION_FAILED',
      `Cannot apply the migration ${key} (${reasonName}): ${what}. None of it was committed. Fix the cause, then start again; svc migrate status shows it.`,
      { cause },
    );
    this.key = key;
    this.reason = reason;
  }
}
