import { ServiceError } from '../errors/index.js';

/** Another program has started to migrate the item to another target. */
export class SupersededError extends ServiceError {
  constructor(key: string) {
    super(
      'SVC_MIGRATION_SUPERSEDED',
      `Another program has taken over the migration of ${key}. Nothing is left to do in this one.`,
    );
  }
}
