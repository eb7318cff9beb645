import { ServiceError } from '../errors/index.js';

/** Another program has begun to migrate the item to something else meanwhile. */
export class SupersededError extends ServiceError {
  constructor(key: string) {
    super(
      'SVC_MIGRATION_SUPERSEDED',
      `The migration of ${key} was taken over by another program. Nothing is left to do here.`,
    );
  }
}
