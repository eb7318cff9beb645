import { ServiceError } from '../errors/index.js';

/** The table of a perspective has other columns by now than this host knows of: a host of another version keeps it. */
export class PerspectiveDefinedOtherwiseError extends ServiceError {
  constructor(perspective: string) {
    super(
      'SVC_PERSPECTIVE_DEFINED_OTHERWISE',
      `${perspective} is kept by a host of another version, with other indexed properties. This host leaves it alone; stop the hosts of one of the versions.`,
    );
  }
}
