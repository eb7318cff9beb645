import { ServiceError } from '../../errors/index.js';

/** The models of a perspective belong to another version of the service, so this host does not write to them. */
export class PerspectiveDefinedOtherwiseError extends ServiceError {
  constructor(perspective: string) {
    super(
      'SVC_PERSPECTIVE_DEFINED_OTHERWISE',
      `Cannot update the models of ${perspective}: they belong to another version of the service, or are being migrated. Use a host of that version, or wait for the migration.`,
    );
  }
}
