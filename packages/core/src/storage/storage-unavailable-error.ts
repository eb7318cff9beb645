import { ServiceError } from '../errors/index.js';

/** Why the database takes nothing: nobody answers, it has no room left, or it may not be written to. */
export type UnavailableReason = 'unreachable' | 'full' | 'read-only';

/** The database takes nothing at the moment. `outcome` says what became of a record that was to be kept. */
export class StorageUnavailableError extends ServiceError {
  /** `none`: nothing was kept. `unknown`: the connection was lost while it was being kept, and nobody could be asked since. */
  readonly outcome: 'none' | 'unknown';
  readonly reason: UnavailableReason;

  constructor(outcome: 'none' | 'unknown', cause: unknown, reason: UnavailableReason = 'unreachable') {
    super(
      'SVC_STORAGE_UNAVAILABLE',
      outcome === 'unknown' ? unknownOutcome : `${reasons[reason]} Nothing was kept; ${mends[reason]}`,
      {
        cause,
      },
    );
    this.outcome = outcome;
    this.reason = reason;
  }
}

const reasons = {
  unreachable: 'The database cannot be reached.',
  full: 'The database has no room left.',
  'read-only': 'The database may not be written to.',
};

const mends = {
  unreachable: 'try again later.',
  full: 'make room on its disk, and try again.',
  'read-only': 'let it be written to, and try again.',
};

const unknownOutcome =
  'The connection to the database was lost while a record was being kept, and it is not known whether it was. Look before trying again.';
