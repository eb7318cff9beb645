import { ServiceError } from '../errors/index.js';

/** Why the database is unavailable: it does not answer, has no room left, cannot be written to, or lost committed events. */
export type UnavailableReason = 'unreachable' | 'full' | 'read-only' | 'went-back';

/** The database is unavailable. `outcome` says whether a record that was being committed may be stored. */
export class StorageUnavailableError extends ServiceError {
  /** `none`: nothing was committed. `unknown`: the connection was lost during the commit, and the database has not answered since. */
  readonly outcome: 'none' | 'unknown';
  readonly reason: UnavailableReason;
  /** The host and port of a database that could not be reached. Callers must not see it. */
  readonly address?: string;

  constructor(
    outcome: 'none' | 'unknown',
    cause: unknown,
    reason: UnavailableReason = 'unreachable',
    address?: string,
  ) {
    super(
      'SVC_STORAGE_UNAVAILABLE',
      outcome === 'unknown' ? unknownOutcome : `${reasons[reason]} Nothing was committed. ${remedies[reason]}`,
      {
        cause,
      },
    );
    this.outcome = outcome;
    this.reason = reason;
    if (address !== undefined) this.address = address;
  }
}

const reasons = {
  unreachable: 'The database cannot be reached.',
  full: 'The database has no room left.',
  'read-only': 'The database is read-only.',
  'went-back': 'The database no longer has events that were committed (SVC_LOG_WENT_BACK).',
};

const remedies = {
  unreachable: 'Retry later.',
  full: 'Free disk space, then retry.',
  'read-only': 'Make it writable, then retry.',
  'went-back': 'Decide whether to accept the loss, then restart every host.',
};

const unknownOutcome =
  'The connection to the database was lost during a commit, so the record may or may not be stored. Check before you retry.';
