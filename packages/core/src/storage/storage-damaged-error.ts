import { ServiceError } from '../errors/index.js';

/** The database reports that its data are damaged. Nothing was committed, and a retry does not help. */
export class StorageDamagedError extends ServiceError {
  constructor(cause: unknown) {
    super(
      'SVC_STORAGE_DAMAGED',
      'The database reports that its data are damaged. Stop the service, and restore the database from a backup.',
      { cause },
    );
  }
}
