import { ServiceError } from '../errors/index.js';

/** The database cannot be reached, or went away. `outcome` says what became of a record that was to be kept. */
export class StorageUnavailableError extends ServiceError {
  /** `none`: nothing was kept. `unknown`: the connection was lost while it was being kept, and nobody could be asked since. */
  readonly outcome: 'none' | 'unknown';

  constructor(outcome: 'none' | 'unknown', cause: unknown) {
    super('SVC_STORAGE_UNAVAILABLE', messages[outcome], { cause });
    this.outcome = outcome;
  }
}

const messages = {
  none: 'The database cannot be reached. Nothing was kept; try again later.',
  unknown:
    'The connection to the database was lost while a record was being kept, and it is not known whether it was. Look before trying again.',
};
