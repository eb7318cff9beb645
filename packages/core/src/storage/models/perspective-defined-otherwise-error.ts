import { ServiceError } from '../../errors/index.js';

/** The models of a perspective are those of another version: hosts of that one keep them, and this one leaves them alone. */
export class PerspectiveDefinedOtherwiseError extends ServiceError {
  constructor(perspective: string) {
    super(
      'SVC_PERSPECTIVE_DEFINED_OTHERWISE',
      `The models of ${perspective} are those of another version of the service. This host leaves them alone: hosts of that version keep them, or it is being migrated.`,
    );
  }
}
