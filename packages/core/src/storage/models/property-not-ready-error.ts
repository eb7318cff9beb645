import { ServiceError } from '../../errors/index.js';

/** A query filters or sorts by a property whose column does not exist yet: the table is being migrated, or belongs to another version. */
export class PropertyNotReadyError extends ServiceError {
  constructor(perspective: string, property: string) {
    super(
      'SVC_PROPERTY_NOT_READY',
      `${perspective} cannot be filtered or sorted by ${property} at the moment: its table is being migrated or belongs to another version. Retry later.`,
    );
  }
}
