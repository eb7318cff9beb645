import { ServiceError } from '../../errors/index.js';

/** Models are asked for by a property that their table does not have, or not yet: it is migrated, or another version's. */
export class PropertyNotReadyError extends ServiceError {
  constructor(perspective: string, property: string) {
    super(
      'SVC_PROPERTY_NOT_READY',
      `${perspective} cannot be filtered or sorted by ${property} at the moment: its table is being migrated, or is that of another version. Try again later.`,
    );
  }
}
