import { ServiceError } from '../errors/index.js';

/** The database says that what it holds is damaged. Nothing was kept; trying again does not help. */
export class StorageDamagedError extends ServiceError {
  constructor(cause: unknown) {
    super(
      'SVC_STORAGE_DAMAGED',
      'The database says that its data are damaged. Stop the service, and restore the database from a backup.',
      { cause },
    );
  }
}
