import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/**
 * The database no longer has events that this host knows to be committed: a standby that missed them became the primary, or a backup was
 * restored. It is the cause of a `StorageUnavailableError` with the reason `went-back`.
 */
export class LogWentBackError extends ServiceError {
  /** The latest committed events of this host that are missing. More may be missing. */
  readonly missing: readonly Uuid[];

  constructor(missing: readonly Uuid[]) {
    super(
      'SVC_LOG_WENT_BACK',
      `The log no longer contains events that were committed, such as ${missing[0]}: a standby without them became the primary, or a backup was restored. This host stops using the database. Decide whether to accept the loss, then restart every host.`,
    );
    this.missing = missing;
  }
}
